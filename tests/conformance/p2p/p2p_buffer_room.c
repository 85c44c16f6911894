/* Ten buffered messages of ten ints in 2000 bytes, which is enough for every library, whatever MPI_BSEND_OVERHEAD its
   mpi.h has (MPI-3.1, 3.6). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    enum { MESSAGES = 10, N = 10 };
    static int buffer[500];
    int data[N], in[N], detached_size = -1;
    void *detached = NULL;
    MUST(MPI_Buffer_attach(buffer, sizeof buffer));
    for (int m = 0; m < MESSAGES; m++) {
        for (int i = 0; i < N; i++)
            data[i] = 100 * m + i;
        MUST(MPI_Bsend(data, N, MPI_INT, rank, m, MPI_COMM_WORLD));
    }
    for (int m = 0; m < MESSAGES; m++) {
        MUST(MPI_Recv(in, N, MPI_INT, rank, m, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_INT(in[N - 1], 100 * m + N - 1);
    }
    MUST(MPI_Buffer_detach(&detached, &detached_size));
    CHECK(detached == buffer);
    CHECK_INT(detached_size, (int)sizeof buffer);
    return check_done("p2p_buffer_room");
}
