/* Jobs in which no rank can proceed, and jobs that only seem so. */
#include <mpi.h>
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
    } cases[] = {{"cycle", cycle}, {"tag", tag}, {"barrier", barrier}, {"allreduce", allreduce}, {"sends", sends}, {"slow", slow}, {"early", early}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && !strcmp(argv[1], cases[i].name))
            cases[i].run();
    MPI_Finalize();
    return 0;
}
