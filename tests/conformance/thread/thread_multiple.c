/* Four threads of each rank at once, with MPI_THREAD_MULTIPLE (MPI-3.1, 12.4). */
#include <pthread.h>
#include "check.h"

enum { THREADS = 4, ROUNDS = 200, WINDOW = 16 };

static void sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

typedef struct {
    int number;
    MPI_Comm comm; /* each thread's own communicator, for collectives */
} work;

static void *run(void *argument)
{
    const work *w = argument;
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size, tag = 1000 * (w->number + 1);
    int is_main = -1;
    MUST(MPI_Is_thread_main(&is_main));
    CHECK_INT(is_main, 0);
    for (int round = 0; round < ROUNDS; round++) {
        int in[WINDOW], out[WINDOW];
        MPI_Request requests[2 * WINDOW];
        MPI_Status statuses[2 * WINDOW], status;

        /* Messages around the ring, on the communicator that all threads share. */
        for (int i = 0; i < WINDOW; i++) {
            in[i] = -1;
            out[i] = round + 10000 * rank + i;
            MUST(MPI_Irecv(&in[i], 1, MPI_INT, prev, tag + i, MPI_COMM_WORLD, &requests[i]));
        }
        for (int i = 0; i < WINDOW; i++)
            MUST(MPI_Isend(&out[i], 1, MPI_INT, next, tag + i, MPI_COMM_WORLD, &requests[WINDOW + i]));
        MUST(MPI_Waitall(2 * WINDOW, requests, statuses));
        for (int i = 0; i < WINDOW; i++) {
            CHECK_INT(in[i], round + 10000 * prev + i);
            CHECK_INT(statuses[i].MPI_SOURCE, prev);
            CHECK_INT(statuses[i].MPI_TAG, tag + i);
            CHECK(requests[i] == MPI_REQUEST_NULL && requests[WINDOW + i] == MPI_REQUEST_NULL);
        }

        /* Objects that several threads create and free at the same time. */
        MPI_Datatype type;
        int bytes = -1, value = rank + w->number, total = -1;
        MUST(MPI_Type_vector(w->number + 1, 1, 2, MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        MUST(MPI_Type_size(type, &bytes));
        CHECK_INT(bytes, (w->number + 1) * (int)sizeof(int));
        int wide_out[2 * THREADS], wide_in[2 * THREADS];
        memset(wide_in, 0, sizeof wide_in);
        for (int i = 0; i < 2 * THREADS; i++)
            wide_out[i] = i + rank;
        MUST(MPI_Sendrecv(wide_out, 1, type, next, tag + 500, wide_in, 1, type, prev, tag + 500, MPI_COMM_WORLD,
                          &status));
        CHECK_INT(wide_in[2 * w->number], 2 * w->number + prev);
        CHECK_INT(wide_in[1], 0);
        MUST(MPI_Type_free(&type));

        if (round % 10 == 0) {
            MPI_Op op;
            MUST(MPI_Op_create(sum, 1, &op));
            MUST(MPI_Allreduce(&value, &total, 1, MPI_INT, op, w->comm));
            CHECK_INT(total, size * (size - 1) / 2 + size * w->number);
            MUST(MPI_Op_free(&op));
            MPI_Request request;
            MUST(MPI_Iallreduce(&value, &total, 1, MPI_INT, MPI_MAX, w->comm, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_INT(total, size - 1 + w->number);
        }
    }
    return NULL;
}

/* One thread starts a request, another completes it. */
static MPI_Request handed;
static int handed_value;

static void *complete(void *argument)
{
    MPI_Status status;
    (void)argument;
    MUST(MPI_Wait(&handed, &status));
    CHECK(handed == MPI_REQUEST_NULL);
    CHECK_INT(status.MPI_TAG, 77);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1, asked = -1;
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_ranks();
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    MUST(MPI_Query_thread(&asked));
    CHECK_INT(asked, provided);
    if (provided == MPI_THREAD_MULTIPLE) {
        pthread_t threads[THREADS];
        work works[THREADS];
        for (int i = 0; i < THREADS; i++) {
            works[i].number = i;
            MUST(MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm));
        }
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, run, &works[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < THREADS; i++)
            MUST(MPI_Comm_free(&works[i].comm));
        for (int round = 0; round < 50; round++) {
            int out = round;
            handed_value = -1;
            MUST(MPI_Irecv(&handed_value, 1, MPI_INT, rank, 77, MPI_COMM_WORLD, &handed));
            pthread_create(&threads[0], NULL, complete, NULL);
            MUST(MPI_Send(&out, 1, MPI_INT, rank, 77, MPI_COMM_WORLD));
            pthread_join(threads[0], NULL);
            CHECK_INT(handed_value, round);
        }
    }
    return check_done("thread_multiple");
}
