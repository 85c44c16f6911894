/* Large-count datatype functions, with counts larger than an int if no memory is needed (MPI-4.0, 5). */
#include "check.h"

#if HAVE_LARGE_COUNTS
static const MPI_Count big = (MPI_Count)3 << 31; /* 6442450944 */

static void sized(const char *name, MPI_Datatype *type, MPI_Count bytes, MPI_Count want_lb, MPI_Count want_extent)
{
    MPI_Count got = -1, lb = -1, extent = -1;
    int small = -1;
    MUST(MPI_Type_commit(type));
    MUST(MPI_Type_size_c(*type, &got));
    if (got != bytes)
        check_fail(__FILE__, __LINE__, "%s: size %lld, not %lld", name, (long long)got, (long long)bytes);
    MUST(MPI_Type_get_extent_c(*type, &lb, &extent));
    if (lb != want_lb || extent != want_extent)
        check_fail(__FILE__, __LINE__, "%s: lower bound %lld, extent %lld", name, (long long)lb, (long long)extent);
    MUST(MPI_Type_get_true_extent_c(*type, &lb, &extent));
    CHECK(extent <= want_extent);
    MUST(MPI_Type_size(*type, &small));
    CHECK_INT(small, bytes > 2147483647 ? MPI_UNDEFINED : bytes);
    MUST(MPI_Type_free(type));
}

static void constructors(void)
{
    const MPI_Count I = sizeof(int);
    MPI_Datatype t;
    MUST(MPI_Type_contiguous_c(big, MPI_INT, &t));
    sized("contiguous", &t, big * I, 0, big * I);
    MUST(MPI_Type_vector_c(3, 2, 4, MPI_INT, &t));
    sized("vector", &t, 6 * I, 0, 10 * I);
    MUST(MPI_Type_vector_c(2, 1, big, MPI_INT, &t));
    sized("wide vector", &t, 2 * I, 0, (big + 1) * I);
    MUST(MPI_Type_create_hvector_c(2, 1, big, MPI_INT, &t));
    sized("hvector", &t, 2 * I, 0, big + I);
    MUST(MPI_Type_indexed_c(2, (MPI_Count[]){2, 1}, (MPI_Count[]){0, big}, MPI_INT, &t));
    sized("indexed", &t, 3 * I, 0, (big + 1) * I);
    MUST(MPI_Type_create_hindexed_c(2, (MPI_Count[]){2, 1}, (MPI_Count[]){I, big}, MPI_INT, &t));
    sized("hindexed", &t, 3 * I, I, big);
    MUST(MPI_Type_create_indexed_block_c(2, 2, (MPI_Count[]){1, big}, MPI_INT, &t));
    sized("indexed_block", &t, 4 * I, I, (big + 1) * I);
    MUST(MPI_Type_create_hindexed_block_c(2, 2, (MPI_Count[]){0, big}, MPI_INT, &t));
    sized("hindexed_block", &t, 4 * I, 0, big + 2 * I);
    MUST(MPI_Type_create_struct_c(2, (MPI_Count[]){1, 1}, (MPI_Count[]){0, big},
                                  (MPI_Datatype[]){MPI_INT, MPI_INT}, &t));
    sized("struct", &t, 2 * I, 0, big + I);
    MUST(MPI_Type_create_resized_c(MPI_INT, 0, big, &t));
    sized("resized", &t, I, 0, big);
    MUST(MPI_Type_create_subarray_c(2, (MPI_Count[]){big, 6}, (MPI_Count[]){2, 3}, (MPI_Count[]){1, 2}, MPI_ORDER_C,
                                    MPI_INT, &t));
    sized("subarray", &t, 6 * I, 0, big * 6 * I);
    MUST(MPI_Type_create_darray_c(1, 0, 1, (MPI_Count[]){100}, (int[]){MPI_DISTRIBUTE_BLOCK},
                                  (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1}, MPI_ORDER_C, MPI_INT, &t));
    sized("darray", &t, 100 * I, 0, 100 * I);
}

static void contents(void)
{
    MPI_Datatype t, got[4];
    MPI_Count ni = -1, na = -1, nc = -1, nd = -1, counts[8];
    MPI_Aint addresses[4];
    int combiner = -1, ints[4];
    MUST(MPI_Type_vector_c(2, 3, big, MPI_DOUBLE, &t));
    MUST(MPI_Type_get_envelope_c(t, &ni, &na, &nc, &nd, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_VECTOR);
    CHECK_INT(ni, 0);
    CHECK_INT(na, 0);
    CHECK_INT(nc, 3);
    CHECK_INT(nd, 1);
    MUST(MPI_Type_get_contents_c(t, ni, na, nc, nd, ints, addresses, counts, got));
    CHECK_INT(counts[0], 2);
    CHECK_INT(counts[1], 3);
    CHECK_INT(counts[2], big);
    CHECK(got[0] == MPI_DOUBLE);
    MUST(MPI_Type_free(&t));
}

static void packing(void)
{
    char buffer[64];
    MPI_Count position = 0, bound = -1;
    int value = 0x01020304, in = -1;
    MUST(MPI_Pack_c(&value, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    const MPI_Count end = position;
    position = 0;
    MUST(MPI_Unpack_c(buffer, end, &position, &in, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK_INT(in, value);
    CHECK_INT(position, end);
    MUST(MPI_Pack_external_size_c("external32", 2, MPI_INT, &bound));
    CHECK_INT(bound, 8);
    position = 0;
    MUST(MPI_Pack_external_c("external32", &value, 1, MPI_INT, buffer, sizeof buffer, &position));
    CHECK_INT(position, 4);
    CHECK(buffer[0] == 1 && buffer[3] == 4);
    position = 0;
    in = -1;
    MUST(MPI_Unpack_external_c("external32", buffer, sizeof buffer, &position, &in, 1, MPI_INT));
    CHECK_INT(in, value);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    constructors();
    contents();
    packing();
#endif
    return check_done("large_types");
}
