/* Every send mode, blocking and nonblocking, to the same rank and around a ring (MPI-3.1, 3.2, 3.4, 3.7). */
#include "check.h"

enum { N = 1000 };

typedef int (*send_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*isend_fn)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void fill(int *data, int seed)
{
    for (int i = 0; i < N; i++)
        data[i] = seed * 10000 + i;
}

static int holds(const int *data, int seed)
{
    for (int i = 0; i < N; i++)
        if (data[i] != seed * 10000 + i)
            return 0;
    return 1;
}

static void blocking(send_fn send, int tag)
{
    int out[N], in[N] = {0};
    int next = (rank + 1) % size, prev = (rank + size - 1) % size, count = -1;
    MPI_Request receive;
    MPI_Status status;
    fill(out, rank + tag);
    MUST(MPI_Irecv(in, N, MPI_INT, prev, tag, MPI_COMM_WORLD, &receive));
    MUST(MPI_Barrier(MPI_COMM_WORLD)); /* a ready send requires that the receive is posted */
    MUST(send(out, N, MPI_INT, next, tag, MPI_COMM_WORLD));
    MUST(MPI_Wait(&receive, &status));
    CHECK(receive == MPI_REQUEST_NULL);
    CHECK(holds(in, prev + tag));
    CHECK_INT(status.MPI_SOURCE, prev);
    CHECK_INT(status.MPI_TAG, tag);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, N);
}

static void nonblocking(isend_fn isend, int tag)
{
    int out[N], in[N] = {0};
    int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    fill(out, rank + tag);
    MUST(MPI_Irecv(in, N, MPI_INT, prev, tag, MPI_COMM_WORLD, &requests[0]));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(isend(out, N, MPI_INT, next, tag, MPI_COMM_WORLD, &requests[1]));
    CHECK(requests[1] != MPI_REQUEST_NULL);
    MUST(MPI_Waitall(2, requests, statuses));
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK(holds(in, prev + tag));
    CHECK_INT(statuses[0].MPI_SOURCE, prev);
    CHECK_INT(statuses[0].MPI_TAG, tag);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int room = 4 * (N * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc(room), *detached = NULL;
    int detached_size = -1;
    MUST(MPI_Buffer_attach(buffer, room));
    blocking(MPI_Send, 1);
    blocking(MPI_Bsend, 2);
    blocking(MPI_Ssend, 3);
    blocking(MPI_Rsend, 4);
    nonblocking(MPI_Isend, 11);
    nonblocking(MPI_Ibsend, 12);
    nonblocking(MPI_Issend, 13);
    nonblocking(MPI_Irsend, 14);
    MUST(MPI_Buffer_detach(&detached, &detached_size));
    CHECK(detached == buffer);
    CHECK_INT(detached_size, room);
    free(buffer);

    /* Zero elements, the largest tag that every library has, and wildcards. */
    int flag = 0, *ub = NULL, count = -1;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag));
    CHECK(flag && *ub >= 32767);
    MPI_Request request;
    MPI_Status status;
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Irecv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(NULL, 0, MPI_INT, size - 1 - rank, *ub, MPI_COMM_WORLD));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(status.MPI_SOURCE, size - 1 - rank);
    CHECK_INT(status.MPI_TAG, *ub);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 0);
    MUST(MPI_Barrier(MPI_COMM_WORLD)); /* no later message may match the wildcards */

    /* MPI_BOTTOM with an absolute address on both sides. */
    int sent = 77 + rank, received = -1;
    MPI_Aint address;
    MPI_Datatype at_sent, at_received;
    const int one = 1;
    MUST(MPI_Get_address(&sent, &address));
    MUST(MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &at_sent));
    MUST(MPI_Type_commit(&at_sent));
    MUST(MPI_Get_address(&received, &address));
    MUST(MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &at_received));
    MUST(MPI_Type_commit(&at_received));
    MUST(MPI_Irecv(MPI_BOTTOM, 1, at_received, rank, 5, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(MPI_BOTTOM, 1, at_sent, rank, 5, MPI_COMM_WORLD));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(received, 77 + rank);
    MUST(MPI_Type_free(&at_sent));
    MUST(MPI_Type_free(&at_received));
    CHECK(at_sent == MPI_DATATYPE_NULL && at_received == MPI_DATATYPE_NULL);

    /* A message long enough for the rendezvous protocol. */
    enum { LONG = 1 << 20 };
    char *out = malloc(LONG), *in = calloc(1, LONG);
    memset(out, 'a' + rank, LONG);
    MUST(MPI_Irecv(in, LONG, MPI_CHAR, (rank + size - 1) % size, 6, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(out, LONG, MPI_CHAR, (rank + 1) % size, 6, MPI_COMM_WORLD));
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(in[0], 'a' + (rank + size - 1) % size);
    CHECK_INT(in[LONG - 1], 'a' + (rank + size - 1) % size);
    MUST(MPI_Get_count(&status, MPI_CHAR, &count));
    CHECK_INT(count, LONG);
    free(out);
    free(in);
    return check_done("p2p_modes");
}
