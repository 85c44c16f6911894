/* Probe and Iprobe do not change MPI_ERROR in the status (MPI-3.1, 3.2.5). */
#include "check.h"

static const int untouched = 987654321;

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int data[2] = {1, 2}, in[2] = {0}, flag = -1;
    MPI_Status status;
    MPI_Request request;

    MUST(MPI_Isend(data, 2, MPI_INT, rank, 24, MPI_COMM_WORLD, &request));
    status.MPI_ERROR = untouched;
    MUST(MPI_Probe(rank, 24, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    CHECK_INT(status.MPI_SOURCE, rank);
    status.MPI_ERROR = untouched;
    for (flag = 0; !flag;)
        MUST(MPI_Iprobe(rank, 24, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    MUST(MPI_Recv(in, 2, MPI_INT, rank, 24, MPI_COMM_WORLD, &status));
    CHECK_INT(in[1], 2);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return check_done("p2p_status_probe");
}
