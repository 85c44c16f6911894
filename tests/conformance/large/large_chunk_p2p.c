/*
 * Large-count point-to-point functions (MPI-4.0, 3) with counts beyond the chunk limit that the suite sets for
 * libraries without large counts: every mode, matched and persistent receives, contiguous elements and elements with
 * gaps.
 */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007, TAG = 5 };

static MPI_Datatype gappy; /* the second of every two ints */
static int *out, *in;

static void fill(void)
{
    for (int i = 0; i < 2 * N; i++) {
        out[i] = 1000 * rank + i;
        in[i] = -1;
    }
}

/* Checks the data that a rank sent as gappy elements and this rank received as every step-th int from first on. */
static void came(int from, int first, int step, const MPI_Status *status)
{
    MPI_Count count = -1, elements = -1;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += in[first + step * i] != 1000 * from + 2 * i + 1;
    for (int i = 0; step == 2 && i < N; i++)
        wrong += in[2 * i] != -1;
    CHECK_INT(wrong, 0);
    MUST(MPI_Get_count_c(status, MPI_INT, &count));
    CHECK_INT(count, N);
    MUST(MPI_Get_elements_c(status, MPI_INT, &elements));
    CHECK_INT(elements, N);
    CHECK_INT(status->MPI_SOURCE, from);
}

static void modes(int to, int from)
{
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Message message;
    const MPI_Comm w = MPI_COMM_WORLD;
    const int room = N * (int)sizeof(int) + MPI_BSEND_OVERHEAD + 1000;
    void *buffer = malloc(room), *detached;
    int n, flag = 0;
    MUST(MPI_Buffer_attach(buffer, room));
#define EXCHANGE(receive, send)                             \
    do {                                                    \
        fill();                                             \
        MUST(receive);                                      \
        MUST(send);                                         \
        MUST(MPI_Waitall(2, request, status));              \
    } while (0)
    EXCHANGE(MPI_Irecv_c(in, 2 * N, MPI_INT, from, TAG, w, &request[0]), MPI_Isend_c(out, N, gappy, to, TAG, w, &request[1]));
    came(from, 0, 1, &status[0]);
    EXCHANGE(MPI_Irecv_c(in, N, gappy, from, TAG, w, &request[0]), MPI_Issend_c(out, N, gappy, to, TAG, w, &request[1]));
    came(from, 1, 2, &status[0]);
    EXCHANGE(MPI_Irecv_c(in, N, MPI_INT, from, TAG, w, &request[0]), MPI_Ibsend_c(out, N, gappy, to, TAG, w, &request[1]));
    came(from, 0, 1, &status[0]);
    MUST(MPI_Buffer_detach(&detached, &n));
    MUST(MPI_Buffer_attach(buffer, room));
    fill();
    MUST(MPI_Irecv_c(in, N, gappy, from, TAG, w, &request[0]));
    MUST(MPI_Barrier(w));
    MUST(MPI_Irsend_c(out, N, gappy, to, TAG, w, &request[1]));
    MUST(MPI_Waitall(2, request, status));
    came(from, 1, 2, &status[0]);

    fill();
    MUST(MPI_Bsend_c(out, N, gappy, to, TAG, w));
    MUST(MPI_Recv_c(in, N, MPI_INT, from, TAG, w, &status[0]));
    came(from, 0, 1, &status[0]);
    MUST(MPI_Buffer_detach(&detached, &n));
    fill();
    MUST(MPI_Irecv(in, N, MPI_INT, from, TAG, w, &request[0]));
    MUST(MPI_Barrier(w));
    MUST(MPI_Rsend_c(out, N, gappy, to, TAG, w));
    MUST(MPI_Wait(&request[0], &status[0]));
    came(from, 0, 1, &status[0]);
    fill();
    MUST(MPI_Irecv(in, N, gappy, from, TAG, w, &request[0]));
    MUST(MPI_Ssend_c(out, N, gappy, to, TAG, w));
    MUST(MPI_Wait(&request[0], &status[0]));
    came(from, 1, 2, &status[0]);
    fill();
    MUST(MPI_Irecv(in, N, gappy, from, TAG, w, &request[0]));
    MUST(MPI_Send_c(out, N, gappy, to, TAG, w));
    MUST(MPI_Wait(&request[0], &status[0]));
    came(from, 1, 2, &status[0]);

    /* A matched message, whose length is known before the receive. */
    fill();
    MPI_Count count = -1;
    MUST(MPI_Isend_c(out, N, gappy, to, TAG, w, &request[1]));
    MUST(MPI_Mprobe(from, TAG, w, &message, &status[0]));
    MUST(MPI_Get_count_c(&status[0], MPI_INT, &count));
    CHECK_INT(count, N);
    MUST(MPI_Mrecv_c(in, N, gappy, &message, &status[0]));
    came(from, 1, 2, &status[0]);
    MUST(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    fill();
    MUST(MPI_Isend_c(out, N, gappy, to, TAG, w, &request[1]));
    while (!flag)
        MUST(MPI_Improbe(from, TAG, w, &flag, &message, &status[0]));
    MUST(MPI_Imrecv_c(in, N, MPI_INT, &message, &request[0]));
    MUST(MPI_Waitall(2, request, status));
    came(from, 0, 1, &status[0]);

    fill();
    MUST(MPI_Sendrecv_c(out, N, gappy, to, TAG, in, N, gappy, from, TAG, w, &status[0]));
    came(from, 1, 2, &status[0]);
    fill();
    memcpy(in, out, 2 * N * sizeof *in);
    MUST(MPI_Sendrecv_replace_c(in, N, gappy, to, TAG, from, TAG, w, &status[0]));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += in[2 * i] != out[2 * i] || in[2 * i + 1] != 1000 * from + 2 * i + 1;
    CHECK_INT(wrong, 0);
    free(buffer);
}

static void persistent(int to, int from)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int (*const inits[])(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) = {MPI_Send_init_c, MPI_Ssend_init_c};
    for (int i = 0; i < 2; i++) {
        MUST(MPI_Recv_init_c(in, N, gappy, from, TAG, MPI_COMM_WORLD, &request[0]));
        MUST(inits[i](out, N, gappy, to, TAG, MPI_COMM_WORLD, &request[1]));
        for (int again = 0; again < 3; again++) {
            fill();
            MUST(MPI_Startall(2, request));
            MUST(MPI_Waitall(2, request, status));
            came(from, 1, 2, &status[0]);
        }
        MUST(MPI_Request_free(&request[0]));
        MUST(MPI_Request_free(&request[1]));
    }
}

/* The datatype is freed before the message is complete. */
static void freed(int to, int from)
{
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Datatype same;
    fill();
    MUST(MPI_Type_dup(gappy, &same));
    MUST(MPI_Irecv_c(in, N, same, from, TAG, MPI_COMM_WORLD, &request[0]));
    MUST(MPI_Isend_c(out, N, same, to, TAG, MPI_COMM_WORLD, &request[1]));
    MUST(MPI_Type_free(&same));
    MUST(MPI_Waitall(2, request, status));
    came(from, 1, 2, &status[0]);
}

static void errors(void)
{
    MPI_Comm w;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &w));
    MUST(MPI_Comm_set_errhandler(w, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Send_c(out, -1, MPI_INT, rank, TAG, w), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(out, N, MPI_DATATYPE_NULL, rank, TAG, w), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Send_c(out, N, MPI_INT, size, TAG, w), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send_c(out, N, MPI_INT, rank, -7, w), MPI_ERR_TAG);
    MUST(MPI_Send_c(out, N, MPI_INT, MPI_PROC_NULL, TAG, w));
    MUST(MPI_Comm_free(&w));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Datatype one, at = MPI_INT;
    MUST(MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){sizeof(int)}, at, &one));
    MUST(MPI_Type_create_resized(one, 0, 2 * sizeof(int), &gappy));
    MUST(MPI_Type_commit(&gappy));
    MUST(MPI_Type_free(&one));
    out = malloc(2 * N * sizeof *out);
    in = malloc(2 * N * sizeof *in);
    /* A message from a rank to itself must not be sent before its receive is posted, because modes has ready and
     * synchronous sends. */
    modes(to, from);
    persistent(to, from);
    freed(to, from);
    errors();
    free(out);
    free(in);
    MUST(MPI_Type_free(&gappy));
#endif
    return check_done("large_chunk_p2p");
}
