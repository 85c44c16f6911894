/* The request of a one-sided operation may reuse the handle of a persistent collective's request. */
#include "persistent.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Request r;
    MPI_Win win;
    _Alignas(16) int mine = rank; /* MPICH 4.0.2 assumes that a window's memory begins at a multiple of 16 */
    int got = -1;
    MUST(MPI_Win_create(&mine, sizeof mine, sizeof mine, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
#if HAVE_PERSISTENT_COLLECTIVES
    MUST(MPI_Allreduce_init(&mine, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    MUST(MPI_Start(&r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    MUST(MPI_Request_free(&r));
    CHECK_INT(got, size - 1);
#endif
    if (rank == 0)
        usleep(100000); /* so that the other ranks wait before their data arrives */
    MUST(MPI_Rget(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r));
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK_INT(got, 0);
    MUST(MPI_Win_unlock(0, win));
    MUST(MPI_Win_free(&win));
    return check_done("rma_reused");
}
