/* Large-count one-sided communication with small counts (MPI-4.0, 12). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int *memory = NULL, local[4] = {rank, rank + 10, rank + 20, rank + 30}, got[4], before[4];
    MPI_Win win;
    MPI_Request request;
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 0) {
            MUST(MPI_Win_allocate_c(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
        } else if (kind == 1) {
            MUST(MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &memory));
            MUST(MPI_Win_create_c(memory, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        } else {
            MUST(MPI_Win_allocate_shared_c(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
            MPI_Aint bytes = -1, unit = -1;
            void *base = NULL;
            MUST(MPI_Win_shared_query_c(win, rank, &bytes, &unit, &base));
            CHECK_INT(bytes, 4 * sizeof(int));
            CHECK_INT(unit, sizeof(int));
            CHECK(base == memory);
        }
        for (int i = 0; i < 4; i++)
            memory[i] = -1;
        MUST(MPI_Win_fence(0, win));
        MUST(MPI_Put_c(local, 3, MPI_INT, next, 1, 3, MPI_INT, win));
        MUST(MPI_Win_fence(0, win));
        CHECK_INT(memory[0], -1);
        CHECK_INT(memory[1], prev);
        CHECK_INT(memory[3], prev + 20);
        memset(got, 0, sizeof got);
        MUST(MPI_Get_c(got, 4, MPI_INT, next, 0, 4, MPI_INT, win));
        MUST(MPI_Win_fence(0, win));
        CHECK_INT(got[0], -1);
        CHECK_INT(got[2], rank + 10);
        MUST(MPI_Accumulate_c(local, 1, MPI_INT, next, 1, 1, MPI_INT, MPI_SUM, win));
        MUST(MPI_Win_fence(0, win));
        CHECK_INT(memory[1], 2 * prev);
        MUST(MPI_Win_fence(0, win)); /* the next epoch changes the values that were just read */
        MUST(MPI_Get_accumulate_c(local, 2, MPI_INT, before, 2, MPI_INT, next, 1, 2, MPI_INT, MPI_REPLACE, win));
        MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
        CHECK_INT(before[0], 2 * rank);
        CHECK_INT(before[1], rank + 10);
        CHECK_INT(memory[1], prev);
        CHECK_INT(memory[2], prev + 10);

        /* The same with requests. */
        MUST(MPI_Win_lock_all(0, win));
        MUST(MPI_Rput_c(&local[3], 1, MPI_INT, next, 0, 1, MPI_INT, win, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MUST(MPI_Win_flush(next, win));
        MUST(MPI_Rget_c(got, 1, MPI_INT, next, 0, 1, MPI_INT, win, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(got[0], rank + 30);
        MUST(MPI_Raccumulate_c(&local[1], 1, MPI_INT, next, 0, 1, MPI_INT, MPI_MAX, win, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MUST(MPI_Win_flush(next, win));
        MUST(MPI_Rget_accumulate_c(NULL, 0, MPI_INT, got, 1, MPI_INT, next, 0, 1, MPI_INT, MPI_NO_OP, win, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(got[0], rank + 30);
        MUST(MPI_Win_unlock_all(win));
        MUST(MPI_Win_free(&win));
        CHECK(win == MPI_WIN_NULL);
        if (kind == 1)
            MUST(MPI_Free_mem(memory));
    }
#endif
    return check_done("large_rma");
}
