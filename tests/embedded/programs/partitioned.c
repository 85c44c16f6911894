/* A partitioned send whose last partition no thread marks ("never"), or another thread after some time ("later", "first"). The
 * second argument is the function that waits. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PARTITIONS = 4, LENGTH = 100 };

static MPI_Request requests[2];

static void *mark_last(void *argument)
{
    const struct timespec length = {0, *(long *)argument};
    nanosleep(&length, NULL);
    MPI_Pready(PARTITIONS - 1, requests[0]);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, wrong = 0, data[PARTITIONS * LENGTH];
    const int never = argc > 1 && !strcmp(argv[1], "never");
    const char *how = argc > 2 ? argv[2] : "Wait";
    long delay = argc > 1 && !strcmp(argv[1], "later") ? 300000000 : 0;
    MPI_Init_thread(&argc, &argv, never ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(data, PARTITIONS, LENGTH, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    else
        MPI_Precv_init(data, PARTITIONS, LENGTH, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Recv_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < (delay ? 2 : 300); round++) {
        pthread_t thread;
        memset(data, rank ? 0 : round + 1, sizeof data);
        MPI_Startall(2, requests);
        if (rank == 0)
            MPI_Pready_range(0, PARTITIONS - 2, requests[0]);
        if (rank == 0 && !never)
            pthread_create(&thread, NULL, mark_last, &delay);
        if (!strcmp(how, "Waitall")) {
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else if (!strcmp(how, "Waitany")) {
            for (int i = 0, index; i < 2; i++)
                MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        } else if (!strcmp(how, "Waitsome")) {
            for (int done = 0, some, indices[2]; done < 2; done += some)
                MPI_Waitsome(2, requests, &some, indices, MPI_STATUSES_IGNORE);
        } else {
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        }
        if (rank == 0 && !never)
            pthread_join(thread, NULL);
        for (size_t i = 0; i < sizeof data; i++)
            wrong |= ((char *)data)[i] != (char)(round + 1);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    printf("rank %d: %s\n", rank, wrong ? "wrong" : "right");
    return wrong;
}
