/* Threads that create, complete and free requests of MPI-4's operations at the same time. */
#include "../../conformance/check.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 400 };
static MPI_Comm comms[THREADS];

static void *work(void *number)
{
    const int t = *(int *)number, next = (rank + 1) % size, prev = (rank + size - 1) % size;
    MPI_Request r[4];
    int out, in = -1, part, parted = -1, buffered = -1;
    MUST(MPI_Psend_init(&part, 1, 1, MPI_INT, next, 1, comms[t], MPI_INFO_NULL, &r[2]));
    MUST(MPI_Precv_init(&parted, 1, 1, MPI_INT, prev, 1, comms[t], MPI_INFO_NULL, &r[3]));
    for (int i = 0; i < ROUNDS; i++) {
        out = part = 1000 * rank + i;
        MUST(MPI_Startall(2, &r[2]));
        MUST(MPI_Isendrecv(&out, 1, MPI_INT, next, 2, &in, 1, MPI_INT, prev, 2, comms[t], &r[0]));
        MUST(MPI_Irecv(&buffered, 1, MPI_INT, prev, 3, comms[t], &r[1]));
        MUST(MPI_Bsend(&out, 1, MPI_INT, next, 3, comms[t]));
        MUST(MPI_Pready(0, r[2]));
        MUST(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
        CHECK_INT(in, 1000 * prev + i);
        CHECK_INT(parted, 1000 * prev + i);
        CHECK_INT(buffered, 1000 * prev + i);
    }
    MUST(MPI_Request_free(&r[2]));
    MUST(MPI_Request_free(&r[3]));
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, numbers[THREADS];
    pthread_t threads[THREADS];
    void *buffer;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_ranks();
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    MUST(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
    }
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, work, &numbers[t]);
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        MUST(MPI_Comm_free(&comms[t]));
    }
    MUST(MPI_Buffer_detach(&buffer, &provided));
    return check_done("threads");
}
