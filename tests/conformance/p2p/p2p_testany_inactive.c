/* Testany with only null and inactive requests returns the empty status (MPI-3.1, 3.7.5). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int in = -1, index = -1, flag = -1, count = -1;
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status;
    for (int inactive = 0; inactive < 2; inactive++) {
        if (inactive)
            MUST(MPI_Recv_init(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]));
        index = flag = -1;
        memset(&status, 0x55, sizeof status);
        MUST(MPI_Testany(3, requests, &index, &flag, &status));
        CHECK_INT(flag, 1);
        CHECK_INT(index, MPI_UNDEFINED);
        CHECK_INT(status.MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
        MUST(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_INT(count, 0);
    }
    MUST(MPI_Request_free(&requests[1]));
    return check_done("p2p_testany_inactive");
}
