/* Get_envelope and Get_contents of every constructor return its arguments (MPI-3.1, 4.1.13). */
#include "check.h"

enum { MAX = 64 };

static int ints[MAX];
static MPI_Aint addresses[MAX];
static MPI_Datatype types[MAX];

/* Gets the contents, checks them and frees the type. */
static void contents(MPI_Datatype *type, int combiner, int number_of_ints, int number_of_addresses, int number_of_types)
{
    int ni = -1, na = -1, nd = -1, got = -1;
    MUST(MPI_Type_get_envelope(*type, &ni, &na, &nd, &got));
    CHECK_INT(got, combiner);
    CHECK_INT(ni, number_of_ints);
    CHECK_INT(na, number_of_addresses);
    CHECK_INT(nd, number_of_types);
    memset(ints, 0x55, sizeof ints);
    memset(addresses, 0x55, sizeof addresses);
    for (int i = 0; i < MAX; i++)
        types[i] = MPI_DATATYPE_NULL;
    MUST(MPI_Type_get_contents(*type, ni, na, nd, ints, addresses, types));
    CHECK_INT(ints[ni], 0x55555555);
    CHECK(types[nd] == MPI_DATATYPE_NULL);
    for (int i = 0; i < nd; i++) {
        int a, b, c, kind = MPI_COMBINER_NAMED;
        MUST(MPI_Type_get_envelope(types[i], &a, &b, &c, &kind));
        if (kind != MPI_COMBINER_NAMED)
            MUST(MPI_Type_free(&types[i]));
        types[i] = MPI_DATATYPE_NULL;
    }
    MUST(MPI_Type_get_contents(*type, MAX, MAX, MAX, ints, addresses, types)); /* larger arrays than it needs */
    CHECK(types[nd] == MPI_DATATYPE_NULL);
    MUST(MPI_Type_free(type));
}

/* Integers that are an order or a distribution in some library. */
static const int constants[] = {0, 1, 2, 3, 12, 15, 16, 17, 18, 56, 57, 121, 122, 123, 124};
enum { N_CONSTANTS = sizeof constants / sizeof *constants };

/* The lengths of the blocks of a structure are returned unchanged, even if they look like the
   arguments of a subarray, or of a darray with one dimension and as many processes as blocks. */
static void structures_alike(void)
{
    enum { N = 8 };
    MPI_Aint at[N];
    MPI_Datatype members[N], t;
    for (int i = 0; i < N; i++) {
        at[i] = 4096 * i;
        members[i] = MPI_INT;
    }
    for (int i = 0; i < N_CONSTANTS * N_CONSTANTS; i++) {
        const int order = constants[i % N_CONSTANTS], distribution = constants[i / N_CONSTANTS];
        const int lengths[N] = {0, 1, 4, distribution, distribution, N, order, 1};
        MUST(MPI_Type_create_struct(N, lengths, at, members, &t));
        contents(&t, MPI_COMBINER_STRUCT, N + 1, N, N);
        CHECK(ints[0] == N && !memcmp(ints + 1, lengths, sizeof lengths));
        const int places[] = {order, order, distribution};
        MUST(MPI_Type_indexed(3, (int[]){1, 1, order}, places, MPI_INT, &t));
        contents(&t, MPI_COMBINER_INDEXED, 7, 0, 1);
        CHECK(ints[0] == 3 && ints[3] == order && !memcmp(ints + 4, places, sizeof places));
        MUST(MPI_Type_indexed(1, &order, &distribution, MPI_INT, &t));
        memset(ints, 0x55, sizeof ints);
        MUST(MPI_Type_get_contents(t, MAX, 0, 1, ints, addresses, types));
        CHECK(ints[0] == 1 && ints[1] == order && ints[2] == distribution && ints[3] == 0x55555555);
        MUST(MPI_Type_free(&t));
    }
}

/* An array of integers with more room than needed gets the same contents. */
static void with_room(void)
{
    for (int i = 0; i < N_CONSTANTS; i++) {
        const int order = i % 2 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        MPI_Datatype t;
        MUST(MPI_Type_create_subarray(1, (int[]){200}, (int[]){constants[i] + 1}, (int[]){constants[i] / 2}, order, MPI_INT, &t));
        for (int k = 0; k < MAX; k++)
            ints[k] = constants[i];
        MUST(MPI_Type_get_contents(t, MAX, 0, 1, ints, addresses, types));
        CHECK(ints[0] == 1 && ints[1] == 200 && ints[2] == constants[i] + 1 && ints[3] == constants[i] / 2);
        CHECK_INT(ints[4], order);
        CHECK_INT(ints[5], constants[i]);
        MUST(MPI_Type_free(&t));
        MUST(MPI_Type_create_darray(3, 1, 1, (int[]){9}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){2}, (int[]){3}, order, MPI_INT, &t));
        for (int k = 0; k < MAX; k++)
            ints[k] = constants[i];
        MUST(MPI_Type_get_contents(t, MAX, 0, 1, ints, addresses, types));
        CHECK(ints[0] == 3 && ints[1] == 1 && ints[2] == 1 && ints[3] == 9 && ints[5] == 2 && ints[6] == 3);
        CHECK_INT(ints[4], MPI_DISTRIBUTE_CYCLIC);
        CHECK_INT(ints[7], order);
        CHECK_INT(ints[8], constants[i]);
        MUST(MPI_Type_free(&t));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int ni = -1, na = -1, nd = -1, combiner = -1;
    MPI_Datatype t, inner;

    const MPI_Datatype named[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_BYTE, MPI_PACKED, MPI_FLOAT_INT, MPI_2INT,
                                  MPI_LONG_DOUBLE, MPI_INT64_T, MPI_AINT, MPI_COUNT, MPI_C_BOOL, MPI_WCHAR};
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        MUST(MPI_Type_get_envelope(named[i], &ni, &na, &nd, &combiner));
        CHECK_INT(combiner, MPI_COMBINER_NAMED);
        CHECK_INT(ni, 0);
        CHECK_INT(na, 0);
        CHECK_INT(nd, 0);
    }

    /* A predefined handle is returned unchanged. */
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        MUST(MPI_Type_contiguous(7, named[i], &t));
        contents(&t, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
        CHECK_INT(ints[0], 7);
        CHECK(types[0] == named[i]);
    }
    MUST(MPI_Type_vector(2, 3, 4, MPI_DOUBLE, &t));
    contents(&t, MPI_COMBINER_VECTOR, 3, 0, 1);
    CHECK(ints[0] == 2 && ints[1] == 3 && ints[2] == 4 && types[0] == MPI_DOUBLE);
    MUST(MPI_Type_create_hvector(2, 3, 44, MPI_CHAR, &t));
    contents(&t, MPI_COMBINER_HVECTOR, 2, 1, 1);
    CHECK(ints[0] == 2 && ints[1] == 3 && addresses[0] == 44 && types[0] == MPI_CHAR);
    MUST(MPI_Type_indexed(2, (int[]){5, 6}, (int[]){70, 80}, MPI_SHORT, &t));
    contents(&t, MPI_COMBINER_INDEXED, 5, 0, 1);
    CHECK(ints[0] == 2 && ints[1] == 5 && ints[2] == 6 && ints[3] == 70 && ints[4] == 80 && types[0] == MPI_SHORT);
    MUST(MPI_Type_create_hindexed(2, (int[]){5, 6}, (MPI_Aint[]){700, 800}, MPI_LONG, &t));
    contents(&t, MPI_COMBINER_HINDEXED, 3, 2, 1);
    CHECK(ints[0] == 2 && ints[1] == 5 && ints[2] == 6 && addresses[0] == 700 && addresses[1] == 800);
    CHECK(types[0] == MPI_LONG);
    MUST(MPI_Type_create_indexed_block(2, 9, (int[]){20, 30}, MPI_FLOAT, &t));
    contents(&t, MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1);
    CHECK(ints[0] == 2 && ints[1] == 9 && ints[2] == 20 && ints[3] == 30 && types[0] == MPI_FLOAT);
    MUST(MPI_Type_create_hindexed_block(2, 9, (MPI_Aint[]){200, 300}, MPI_FLOAT, &t));
    contents(&t, MPI_COMBINER_HINDEXED_BLOCK, 2, 2, 1);
    CHECK(ints[0] == 2 && ints[1] == 9 && addresses[0] == 200 && addresses[1] == 300 && types[0] == MPI_FLOAT);
    MUST(MPI_Type_create_struct(3, (int[]){1, 2, 3}, (MPI_Aint[]){0, 16, 64},
                                (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_INT}, &t));
    contents(&t, MPI_COMBINER_STRUCT, 4, 3, 3);
    CHECK(ints[0] == 3 && ints[1] == 1 && ints[2] == 2 && ints[3] == 3);
    CHECK(addresses[0] == 0 && addresses[1] == 16 && addresses[2] == 64);
    CHECK(types[0] == MPI_INT && types[1] == MPI_DOUBLE && types[2] == MPI_INT);
    MUST(MPI_Type_create_resized(MPI_INT, -8, 32, &t));
    contents(&t, MPI_COMBINER_RESIZED, 0, 2, 1);
    CHECK(addresses[0] == -8 && addresses[1] == 32 && types[0] == MPI_INT);
    MUST(MPI_Type_dup(MPI_DOUBLE, &t));
    CHECK(t != MPI_DOUBLE);
    contents(&t, MPI_COMBINER_DUP, 0, 0, 1);
    CHECK(types[0] == MPI_DOUBLE);
    for (int fortran = 0; fortran < 2; fortran++) {
        const int order = fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
        MUST(MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 2}, order, MPI_INT, &t));
        contents(&t, MPI_COMBINER_SUBARRAY, 8, 0, 1);
        CHECK(ints[0] == 2 && ints[1] == 4 && ints[2] == 6 && ints[3] == 2 && ints[4] == 3 && ints[5] == 1 && ints[6] == 2);
        CHECK_INT(ints[7], order);
        CHECK(types[0] == MPI_INT);
        MUST(MPI_Type_create_darray(4, 3, 3, (int[]){8, 9, 10},
                                    (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                                    (int[]){MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2, 1},
                                    order, MPI_DOUBLE, &t));
        contents(&t, MPI_COMBINER_DARRAY, 16, 0, 1);
        CHECK(ints[0] == 4 && ints[1] == 3 && ints[2] == 3 && ints[3] == 8 && ints[4] == 9 && ints[5] == 10);
        CHECK_INT(ints[6], MPI_DISTRIBUTE_BLOCK);
        CHECK_INT(ints[7], MPI_DISTRIBUTE_CYCLIC);
        CHECK_INT(ints[8], MPI_DISTRIBUTE_NONE);
        CHECK_INT(ints[9], MPI_DISTRIBUTE_DFLT_DARG);
        CHECK_INT(ints[10], 2);
        CHECK_INT(ints[11], MPI_DISTRIBUTE_DFLT_DARG);
        CHECK(ints[12] == 2 && ints[13] == 2 && ints[14] == 1);
        CHECK_INT(ints[15], order);
        CHECK(types[0] == MPI_DOUBLE);
    }

    structures_alike();
    with_room();

    /* A derived type is returned as a new handle, which must be freed, and works. */
    for (int round = 0; round < 100; round++) {
        MPI_Datatype outer;
        int bytes = -1;
        MUST(MPI_Type_contiguous(3, MPI_INT, &inner));
        MUST(MPI_Type_create_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){0, 100, 200},
                                    (MPI_Datatype[]){inner, MPI_INT, inner}, &outer));
        if (round % 2)
            MUST(MPI_Type_free(&inner)); /* the outer type keeps it alive */
        contents(&outer, MPI_COMBINER_STRUCT, 4, 3, 3);
        CHECK(types[1] == MPI_INT);
        for (int i = 0; i < 3; i += 2) {
            MPI_Datatype got = types[i];
            CHECK(got != MPI_DATATYPE_NULL && got != MPI_INT);
            MUST(MPI_Type_size(got, &bytes));
            CHECK_INT(bytes, 3 * (int)sizeof(int));
            MUST(MPI_Type_get_envelope(got, &ni, &na, &nd, &combiner));
            CHECK_INT(combiner, MPI_COMBINER_CONTIGUOUS);
        }
        MUST(MPI_Type_free(&types[0]));
        CHECK(types[0] == MPI_DATATYPE_NULL);
        MUST(MPI_Type_size(types[2], &bytes)); /* freeing one does not affect the other */
        CHECK_INT(bytes, 3 * (int)sizeof(int));
        MUST(MPI_Type_free(&types[2]));
        if (round % 2 == 0) {
            MUST(MPI_Type_size(inner, &bytes));
            CHECK_INT(bytes, 3 * (int)sizeof(int));
            MUST(MPI_Type_free(&inner));
        }
    }
    return check_done("type_contents");
}
