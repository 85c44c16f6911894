/* A nonblocking broadcast between two groups (MPI-3.1, 5.12.2). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size == 1)
        return check_done("coll_intercomm_ibcast"); /* two groups need two processes */
    MPI_Comm half, inter;
    MPI_Request request;
    const int low = rank < size / 2;
    int local = -1, local_size = -1;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half));
    MUST(MPI_Comm_rank(half, &local));
    MUST(MPI_Comm_size(half, &local_size));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 12, &inter));
    for (int from_low = 0; from_low < 2; from_low++) {
        const int mine = low == from_low, last = (from_low ? size / 2 : size - size / 2) - 1;
        const int root = mine ? (local == last ? MPI_ROOT : MPI_PROC_NULL) : last;
        int value = root == MPI_ROOT ? 600 + from_low : -1;
        MUST(MPI_Ibcast(&value, 1, MPI_INT, root, inter, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(value, root == MPI_ROOT || !mine ? 600 + from_low : -1);
    }
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
    return check_done("coll_intercomm_ibcast");
}
