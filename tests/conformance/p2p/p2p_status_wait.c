/* Wait and Test of one request do not change MPI_ERROR in the status (MPI-3.1, 3.2.5). */
#include "check.h"

static const int untouched = 987654321;

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int data[4] = {1, 2, 3, 4}, in[8] = {0}, flag = -1;
    MPI_Status status;
    MPI_Request request;

    MUST(MPI_Irecv(in, 8, MPI_INT, rank, 22, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(data, 4, MPI_INT, rank, 22, MPI_COMM_WORLD));
    status.MPI_ERROR = untouched;
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    CHECK_INT(status.MPI_TAG, 22);
    MUST(MPI_Irecv(in, 8, MPI_INT, rank, 23, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(data, 4, MPI_INT, rank, 23, MPI_COMM_WORLD));
    status.MPI_ERROR = untouched;
    for (flag = 0; !flag;)
        MUST(MPI_Test(&request, &flag, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    CHECK_INT(status.MPI_TAG, 23);
    return check_done("p2p_status_wait");
}
