/* Extensions of Open MPI 4.1 that are now in the standard, and one extension with another name in other libraries. */
#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#if OMPI_HAVE_MPI_EXT_PCOLLREQ
    MPIX_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    if (rank == 0)
        printf("sum %s, GPU %d\n", sum == size * (size - 1) / 2 ? "right" : "WRONG", MPIX_Query_cuda_support());
    MPI_Finalize();
    return 0;
}
