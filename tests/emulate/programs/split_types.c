/* Prints the number of processes in rank 0's part for each of Open MPI's split types. */
#include <mpi.h>
#include <stdio.h>

#define TYPE(name) {#name, OMPI_COMM_TYPE_##name}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int type;
    } types[] = {TYPE(NODE), TYPE(HOST), TYPE(CLUSTER), TYPE(CU), TYPE(BOARD), TYPE(NUMA), TYPE(SOCKET), TYPE(L3CACHE), TYPE(L2CACHE),
                 TYPE(L1CACHE), TYPE(CORE), TYPE(HWTHREAD)};
    int rank, size;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        MPI_Comm_split_type(MPI_COMM_WORLD, types[i].type, 0, MPI_INFO_NULL, &part);
        MPI_Comm_size(part, &size);
        MPI_Comm_free(&part);
        if (rank == 0)
            printf("%s %d\n", types[i].name, size);
    }
    MPI_Finalize();
    return 0;
}
