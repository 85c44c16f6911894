/* The MPI calls of the program. */
#include <mpi.h>

int solve(int *rank, int *sum)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return MPI_Allreduce(rank, sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
