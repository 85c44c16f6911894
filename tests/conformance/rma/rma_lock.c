/* Passive target: lock, lock_all, the flushes; atomic operations; operations with requests. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int *memory, right = (rank + 1) % size;
    MPI_Win win;

    MUST(MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    memset(memory, 0, 16 * sizeof(int));
    MUST(MPI_Win_unlock(rank, win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    /* A counter at rank 0: each value is returned once. */
    int one = 1, before = -1, seen[4], all[4];
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    MUST(MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win));
    MUST(MPI_Win_flush(0, win));
    CHECK(before >= 0 && before < size);
    MUST(MPI_Win_unlock(0, win));
    MUST(MPI_Allgather(&before, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < size; i++)
        seen[all[i]]++;
    for (int i = 0; i < size; i++)
        CHECK_INT(seen[i], 1);
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win));
    before = -1;
    MUST(MPI_Fetch_and_op(NULL, &before, MPI_INT, 0, 0, MPI_NO_OP, win));
    MUST(MPI_Win_unlock(0, win));
    CHECK_INT(before, size);

    /* Only one rank's swap finds the old value. */
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    int mine = rank + 100, zero = 0, found = -1, winners, won;
    MUST(MPI_Win_lock_all(0, win));
    MUST(MPI_Compare_and_swap(&mine, &zero, &found, MPI_INT, 0, 1, win));
    MUST(MPI_Win_flush_all(win));
    won = found == 0;
    MUST(MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(winners, 1);
    CHECK(found == 0 || (found >= 100 && found < 100 + size));

    /* A neighbor's memory, with each of the flush functions. */
    int sent = 7 * rank, got = -1;
    MUST(MPI_Put(&sent, 1, MPI_INT, right, 2, 1, MPI_INT, win));
    MUST(MPI_Win_flush(right, win));
    MUST(MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, win));
    MUST(MPI_Win_flush_local(right, win));
    CHECK_INT(got, 7 * rank);
    int many[3] = {1, 2, 3}, results[3] = {-1, -1, -1};
    MUST(MPI_Get_accumulate(many, 3, MPI_INT, results, 3, MPI_INT, right, 4, 3, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_flush_local_all(win));
    CHECK(results[0] == 0 && results[1] == 0 && results[2] == 0);
    MUST(MPI_Win_flush_all(win));
    MUST(MPI_Get_accumulate(NULL, 0, MPI_INT, results, 3, MPI_INT, right, 4, 3, MPI_INT, MPI_NO_OP, win));
    MUST(MPI_Win_flush(right, win));
    CHECK(results[0] == 1 && results[1] == 2 && results[2] == 3);

    /* The same with requests. */
    MPI_Request requests[4];
    MPI_Status status;
    int put = 900 + rank, got2 = -1, acc = 5, old = -1;
    MUST(MPI_Rput(&put, 1, MPI_INT, right, 8, 1, MPI_INT, win, &requests[0]));
    CHECK(requests[0] != MPI_REQUEST_NULL);
    MUST(MPI_Wait(&requests[0], &status));
    CHECK(requests[0] == MPI_REQUEST_NULL);
    MUST(MPI_Win_flush(right, win));
    MUST(MPI_Rget(&got2, 1, MPI_INT, right, 8, 1, MPI_INT, win, &requests[1]));
    MUST(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CHECK_INT(got2, 900 + rank);
    MUST(MPI_Raccumulate(&acc, 1, MPI_INT, right, 8, 1, MPI_INT, MPI_SUM, win, &requests[2]));
    MUST(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    MUST(MPI_Win_flush(right, win));
    MUST(MPI_Rget_accumulate(&acc, 1, MPI_INT, &old, 1, MPI_INT, right, 8, 1, MPI_INT, MPI_SUM, win, &requests[3]));
    MUST(MPI_Waitall(1, &requests[3], MPI_STATUSES_IGNORE));
    CHECK_INT(old, 905 + rank);
    MUST(MPI_Win_flush_all(win));
    /* Several at once. */
    int values[4] = {-1, -1, -1, -1};
    for (int i = 0; i < 4; i++)
        MUST(MPI_Rget(&values[i], 1, MPI_INT, right, i == 3 ? 8 : 4 + i, 1, MPI_INT, win, &requests[i]));
    MUST(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3 && values[3] == 910 + rank);
    for (int i = 0; i < 4; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
    MUST(MPI_Win_sync(win));
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_INT(memory[8], 910 + (rank + size - 1) % size);
    MUST(MPI_Win_free(&win));

    /* Memory from MPI_Alloc_mem in a window. */
    double *special = NULL;
    MUST(MPI_Alloc_mem(8 * sizeof(double), MPI_INFO_NULL, &special));
    CHECK(special != NULL);
    for (int i = 0; i < 8; i++)
        special[i] = rank + i / 8.0;
    MUST(MPI_Win_create(special, 8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    double value = -1;
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    MUST(MPI_Get(&value, 1, MPI_DOUBLE, right, 3, 1, MPI_DOUBLE, win));
    MUST(MPI_Win_unlock(right, win));
    CHECK(value == right + 0.375);
    MUST(MPI_Win_free(&win));
    MUST(MPI_Free_mem(special));
    return check_done("rma_lock");
}
