/* Prints the rank and the sum of all ranks. An argument is the time that rank 1 sleeps before MPI_Init, in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    int rank, size, sum;
    if (argc > 1 && own && atoi(own) == 1)
        sleep((unsigned)atoi(argv[1]));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d, sum %d\n", rank, size, sum);
    MPI_Finalize();
    return 0;
}
