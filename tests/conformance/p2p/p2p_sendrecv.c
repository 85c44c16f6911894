/* Sendrecv, Sendrecv_replace and, if they exist, their nonblocking forms (MPI-3.1, 3.10; MPI-4.0, 3.11). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int out[3] = {rank, rank + 10, rank + 20}, in[5] = {0}, count = -1;
    MPI_Status status;

    MUST(MPI_Sendrecv(out, 3, MPI_INT, next, 5, in, 5, MPI_INT, prev, 5, MPI_COMM_WORLD, &status));
    CHECK_INT(in[2], prev + 20);
    CHECK_INT(status.MPI_SOURCE, prev);
    CHECK_INT(status.MPI_TAG, 5);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Sendrecv(out, 1, MPI_INT, next, 6, in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    CHECK_INT(in[0], prev);
    MUST(MPI_Barrier(MPI_COMM_WORLD));

    /* An open line: its ends have no neighbor. */
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    in[0] = -5;
    MUST(MPI_Sendrecv(out, 1, MPI_INT, right, 7, in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &status));
    CHECK_INT(in[0], rank > 0 ? rank - 1 : -5);
    CHECK_INT(status.MPI_SOURCE, left);

    int both[2] = {rank, -rank};
    MUST(MPI_Sendrecv_replace(both, 2, MPI_INT, next, 8, prev, 8, MPI_COMM_WORLD, &status));
    CHECK_INT(both[0], prev);
    CHECK_INT(both[1], -prev);
    CHECK_INT(status.MPI_SOURCE, prev);
    both[0] = 3;
    MUST(MPI_Sendrecv_replace(both, 2, MPI_INT, MPI_PROC_NULL, 8, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &status));
    CHECK_INT(both[0], 3);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);

#if HAVE_ISENDRECV
    MPI_Request request;
    memset(in, 0, sizeof in);
    MUST(MPI_Isendrecv(out, 3, MPI_INT, next, 9, in, 5, MPI_INT, prev, 9, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(in[1], prev + 10);
    both[0] = rank + 40;
    MUST(MPI_Isendrecv_replace(both, 2, MPI_INT, next, 10, prev, 10, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(both[0], prev + 40);
#endif
    return check_done("p2p_sendrecv");
}
