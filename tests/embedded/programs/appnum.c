/* Prints MPI_APPNUM, which is the index of the program in the command line. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, flag, *number;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    printf("rank %d program %d\n", rank, flag ? *number : -1);
    MPI_Finalize();
    return 0;
}
