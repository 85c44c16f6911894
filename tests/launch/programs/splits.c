/* Splits MPI_COMM_WORLD by a type for each rank: the letters of the argument (s: shared memory; u: MPI_UNDEFINED; and
   only in Open MPI's programs c: cluster, k: core). Prints the size of the new communicator, or 0. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size = 0, type = MPI_UNDEFINED;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (argv[1][rank]) {
    case 's': type = MPI_COMM_TYPE_SHARED; break;
#ifdef OPEN_MPI
    case 'c': type = OMPI_COMM_TYPE_CLUSTER; break;
    case 'k': type = OMPI_COMM_TYPE_CORE; break;
#endif
    }
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);
    if (part != MPI_COMM_NULL)
        MPI_Comm_size(part, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d, part %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
