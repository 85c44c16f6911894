/* ring.c: passes a sum around all ranks and compares it with a reduction. Also compiled as C++. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Recv(&sum, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += rank;
    if (rank < size - 1)
        MPI_Send(&sum, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == size - 1)
        printf("%d ranks, ring %d, sum %d\n", size, sum, total);
    MPI_Finalize();
    return 0;
}
