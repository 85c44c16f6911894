/* Buffered sends: attach and detach (MPI-3.1, 3.6). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    int data[100], in[100], packed = -1, detached_size = -1;
    void *detached = NULL;
    MPI_Request request;

    MUST(MPI_Pack_size(100, MPI_INT, MPI_COMM_WORLD, &packed));
    CHECK(packed >= 400);
    const int room = 10 * (packed + MPI_BSEND_OVERHEAD);
    char *buffer = malloc(room);
    for (int i = 0; i < 100; i++)
        data[i] = i + 1000 * rank;

    for (int round = 0; round < 3; round++) {
        MUST(MPI_Buffer_attach(buffer, room));
        for (int i = 0; i < 4; i++)
            MUST(MPI_Bsend(data, 100, MPI_INT, next, 2 + i, MPI_COMM_WORLD));
        for (int i = 0; i < 4; i++) {
            MUST(MPI_Ibsend(data, 100, MPI_INT, next, 20 + i, MPI_COMM_WORLD, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE)); /* done locally: no receive is posted */
        }
        for (int i = 3; i >= 0; i--) {
            memset(in, 0, sizeof in);
            MUST(MPI_Recv(in, 100, MPI_INT, prev, 2 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_INT(in[99], 99 + 1000 * prev);
            memset(in, 0, sizeof in);
            MUST(MPI_Recv(in, 100, MPI_INT, prev, 20 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_INT(in[98], 98 + 1000 * prev);
        }
        MUST(MPI_Buffer_detach(&detached, &detached_size));
        CHECK(detached == buffer);
        CHECK_INT(detached_size, room);
    }
    MUST(MPI_Buffer_attach(buffer, MPI_BSEND_OVERHEAD + 8));
    MUST(MPI_Buffer_detach(&detached, &detached_size));
    CHECK_INT(detached_size, MPI_BSEND_OVERHEAD + 8);
    free(buffer);
    return check_done("p2p_buffer");
}
