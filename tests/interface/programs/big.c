/* A program written for BigMPI. */
#include <bigmpi.h>
#include <limits.h>
#include <stdio.h>

/* Checks a graph from all processes to root, or for -1 from all to all: each process occurs once, ordered by rank, and
   data arrives. Returns the number of the failed check. */
static int graph(int root, int rank, int size)
{
    MPI_Comm comm;
    int in, out, weighted, sources[16], to[16], wrong = 0, got[16], result = -1;
    if (BigMPI_Create_graph_comm(MPI_COMM_WORLD, root, &comm) != MPI_SUCCESS)
        return 1;
    MPI_Comm_compare(MPI_COMM_WORLD, comm, &result);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    wrong += result != MPI_CONGRUENT || weighted || in != (root == -1 || root == rank ? size : 0) || out != (root == -1 ? size : 1);
    MPI_Dist_graph_neighbors(comm, in, sources, MPI_UNWEIGHTED, out, to, MPI_UNWEIGHTED);
    for (int i = 0; i < in; i++)
        wrong += sources[i] != i;
    for (int i = 0; i < out; i++)
        wrong += to[i] != (root == -1 ? i : root);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int i = 0; i < in; i++)
        wrong += got[i] != i;
    MPI_Comm_free(&comm);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, bad = BigMPI_Get_max_int() != INT_MAX, values[3] = {1, 2, 3}, sums[3];
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
    bad += graph(-1, rank, size) + graph(0, rank, size) + graph(size - 1, rank, size);
    MPI_Comm comm;
    int error = MPI_SUCCESS;
    MPI_Error_class(BigMPI_Create_graph_comm(MPI_COMM_NULL, 0, &comm), &error);
    bad += error != MPI_ERR_COMM;
    if (rank == 0)
        printf("BigMPI: %s\n", bad ? "WRONG" : "right");
    MPI_Finalize();
    return bad;
}
