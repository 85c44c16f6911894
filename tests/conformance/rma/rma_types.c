/* Accumulate over predefined types and operations; derived types in windows. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    struct {
        int i[8];
        double d[8];
        long l[8];
        unsigned char b[8];
    } memory;
    MPI_Win win;
    memset(&memory, 0, sizeof memory);
    memory.i[1] = 1;
    memory.i[2] = -1;
    memory.d[1] = 1;
    memory.l[1] = 3;
    memory.b[0] = 0xf0;
    MUST(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    char *base = (char *)&memory;
#define AT(member) ((char *)&memory.member - base)
    int ten = 10, two = 2, bits = 1 << rank;
    double half = 0.5, three = 3;
    long four = 4;
    unsigned char mask = 0x3c;
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Accumulate(&ten, 1, MPI_INT, 0, AT(i[0]), 1, MPI_INT, MPI_SUM, win));
    MUST(MPI_Accumulate(&two, 1, MPI_INT, 0, AT(i[1]), 1, MPI_INT, MPI_PROD, win));
    MUST(MPI_Accumulate(&ten, 1, MPI_INT, 0, AT(i[2]), 1, MPI_INT, MPI_MIN, win));
    MUST(MPI_Accumulate(&bits, 1, MPI_INT, 0, AT(i[3]), 1, MPI_INT, MPI_BOR, win));
    MUST(MPI_Accumulate(&bits, 1, MPI_INT, 0, AT(i[4]), 1, MPI_INT, MPI_BXOR, win));
    MUST(MPI_Accumulate(&two, 1, MPI_INT, 0, AT(i[5]), 1, MPI_INT, MPI_LOR, win));
    MUST(MPI_Accumulate(&half, 1, MPI_DOUBLE, 0, AT(d[0]), 1, MPI_DOUBLE, MPI_SUM, win));
    MUST(MPI_Accumulate(&three, 1, MPI_DOUBLE, 0, AT(d[1]), 1, MPI_DOUBLE, MPI_MAX, win));
    MUST(MPI_Accumulate(&four, 1, MPI_LONG, 0, AT(l[1]), 1, MPI_LONG, MPI_SUM, win));
    MUST(MPI_Accumulate(&mask, 1, MPI_BYTE, 0, AT(b[0]), 1, MPI_BYTE, MPI_BAND, win));
    MUST(MPI_Win_fence(0, win));
    if (rank == 0) {
        CHECK_INT(memory.i[0], 10 * size);
        CHECK_INT(memory.i[1], 1 << size);
        CHECK_INT(memory.i[2], -1);
        CHECK_INT(memory.i[3], (1 << size) - 1);
        CHECK_INT(memory.i[4], (1 << size) - 1);
        CHECK_INT(memory.i[5], 1);
        CHECK(memory.d[0] == 0.5 * size);
        CHECK(memory.d[1] == 3);
        CHECK_INT(memory.l[1], 3 + 4 * size);
        CHECK_INT(memory.b[0], 0x30);
    }
    /* A derived type at the target. */
    MPI_Datatype pair;
    MUST(MPI_Type_vector(2, 1, 4, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    int both[2] = {1, 100};
    memory.i[3] = memory.i[7] = 0;
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Accumulate(both, 2, MPI_INT, 0, AT(i[3]), 1, pair, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    if (rank == 0) {
        CHECK_INT(memory.i[3], size);
        CHECK_INT(memory.i[7], 100 * size);
    }
    MUST(MPI_Type_free(&pair));
    MUST(MPI_Win_free(&win));
    return check_done("rma_types");
}
