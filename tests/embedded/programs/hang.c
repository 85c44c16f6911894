/* Jobs in which no rank can proceed, and jobs that only seem so. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* Each receives from the other first. */
static void cycle(void)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD);
}

/* The tags differ. */
static void tag(void)
{
    int data = 1;
    if (rank == 0)
        MPI_Send(&data, 1, MPI_INT, 1, 98, MPI_COMM_WORLD);
    else
        MPI_Recv(&data, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One rank is in a barrier, the other ones wait for its message. */
static void barrier(void)
{
    int data = 1;
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* All but rank 1 are in one, and come to it one after the other: what the first waits for changes. */
static void allreduce(void)
{
    int data = 1, sum;
    usleep((unsigned)rank * 100000);
    if (rank != 1)
        MPI_Allreduce(&data, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 ends before a barrier of the others. */
static void early(void)
{
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Long messages without receives. */
static void sends(void)
{
    static char data[1000000];
    MPI_Send(data, sizeof data, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Recv(data, sizeof data, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The tags of both directions differ. */
static void exchange(void)
{
    int data = 1, got;
    MPI_Sendrecv(&data, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two operations in another order, with several messages for each rank. */
static void twice(void)
{
    enum { COUNT = 1000000 };
    int *data = calloc(2 * COUNT, sizeof *data);
    MPI_Comm comms[2] = {MPI_COMM_WORLD};
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_set_name(comms[1], "copy");
    for (int i = 1; i <= 2; i++)
        MPI_Allreduce(data, data + COUNT, COUNT, MPI_INT, MPI_SUM, comms[(rank + i) % 2]);
}

/* Messages on two communicators. */
static void several(void)
{
    int got[2], count, indices[2];
    MPI_Request requests[2];
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Irecv(&got[0], 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, (rank + 1) % size, 2, copy, &requests[1]);
    MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
}

/* A synchronous send whose request is freed, and that no rank receives. */
static void freed(void)
{
    static int data = 1;
    MPI_Request request;
    MPI_Issend(&data, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

static MPI_Request generalized;
static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_cancelled(status, 0);
    return MPI_Status_set_elements(status, MPI_BYTE, 0);
}
static int release(void *state) { return state ? MPI_ERR_OTHER : MPI_SUCCESS; }
static int cancel(void *state, int complete) { return state && complete ? MPI_ERR_OTHER : MPI_SUCCESS; }

/* A generalized request that no thread completes. */
static void alone(void)
{
    MPI_Grequest_start(query, release, cancel, NULL, &generalized);
    MPI_Wait(&generalized, MPI_STATUS_IGNORE);
}

/* A generalized request that a thread completes after some time, without MPI_THREAD_MULTIPLE. */
static void *complete_later(void *unused)
{
    usleep(400000);
    MPI_Grequest_complete(generalized);
    return unused;
}
static void outside(void)
{
    pthread_t thread;
    MPI_Grequest_start(query, release, cancel, NULL, &generalized);
    pthread_create(&thread, NULL, complete_later, NULL);
    MPI_Wait(&generalized, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
}

/* Rank 0 sleeps for some time, then all proceed. */
static void slow(void)
{
    int data = 1;
    for (int i = 0; i < 3; i++) {
        if (rank == i % size)
            usleep(400000);
        MPI_Bcast(&data, 1, MPI_INT, i % size, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"cycle", cycle}, {"tag", tag}, {"barrier", barrier}, {"allreduce", allreduce}, {"sends", sends}, {"slow", slow},
              {"early", early}, {"exchange", exchange}, {"twice", twice}, {"several", several}, {"freed", freed}, {"alone", alone}, {"outside", outside}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && !strcmp(argv[1], cases[i].name))
            cases[i].run();
    MPI_Finalize();
    return 0;
}
