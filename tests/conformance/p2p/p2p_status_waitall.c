/* After a successful MPI_Waitall every library sets MPI_ERROR in each status to MPI_SUCCESS, and programs read it. */
#include "check.h"

#define MANY 40

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    static const int counts[] = {1, 2, 3, 7, 32, 33, MANY};
    int in[MANY], out[MANY];
    MPI_Request requests[MANY];
    MPI_Status statuses[MANY];

    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int persistent = 0; persistent < 2; persistent++) {
            const int n = counts[c] / 2, all = 2 * n + counts[c] % 2;
            for (int i = 0; i < n; i++) {
                if (persistent) {
                    MUST(MPI_Recv_init(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[2 * i]));
                    MUST(MPI_Send_init(&out[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[2 * i + 1]));
                    MUST(MPI_Startall(2, &requests[2 * i]));
                } else {
                    MUST(MPI_Irecv(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[2 * i]));
                    MUST(MPI_Isend(&out[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[2 * i + 1]));
                }
            }
            if (all > 2 * n)
                MUST(MPI_Ibarrier(MPI_COMM_WORLD, &requests[2 * n]));
            for (int i = 0; i < all; i++)
                statuses[i].MPI_ERROR = MPI_ERR_OTHER;
            MUST(MPI_Waitall(all, requests, statuses));
            for (int i = 0; i < all; i++)
                CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
            for (int i = 0; i < 2 * n && persistent; i++)
                MUST(MPI_Request_free(&requests[i]));
        }
    return check_done("p2p_status_waitall");
}
