/* A program that was written for BigMPI. */
#include <bigmpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bad = 0, values[3] = {1, 2, 3}, sums[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPIX_Allreduce_x(values, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bad += sums[2] != 3 * size;
    if (rank)
        values[0] = 0;
    MPIX_Bcast_x(values, 3, MPI_INT, 0, MPI_COMM_WORLD);
    bad += values[0] != 1;

    MPI_Datatype type, base;
    MPI_Count count = 0;
    MPI_Aint lb, extent;
    MPIX_Type_contiguous_x(1000, MPI_DOUBLE, &type);
    BigMPI_Decode_contiguous_x(type, &count, &base);
    bad += count != 1000 || base != MPI_DOUBLE;
    MPI_Type_free(&type);
    BigMPI_Type_contiguous(16, 3, MPI_INT, &type);
    MPI_Type_get_extent(type, &lb, &extent);
    bad += lb != 16 || extent != 3 * sizeof(int);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    bad += BigMPI_Decode_contiguous_x(type, &count, &base) != MPI_ERR_TYPE;
    MPI_Type_free(&type);
    MPI_Count lengths[2] = {1, 2};
    MPI_Aint displacements[2] = {0, 8};
    MPIX_Type_create_hvector_x(2, lengths, displacements, MPI_INT, &type);
    MPI_Type_get_extent(type, &lb, &extent);
    bad += lb != 0 || extent != 16;
    MPI_Type_free(&type);
    if (rank == 0)
        printf("BigMPI: %s\n", bad ? "WRONG" : "right");
    MPI_Finalize();
    return bad;
}
