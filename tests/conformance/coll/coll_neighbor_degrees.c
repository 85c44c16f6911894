/* Neighborhood collectives with arrays on distributed graphs with many sources and few destinations, and the reverse. */
#include "neighbor.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    /* All ranks send to the first one, once for each lower rank, and the last rank sends twice. No other rank receives. */
    int sources[MAX], targets[MAX], n = 0;
    MPI_Comm comm;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < 1 + (i == size - 1); k++)
            sources[n++] = i;
    const int out = 1 + (rank == size - 1), in = rank == 0 ? n : 0;
    targets[0] = targets[1] = 0;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, targets, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &comm));
    exchange("distributed graph to one", comm, in, sources, out);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, out, targets, MPI_UNWEIGHTED, in, sources, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &comm));
    exchange("distributed graph from one", comm, out, targets, in);
    MUST(MPI_Comm_free(&comm));
    return check_done("coll_neighbor_degrees");
}
