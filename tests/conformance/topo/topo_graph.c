/* Graph topologies: a star around rank 0. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int index[8], edges[16], value, status, nodes, count, got[8], total = 0;
    MPI_Comm star;

    for (int i = 0; i < size; i++) {
        if (i == 0)
            for (int j = 1; j < size; j++)
                edges[total++] = j;
        else
            edges[total++] = 0;
        index[i] = total;
    }
    MUST(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &star));
    MUST(MPI_Topo_test(star, &status));
    CHECK_INT(status, MPI_GRAPH);
    MUST(MPI_Graphdims_get(star, &nodes, &count));
    CHECK_INT(nodes, size);
    CHECK_INT(count, 2 * (size - 1));
    int back_index[8] = {0}, back_edges[16] = {0};
    MUST(MPI_Graph_get(star, size, 2 * (size - 1), back_index, back_edges));
    for (int i = 0; i < size; i++)
        CHECK_INT(back_index[i], index[i]);
    for (int i = 0; i < total; i++)
        CHECK_INT(back_edges[i], edges[i]);
    MUST(MPI_Graph_neighbors_count(star, rank, &value));
    CHECK_INT(value, rank == 0 ? size - 1 : 1);
    for (int i = 0; i < size; i++) {
        MUST(MPI_Graph_neighbors_count(star, i, &value));
        MUST(MPI_Graph_neighbors(star, i, value, got));
        for (int j = 0; j < value; j++)
            CHECK_INT(got[j], i == 0 ? j + 1 : 0);
    }
    int gathered[8] = {-1, -1, -1, -1};
    if (size > 1) {
        MUST(MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, star));
        CHECK_INT(gathered[0], rank == 0 ? 1 : 0);
        if (rank == 0)
            CHECK_INT(gathered[size - 2], size - 1);
    }
    MUST(MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &value));
    CHECK(value >= 0 && value < size);
    MPI_Comm alone;
    int lonely = 0;
    MUST(MPI_Graph_create(MPI_COMM_WORLD, 1, &lonely, edges, 0, &alone));
    CHECK((alone == MPI_COMM_NULL) == (rank != 0));
    if (alone != MPI_COMM_NULL) {
        MUST(MPI_Graphdims_get(alone, &nodes, &count));
        CHECK_INT(nodes, 1);
        CHECK_INT(count, 0);
        MUST(MPI_Comm_free(&alone));
    }
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Graphdims_get(MPI_COMM_WORLD, &nodes, &count), MPI_ERR_TOPOLOGY);
    MUST(MPI_Comm_free(&star));
    return check_done("topo_graph");
}
