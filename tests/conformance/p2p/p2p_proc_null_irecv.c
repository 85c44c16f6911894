/* A nonblocking receive from MPI_PROC_NULL completes with its status (MPI-3.1, 3.11). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int data = 5, count = -1;
    MPI_Status status;
    MPI_Request request;
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 0);
    CHECK_INT(data, 5);
    return check_done("p2p_proc_null_irecv");
}
