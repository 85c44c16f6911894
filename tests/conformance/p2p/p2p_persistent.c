/* Persistent requests of every mode, started one by one and together (MPI-3.1, 3.9). */
#include "check.h"

typedef int (*init_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void ring(init_fn send_init, int tag)
{
    int next = (rank + 1) % size, prev = (rank + size - 1) % size, out = 0, in = -1;
    MPI_Request send, receive, send_before, receive_before;
    MPI_Status status;
    MUST(send_init(&out, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &send));
    MUST(MPI_Recv_init(&in, 1, MPI_INT, prev, tag, MPI_COMM_WORLD, &receive));
    CHECK(send != MPI_REQUEST_NULL && receive != MPI_REQUEST_NULL);
    send_before = send;
    receive_before = receive;
    for (int round = 0; round < 20; round++) {
        out = 1000 * tag + 10 * round + rank;
        in = -1;
        MUST(MPI_Start(&receive));
        MUST(MPI_Barrier(MPI_COMM_WORLD));
        MUST(MPI_Start(&send));
        MUST(MPI_Wait(&send, MPI_STATUS_IGNORE));
        MUST(MPI_Wait(&receive, &status));
        CHECK_INT(in, 1000 * tag + 10 * round + prev);
        CHECK_INT(status.MPI_SOURCE, prev);
        CHECK_INT(status.MPI_TAG, tag);
        /* The handles are unchanged. */
        CHECK(send == send_before && receive == receive_before);
    }
    MUST(MPI_Request_free(&send));
    MUST(MPI_Request_free(&receive));
    CHECK(send == MPI_REQUEST_NULL && receive == MPI_REQUEST_NULL);
}

static void together(void)
{
    enum { N = 8 };
    int out[N], in[N], index = -1, flag = -1;
    MPI_Request requests[2 * N], before[2 * N];
    MPI_Status statuses[2 * N];
    for (int i = 0; i < N; i++) {
        MUST(MPI_Recv_init(&in[i], 1, MPI_INT, size - 1 - rank, 300 + i, MPI_COMM_WORLD, &requests[i]));
        MUST(MPI_Send_init(&out[i], 1, MPI_INT, size - 1 - rank, 300 + i, MPI_COMM_WORLD, &requests[N + i]));
    }
    memcpy(before, requests, sizeof before);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            out[i] = 100 * round + 10 * i + rank;
            in[i] = -1;
        }
        MUST(MPI_Startall(2 * N, requests));
        CHECK(memcmp(before, requests, sizeof before) == 0);
        MUST(MPI_Waitall(2 * N, requests, statuses));
        CHECK(memcmp(before, requests, sizeof before) == 0);
        for (int i = 0; i < N; i++) {
            CHECK_INT(in[i], 100 * round + 10 * i + size - 1 - rank);
            CHECK_INT(statuses[i].MPI_TAG, 300 + i);
        }
    }
    /* All are inactive now. */
    MUST(MPI_Waitany(2 * N, requests, &index, MPI_STATUS_IGNORE));
    CHECK_INT(index, MPI_UNDEFINED);
    MUST(MPI_Testall(2 * N, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK_INT(flag, 1);
    CHECK(memcmp(before, requests, sizeof before) == 0);

    /* Waitany and Waitsome leave a completed persistent request inactive, not null. */
    MUST(MPI_Startall(2 * N, requests));
    for (int i = 0; i < 2 * N; i++) {
        MUST(MPI_Waitany(2 * N, requests, &index, MPI_STATUS_IGNORE));
        CHECK(index >= 0 && index < 2 * N);
        CHECK(memcmp(before, requests, sizeof before) == 0);
    }
    MUST(MPI_Waitany(2 * N, requests, &index, MPI_STATUS_IGNORE));
    CHECK_INT(index, MPI_UNDEFINED);
    MUST(MPI_Startall(2 * N, requests));
    for (int total = 0, outcount, indices[2 * N]; total < 2 * N; total += outcount) {
        MUST(MPI_Waitsome(2 * N, requests, &outcount, indices, MPI_STATUSES_IGNORE));
        CHECK(outcount > 0);
        if (outcount <= 0)
            break;
    }
    for (int i = 0; i < 2 * N; i++)
        MUST(MPI_Request_free(&requests[i]));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int room = 100 * (int)sizeof(int) + 100 * MPI_BSEND_OVERHEAD;
    void *buffer = malloc(room);
    int detached = 0;
    MUST(MPI_Buffer_attach(buffer, room));
    ring(MPI_Send_init, 1);
    ring(MPI_Bsend_init, 2);
    ring(MPI_Ssend_init, 3);
    ring(MPI_Rsend_init, 4);
    together();
    MUST(MPI_Buffer_detach(&buffer, &detached));
    CHECK_INT(detached, room);
    free(buffer);
    return check_done("p2p_persistent");
}
