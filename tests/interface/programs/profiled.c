/* A program that profiles itself: it defines two MPI functions, which call the library's by their profiling names.
   Prints the counts of rank 0. */
#include <mpi.h>
#include <stdio.h>

static int sends, sizes;

int MPI_Send(const void *buffer, int count, MPI_Datatype datatype, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buffer, count, datatype, to, tag, comm);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    sizes++;
    return PMPI_Comm_size(comm, size);
}

int main(int argc, char **argv)
{
    int rank, size, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_size(MPI_COMM_SELF, &size);
    for (int i = 0; i < 2; i++)
        if (rank == 0)
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(&got, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d sends, %d sizes\n", sends, sizes);
    MPI_Finalize();
    return 0;
}
