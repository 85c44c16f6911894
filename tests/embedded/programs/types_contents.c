/*
 * Envelope and contents of every constructor, small and large; sizes beyond 2^31 and their errors;
 * refused arguments; names; datatypes by size and by precision (MPI-5.0, 5.1, 19.1.5).
 */
#include "types_check.h"

#ifdef EMBEDDED
#include "embedded/types/types.h"
#endif

struct expected {
    int combiner, integers, addresses, types;
    int integer[20];
    MPI_Aint address[8];
    MPI_Count large_integers, count[20]; /* of the large variant: integers that stay, and the counts */
};

static void check_small(MPI_Datatype type, const struct expected *e, MPI_Datatype old)
{
    int integers, addresses, types, combiner, integer[20];
    MPI_Aint address[8];
    MPI_Datatype datatype[8];
    MUST(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    EQUAL(e->combiner, combiner);
    EQUAL(e->integers, integers);
    EQUAL(e->addresses, addresses);
    EQUAL(e->types, types);
    MUST(MPI_Type_get_contents(type, 20, 8, 8, integer, address, datatype));
    for (int i = 0; i < integers; i++)
        EQUAL(e->integer[i], integer[i]);
    for (int i = 0; i < addresses; i++)
        EQUAL(e->address[i], address[i]);
    for (int i = 0; i < types; i++)
        CHECK(datatype[i] == old);
    FAILS(MPI_ERR_ARG, MPI_Type_get_contents(type, integers ? integers - 1 : 20, integers ? 8 : addresses - 1, 8, integer, address, datatype));
    MPI_Count n[4];
    MUST(MPI_Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &combiner));
    CHECK(n[0] == e->integers && n[1] == e->addresses && n[2] == 0 && n[3] == e->types);
    MUST(MPI_Type_free(&type));
}

static void check_large(MPI_Datatype type, const struct expected *e, MPI_Datatype old)
{
    int combiner, integer[20], small[4];
    MPI_Aint address[8];
    MPI_Count n[4], count[20], counts = e->integers + e->addresses - e->large_integers;
    MPI_Datatype datatype[8];
    MUST(MPI_Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &combiner));
    EQUAL(e->combiner, combiner);
    EQUAL(e->large_integers, n[0]);
    EQUAL(0, n[1]);
    EQUAL(counts, n[2]);
    EQUAL(e->types, n[3]);
    MUST(MPI_Type_get_contents_c(type, 20, 8, 20, 8, integer, address, count, datatype));
    for (int i = 0; i < counts; i++)
        EQUAL(e->count[i], count[i]);
    for (int i = 0; i < e->types; i++)
        CHECK(datatype[i] == old);
    FAILS(MPI_ERR_TYPE, MPI_Type_get_envelope(type, &small[0], &small[1], &small[2], &combiner));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(type, 20, 8, 8, integer, address, datatype));
    MUST(MPI_Type_free(&type));
}

static void constructors(void)
{
    const MPI_Datatype old = MPI_SHORT;
    MPI_Datatype t;
    MPI_Datatype olds[2] = {old, old};
    const int l[2] = {2, 3}, d[2] = {1, 7};
    const MPI_Aint a[2] = {4, 32};
    const MPI_Count lc[2] = {2, 3}, dc[2] = {1, 7}, ac[2] = {4, 32};
#define BOTH(wanted, small, large)                 \
    do {                                           \
        static const struct expected e = wanted;   \
        MUST(small);                               \
        check_small(t, &e, old);                   \
        MUST(large);                               \
        check_large(t, &e, old);                   \
    } while (0)
#define E(...) {__VA_ARGS__}
    BOTH(E(MPI_COMBINER_CONTIGUOUS, 1, 0, 1, {5}, .count = {5}), MPI_Type_contiguous(5, old, &t), MPI_Type_contiguous_c(5, old, &t));
    BOTH(E(MPI_COMBINER_VECTOR, 3, 0, 1, {2, 3, 4}, .count = {2, 3, 4}), MPI_Type_vector(2, 3, 4, old, &t), MPI_Type_vector_c(2, 3, 4, old, &t));
    BOTH(E(MPI_COMBINER_HVECTOR, 2, 1, 1, {2, 3}, {44}, .count = {2, 3, 44}), MPI_Type_create_hvector(2, 3, 44, old, &t), MPI_Type_create_hvector_c(2, 3, 44, old, &t));
    BOTH(E(MPI_COMBINER_INDEXED, 5, 0, 1, {2, 2, 3, 1, 7}, .count = {2, 2, 3, 1, 7}), MPI_Type_indexed(2, l, d, old, &t), MPI_Type_indexed_c(2, lc, dc, old, &t));
    BOTH(E(MPI_COMBINER_HINDEXED, 3, 2, 1, {2, 2, 3}, {4, 32}, .count = {2, 2, 3, 4, 32}), MPI_Type_create_hindexed(2, l, a, old, &t), MPI_Type_create_hindexed_c(2, lc, ac, old, &t));
    BOTH(E(MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1, {2, 3, 1, 7}, .count = {2, 3, 1, 7}), MPI_Type_create_indexed_block(2, 3, d, old, &t), MPI_Type_create_indexed_block_c(2, 3, dc, old, &t));
    BOTH(E(MPI_COMBINER_HINDEXED_BLOCK, 2, 2, 1, {2, 3}, {4, 32}, .count = {2, 3, 4, 32}), MPI_Type_create_hindexed_block(2, 3, a, old, &t), MPI_Type_create_hindexed_block_c(2, 3, ac, old, &t));
    BOTH(E(MPI_COMBINER_STRUCT, 3, 2, 2, {2, 2, 3}, {4, 32}, .count = {2, 2, 3, 4, 32}), MPI_Type_create_struct(2, l, a, olds, &t), MPI_Type_create_struct_c(2, lc, ac, olds, &t));
    BOTH(E(MPI_COMBINER_RESIZED, 0, 2, 1, .address = {-2, 50}, .count = {-2, 50}), MPI_Type_create_resized(old, -2, 50, &t), MPI_Type_create_resized_c(old, -2, 50, &t));
    const int sizes[2] = {5, 6}, parts[2] = {2, 3}, starts[2] = {1, 2};
    const MPI_Count sizes_c[2] = {5, 6}, parts_c[2] = {2, 3}, starts_c[2] = {1, 2};
    BOTH(E(MPI_COMBINER_SUBARRAY, 8, 0, 1, {2, 5, 6, 2, 3, 1, 2, MPI_ORDER_C}, .large_integers = 2, .count = {5, 6, 2, 3, 1, 2}),
         MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, old, &t), MPI_Type_create_subarray_c(2, sizes_c, parts_c, starts_c, MPI_ORDER_C, old, &t));
    const int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, args[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, processes[2] = {2, 1};
    BOTH(E(MPI_COMBINER_DARRAY, 12, 0, 1, {2, 1, 2, 5, 6, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 1, MPI_ORDER_C}, .large_integers = 10, .count = {5, 6}),
         MPI_Type_create_darray(2, 1, 2, sizes, distribs, args, processes, MPI_ORDER_C, old, &t), MPI_Type_create_darray_c(2, 1, 2, sizes_c, distribs, args, processes, MPI_ORDER_C, old, &t));
    static const struct expected dup = {MPI_COMBINER_DUP, 0, 0, 1, .count = {0}};
    MUST(MPI_Type_dup(old, &t));
    int integers, addresses, types, combiner;
    MPI_Datatype of;
    MUST(MPI_Type_get_envelope(t, &integers, &addresses, &types, &combiner));
    CHECK(integers == 0 && addresses == 0 && types == 1 && combiner == dup.combiner);
    MUST(MPI_Type_get_contents(t, 0, 0, 1, NULL, NULL, &of));
    CHECK(of == old);
    MUST(MPI_Type_free(&t));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(MPI_INT, 0, 0, 0, NULL, NULL, NULL));
}

/* A derived datatype is returned as a new one, which lives on its own. */
static void derived(void)
{
    MPI_Datatype inner, outer, got;
    int count, bytes, packed = 0;
    short data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, out[12];
    MUST(MPI_Type_vector(2, 1, 3, MPI_SHORT, &inner));
    MUST(MPI_Type_contiguous(2, inner, &outer));
    MUST(MPI_Type_free(&inner));
    MUST(MPI_Type_commit(&outer));
    MUST(MPI_Type_get_contents(outer, 1, 0, 1, &count, NULL, &got));
    CHECK(got != outer && count == 2);
    MUST(MPI_Type_size(got, &bytes));
    EQUAL(4, bytes);
    MUST(MPI_Type_free(&outer));
    MUST(MPI_Type_commit(&got));
    MUST(MPI_Pack(data, 1, got, out, sizeof out, &packed, MPI_COMM_SELF));
    CHECK(packed == 4 && out[0] == 1 && out[1] == 4);
    MUST(MPI_Type_free(&got));
}

static void refused(void)
{
    MPI_Datatype t = MPI_INT, none = MPI_DATATYPE_NULL;
    const int negative[1] = {-1}, zero[1] = {0}, one[1] = {1}, two[1] = {2};
    const MPI_Aint at[1] = {0};
    int position = 0;
    MPI_Aint place = 0;
    char buffer[8];
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&t));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&none));
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&none));
    FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &t));
    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(1, negative, zero, MPI_INT, &t));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_struct(1, one, at, &none, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(1, one, two, zero, MPI_ORDER_C, MPI_INT, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(1, two, one, two, MPI_ORDER_C, MPI_INT, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(1, one, one, zero, 3, MPI_INT, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(0, one, one, zero, MPI_ORDER_C, MPI_INT, &t));
    const int kinds[1] = {MPI_DISTRIBUTE_BLOCK}, wrong[1] = {99}, processes[1] = {3};
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(2, 0, 1, two, kinds, two, processes, MPI_ORDER_C, MPI_INT, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(3, 3, 1, two, kinds, two, processes, MPI_ORDER_C, MPI_INT, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(3, 0, 1, two, wrong, two, processes, MPI_ORDER_C, MPI_INT, &t));
    const int nine[1] = {9};
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(3, 0, 1, nine, kinds, two, processes, MPI_ORDER_C, MPI_INT, &t));
    FAILS(MPI_ERR_TRUNCATE, MPI_Pack(buffer, 1, MPI_INT, buffer, 3, &position, MPI_COMM_SELF));
    EQUAL(0, position);
    position = 2;
    FAILS(MPI_ERR_TRUNCATE, MPI_Unpack(buffer, 5, &position, buffer, 1, MPI_INT, MPI_COMM_SELF));
    position = -1;
    FAILS(MPI_ERR_ARG, MPI_Pack(buffer, 1, MPI_INT, buffer, 8, &position, MPI_COMM_SELF));
    FAILS(MPI_ERR_ARG, MPI_Pack_external("native", buffer, 1, MPI_INT, buffer, 8, &place));
    FAILS(MPI_ERR_ARG, MPI_Pack_external_size("native", 1, MPI_INT, &place));
    FAILS(MPI_ERR_TRUNCATE, MPI_Pack_external("external32", buffer, 1, MPI_INT, buffer, 3, &place));
    FAILS(MPI_ERR_TRUNCATE, MPI_Unpack_external("external32", buffer, 3, &place, buffer, 1, MPI_INT));
    MUST(MPI_Type_contiguous(2, MPI_INT, &t));
    position = 0;
    FAILS(MPI_ERR_TYPE, MPI_Pack(buffer, 1, t, buffer, 8, &position, MPI_COMM_SELF)); /* not committed */
    MUST(MPI_Type_free(&t));
}

static void large_status(void)
{
    /* 6 GB. */
    MPI_Count size;
    int count;
    MPI_Status status;
    memset(&status, 0, sizeof status);
    const MPI_Count many = (MPI_Count)6 << 30;
    MUST(MPI_Status_set_elements_c(&status, MPI_INT, many));
    MUST(MPI_Get_elements_c(&status, MPI_INT, &size));
    EQUAL(many, size);
    MUST(MPI_Get_elements(&status, MPI_INT, &count));
    EQUAL(MPI_UNDEFINED, count);
    MUST(MPI_Get_count_c(&status, MPI_DOUBLE, &size));
    EQUAL(many / 2, size);
    FAILS(MPI_ERR_COUNT, MPI_Status_set_elements(&status, MPI_INT, -1));
    MUST(MPI_Status_set_elements_c(&status, MPI_BYTE, INT64_MAX));
    MUST(MPI_Get_elements_c(&status, MPI_BYTE, &size));
    EQUAL(INT64_MAX, size);
    FAILS(MPI_ERR_VALUE_TOO_LARGE, MPI_Status_set_elements_c(&status, MPI_INT, INT64_MAX));
}

static void large(void)
{
    MPI_Datatype t, row, all;
    MPI_Count size, lb, extent;
    MPI_Aint lower, span;
    const MPI_Count huge = (MPI_Count)1 << 40;
    int bytes = 0;
    MUST(MPI_Type_contiguous_c(huge, MPI_DOUBLE, &t));
    MUST(MPI_Type_size_c(t, &size));
    EQUAL(8 * huge, size);
    MUST(MPI_Type_size(t, &bytes));
    EQUAL(MPI_UNDEFINED, bytes);
    MUST(MPI_Type_get_extent(t, &lower, &span));
    EQUAL(8 * huge, span);
    FAILS(MPI_ERR_VALUE_TOO_LARGE, MPI_Type_contiguous_c(huge, t, &all));
    CHECK(all == MPI_DATATYPE_NULL);
    FAILS(MPI_ERR_VALUE_TOO_LARGE, MPI_Type_create_hvector_c(huge, 1, huge, MPI_INT, &all));
    FAILS(MPI_ERR_VALUE_TOO_LARGE, MPI_Type_create_resized_c(t, INT64_MAX, 1, &all));
    FAILS(MPI_ERR_VALUE_TOO_LARGE, MPI_Pack_size_c(huge, t, MPI_COMM_SELF, &size));
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_vector_c(3, 1, huge, MPI_INT, &t));
    MUST(MPI_Type_get_true_extent_c(t, &lb, &extent));
    EQUAL(8 * huge + 4, extent);
    MUST(MPI_Type_free(&t));

    /* A stream of 8 GB over the same megabyte: the elements stand on each other. */
    enum { MEGABYTE = 1 << 20 };
    char *memory = malloc(MEGABYTE);
    for (int i = 0; i < MEGABYTE; i++)
        memory[i] = (char)(i * 7 + i / 256);
    MUST(MPI_Type_vector(MEGABYTE / 2, 1, 2, MPI_BYTE, &row));
    MUST(MPI_Type_create_resized(row, 0, 0, &t));
    MUST(MPI_Type_contiguous(16384, t, &all));
    MUST(MPI_Type_commit(&all));
    MUST(MPI_Type_size_c(all, &size));
    EQUAL((MPI_Count)8 << 30, size);
#ifdef EMBEDDED
    const MPIR_DATATYPE *type = &((struct type *)all)->device;
    char piece[1000];
    for (int64_t at = ((int64_t)5 << 30) + 12345; at < size; at += 777777777) {
        type->ops->pack(type, memory, 1, MPID_MSG_OK, at, piece, sizeof piece);
        for (int i = 0; i < (int)sizeof piece; i++)
            EQUAL(memory[(at + i) % (MEGABYTE / 2) * 2], piece[i]);
    }
#endif
    MUST(MPI_Type_free(&row));
    MUST(MPI_Type_free(&t));
    MUST(MPI_Type_free(&all));
    free(memory);
}

/* Displacements that are addresses, from MPI_BOTTOM. */
static void absolute(void)
{
    MPI_Datatype t;
    static int here[2] = {11, 12}, there = 13;
    int out[3] = {0}, position = 0;
    MPI_Aint places[2];
    MUST(MPI_Get_address(here, &places[0]));
    MUST(MPI_Get_address(&there, &places[1]));
    EQUAL(4, MPI_Aint_diff(MPI_Aint_add(places[0], 4), places[0]));
    MUST(MPI_Type_create_hindexed(2, (int[]){2, 1}, places, MPI_INT, &t));
    MUST(MPI_Type_commit(&t));
    MUST(MPI_Pack(MPI_BOTTOM, 1, t, out, sizeof out, &position, MPI_COMM_SELF));
    CHECK(out[0] == 11 && out[1] == 12 && out[2] == 13);
    MUST(MPI_Type_free(&t));
    position = 0;
    FAILS(MPI_ERR_BUFFER, MPI_Pack(NULL, 1, MPI_INT, out, sizeof out, &position, MPI_COMM_SELF));
}

static void named(void)
{
    MPI_Datatype t, again;
    char name[MPI_MAX_OBJECT_NAME], longer[2 * MPI_MAX_OBJECT_NAME];
    int length, combiner, n[3], bytes;
    MUST(MPI_Type_get_name(MPI_LONG_LONG, name, &length));
    CHECK(!strcmp(name, "MPI_LONG_LONG_INT") && length == 17);
    MUST(MPI_Type_set_name(MPI_INT, "number"));
    MUST(MPI_Type_get_name(MPI_INT, name, &length));
    CHECK(!strcmp(name, "number"));
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    MUST(MPI_Type_set_name(MPI_INT, longer));
    MUST(MPI_Type_get_name(MPI_INT, name, &length));
    EQUAL(MPI_MAX_OBJECT_NAME - 1, length);
    MUST(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 32, &t));
    CHECK(t == MPI_COMPLEX32);
    FAILS(MPI_ERR_ARG, MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_match_size(7, 4, &t));
    const struct { int p, r; MPI_Datatype like; } reals[] = {
        {6, 37, MPI_REAL4}, {0, MPI_UNDEFINED, MPI_REAL4}, {MPI_UNDEFINED, 38, MPI_REAL8}, {7, 0, MPI_REAL8}, {15, 308, MPI_REAL16}, {33, 4931, MPI_REAL16},
    };
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        int like;
        MUST(MPI_Type_create_f90_real(reals[i].p, reals[i].r, &t));
        MUST(MPI_Type_create_f90_real(reals[i].p, reals[i].r, &again));
        CHECK(t == again);
        MUST(MPI_Type_size(t, &bytes));
        MUST(MPI_Type_size(reals[i].like, &like));
        EQUAL(like, bytes);
        MUST(MPI_Type_get_envelope(t, &n[0], &n[1], &n[2], &combiner));
        CHECK(combiner == MPI_COMBINER_F90_REAL && n[0] == 2);
        CHECK(MPI_Type_fromint(MPI_Type_toint(t)) == t);
        FAILS(MPI_ERR_TYPE, MPI_Type_free(&t));
    }
    FAILS(MPI_ERR_ARG, MPI_Type_create_f90_real(34, MPI_UNDEFINED, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &t));
    FAILS(MPI_ERR_ARG, MPI_Type_create_f90_integer(39, &t));
    MUST(MPI_Type_create_f90_integer(10, &t));
    MUST(MPI_Type_size(t, &bytes));
    EQUAL(8, bytes);
    MUST(MPI_Type_create_f90_complex(15, MPI_UNDEFINED, &t));
    MUST(MPI_Type_size(t, &bytes));
    EQUAL(16, bytes);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    constructors();
    derived();
    refused();
    large();
    large_status();
    absolute();
    named();
    return right("types_contents");
}
