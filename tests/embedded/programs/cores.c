/* Prints the cores on which each rank may run. MPI_Init must not change them. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    cpu_set_t before, after;
    int rank;
    sched_getaffinity(0, sizeof before, &before);
    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof after, &after);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!CPU_EQUAL(&before, &after))
        MPI_Abort(MPI_COMM_WORLD, 3);
    char line[8 * CPU_SETSIZE];
    int at = sprintf(line, "%d on", rank);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &after))
            at += sprintf(line + at, " %d", core);
    puts(line);
    MPI_Finalize();
    return 0;
}
