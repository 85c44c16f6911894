/* Active target: fence with its asserts, post/start/complete/wait, test; put, get, accumulate with derived types. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int memory[16], right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win win;
    MPI_Datatype every_other, half;

    memset(memory, 0, sizeof memory);
    MUST(MPI_Type_vector(4, 1, 2, MPI_INT, &every_other));
    MUST(MPI_Type_commit(&every_other));
    MUST(MPI_Type_contiguous(2, MPI_INT, &half));
    MUST(MPI_Type_commit(&half));
    MUST(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));

    int four[4] = {rank, rank + 10, rank + 20, rank + 30};
    MUST(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win));
    MUST(MPI_Put(four, 4, MPI_INT, right, 1, 1, every_other, win));
    MUST(MPI_Win_fence(MPI_MODE_NOSTORE, win));
    for (int i = 0; i < 4; i++) {
        CHECK_INT(memory[1 + 2 * i], left + 10 * i);
        CHECK_INT(memory[2 + 2 * i], 0);
    }
    int got[4] = {-1, -1, -1, -1};
    MUST(MPI_Get(got, 2, half, right, 1, 1, every_other, win));
    MUST(MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE, win));
    for (int i = 0; i < 4; i++)
        CHECK_INT(got[i], rank + 10 * i);

    /* All ranks add into rank 0; then a maximum, then a replacement. */
    memory[0] = 0;
    int add = rank + 1;
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Accumulate(&add, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    if (rank == 0)
        CHECK_INT(memory[0], size * (size + 1) / 2);
    MUST(MPI_Win_fence(0, win));
    add = 500 + rank;
    MUST(MPI_Accumulate(&add, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAX, win));
    MUST(MPI_Win_fence(0, win));
    if (rank == 0)
        CHECK_INT(memory[0], 500 + size - 1);
    MUST(MPI_Win_fence(0, win)); /* no rank writes memory that another reads */
    if (rank == size - 1)
        MUST(MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win));
    MUST(MPI_Win_fence(0, win));
    if (rank == 0)
        CHECK_INT(memory[0], size - 1);

    /* To MPI_PROC_NULL: nothing happens. */
    MUST(MPI_Put(&add, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    MUST(MPI_Get(got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    MUST(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK_INT(got[0], rank);

    /* The right neighbor is the target, the left one the origin. */
    MPI_Group world, to, from;
    int flag;
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Group_incl(world, 1, &right, &to));
    MUST(MPI_Group_incl(world, 1, &left, &from));
    for (int round = 0; round < 3; round++) {
        memory[15] = -1;
        int sent = 40 + rank + round;
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_Win_post(from, round == 2 ? MPI_MODE_NOSTORE : 0, win));
        MUST(MPI_Win_start(to, 0, win));
        MUST(MPI_Put(&sent, 1, MPI_INT, right, 15, 1, MPI_INT, win));
        MUST(MPI_Win_complete(win));
        if (round == 1) {
            flag = 0;
            while (!flag)
                MUST(MPI_Win_test(win, &flag));
            CHECK_INT(flag, 1);
        } else
            MUST(MPI_Win_wait(win));
        CHECK_INT(memory[15], 40 + left + round);
    }
    MUST(MPI_Group_free(&to));
    MUST(MPI_Group_free(&from));
    MUST(MPI_Group_free(&world));
    MUST(MPI_Type_free(&every_other));
    MUST(MPI_Type_free(&half));
    MUST(MPI_Win_free(&win));
    return check_done("rma_fence");
}
