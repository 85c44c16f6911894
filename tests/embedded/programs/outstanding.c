/*
 * outstanding: MPI_Waitall of many receives, which sleeps at each of the first messages. A sleep that examines all requests makes the
 * time grow with the square of their number, so the time of the processor is compared with that of as many messages of a rank
 * to itself. Prints "outstanding: right", or the times.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { REQUESTS = 300000, SLOW = 1500, PAUSE_US = 100, MOST = 2 /* times the time of messages to itself */ };

static MPI_Request receives[REQUESTS], sends[REQUESTS];
static int in[REQUESTS], out[REQUESTS];

/* Returns the time that this process has used, in seconds. */
static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void receive_all(int from)
{
    for (int i = 0; i < REQUESTS; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &receives[i]);
}

static void send_all(int to, int slow)
{
    for (int i = 0; i < REQUESTS; i++) {
        if (i < slow)
            usleep(PAUSE_US);
        MPI_Isend(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &sends[i]);
    }
    MPI_Waitall(REQUESTS, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int me, is_right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < REQUESTS; i++)
        out[i] = i;
    if (me == 0) {
        double begin = used(), own, slow;
        receive_all(0);
        send_all(0, 0);
        MPI_Waitall(REQUESTS, receives, MPI_STATUSES_IGNORE);
        own = used() - begin;
        receive_all(1);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        begin = used();
        MPI_Waitall(REQUESTS, receives, MPI_STATUSES_IGNORE);
        slow = used() - begin;
        for (int i = 0; i < REQUESTS; i++)
            is_right &= in[i] == i;
        printf("%.3f s for %d messages to itself, %.3f s with sleeps\n", own, REQUESTS, slow);
        is_right &= slow < MOST * own;
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send_all(0, SLOW);
    }
    printf("outstanding: %s\n", is_right ? "right" : "wrong");
    fflush(stdout);
    MPI_Finalize();
    return !is_right;
}
