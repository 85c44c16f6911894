/* Accumulate operations of one origin on one location happen in the order in which they were started (MPI-3.1, 11.7.2).
   Info keys relax that order (11.2.1). */
#include "check.h"

enum { TURNS = 200 };

static void ordered(MPI_Info info)
{
    int *memory, got[TURNS], values[TURNS], one = 1;
    MPI_Win win;
    MUST(MPI_Win_allocate(2 * sizeof(int) * (MPI_Aint)size, sizeof(int), info, MPI_COMM_WORLD, &memory, &win));
    const int target = (rank + 1) % size, place = 2 * rank;
    for (int i = 0; i < 2 * size; i++)
        memory[i] = -1;
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    for (int i = 0; i < TURNS; i++) {
        /* Write after read, read after write, write after write: the sum has this round's values. */
        values[i] = 10 * i;
        MUST(MPI_Accumulate(&values[i], 1, MPI_INT, target, place, 1, MPI_INT, MPI_REPLACE, win));
        MUST(MPI_Accumulate(&one, 1, MPI_INT, target, place, 1, MPI_INT, MPI_SUM, win));
        MUST(MPI_Get_accumulate(&one, 1, MPI_INT, &got[i], 1, MPI_INT, target, place, 1, MPI_INT, MPI_SUM, win));
    }
    MUST(MPI_Win_unlock(target, win));
    for (int i = 0; i < TURNS; i++)
        CHECK_INT(got[i], 10 * i + 1);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    int last = -1;
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    MUST(MPI_Fetch_and_op(NULL, &last, MPI_INT, target, place, MPI_NO_OP, win));
    MUST(MPI_Win_unlock(target, win));
    CHECK_INT(last, 10 * (TURNS - 1) + 2);
    MUST(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Info info;
    ordered(MPI_INFO_NULL);
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "accumulate_ordering", "rar,raw,war,waw"));
    ordered(info);
    /* Sums do not depend on the order. (MPICH 4.0.2 assumes that memory begins at a multiple of 16.) */
    MUST(MPI_Info_set(info, "accumulate_ordering", "none"));
    static _Alignas(16) int sum;
    int mine = rank + 1;
    MPI_Win win;
    MUST(MPI_Win_create(&sum, sizeof sum, sizeof sum, info, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_fence(0, win));
    for (int i = 0; i < size; i++)
        MUST(MPI_Accumulate(&mine, 1, MPI_INT, i, 0, 1, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    CHECK_INT(sum, size * (size + 1) / 2);
    MUST(MPI_Win_free(&win));
    MUST(MPI_Info_free(&info));
    return check_done("rma_ordering");
}
