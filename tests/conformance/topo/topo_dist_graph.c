/* Distributed graphs with weights, MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY; neighborhood collectives over them. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm ring, graph;
    int in, out, weighted, status;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    int sources[4] = {-1, -1, -1, -1}, from_weights[4] = {-1, -1, -1, -1};
    int targets[4] = {-1, -1, -1, -1}, to_weights[4] = {-1, -1, -1, -1};

    /* From the left, to the right, with weights. */
    int w_in = 100 + rank, w_out = 100 + right;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &w_in, 1, &right, &w_out, MPI_INFO_NULL, 0, &ring));
    MUST(MPI_Topo_test(ring, &status));
    CHECK_INT(status, MPI_DIST_GRAPH);
    MUST(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    CHECK_INT(in, 1);
    CHECK_INT(out, 1);
    CHECK(weighted != 0);
    MUST(MPI_Dist_graph_neighbors(ring, 1, sources, from_weights, 1, targets, to_weights));
    CHECK_INT(sources[0], left);
    CHECK_INT(targets[0], right);
    CHECK_INT(from_weights[0], 100 + rank);
    CHECK_INT(to_weights[0], 100 + right);
    CHECK(sources[1] == -1 && targets[1] == -1 && from_weights[1] == -1 && to_weights[1] == -1);
    int got = -1;
    MUST(MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring));
    CHECK_INT(got, left);
    MPI_Request request;
    got = -1;
    int sent = 7 * rank;
    MUST(MPI_Ineighbor_alltoall(&sent, 1, MPI_INT, &got, 1, MPI_INT, ring, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(got, 7 * left);
    MUST(MPI_Comm_free(&ring));

    /* Without weights; the query may then get MPI_UNWEIGHTED as well. */
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &ring));
    MUST(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && weighted == 0);
    sources[0] = targets[0] = -1;
    MUST(MPI_Dist_graph_neighbors(ring, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED));
    CHECK_INT(sources[0], left);
    CHECK_INT(targets[0], right);
    MPI_Comm dup;
    MUST(MPI_Comm_dup(ring, &dup));
    MUST(MPI_Topo_test(dup, &status));
    CHECK_INT(status, MPI_DIST_GRAPH);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_free(&ring));

    /* All ranks send to rank 0. The other ranks have no sources, and pass MPI_WEIGHTS_EMPTY. */
    int everyone[4] = {0, 1, 2, 3}, weights[4] = {10, 11, 12, 13}, zero = 0, my = 10 + rank;
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? size : 0, everyone,
                                        rank == 0 ? weights : MPI_WEIGHTS_EMPTY, 1, &zero, &my, MPI_INFO_NULL, 0,
                                        &graph));
    MUST(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_INT(in, rank == 0 ? size : 0);
    CHECK_INT(out, 1);
    CHECK(weighted != 0);
    MUST(MPI_Dist_graph_neighbors(graph, in, sources, rank == 0 ? from_weights : MPI_WEIGHTS_EMPTY, out, targets,
                                  to_weights));
    CHECK_INT(targets[0], 0);
    CHECK_INT(to_weights[0], 10 + rank);
    for (int i = 0; i < in; i++) {
        CHECK_INT(sources[i], i);
        CHECK_INT(from_weights[i], 10 + i);
    }
    int all[4] = {-1, -1, -1, -1};
    MUST(MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, graph));
    for (int i = 0; i < 4; i++)
        CHECK_INT(all[i], rank == 0 && i < size ? i : -1);
    MUST(MPI_Comm_free(&graph));

    /* Only rank 0 describes the ring. */
    int degrees[4] = {1, 1, 1, 1}, rights[4], ring_weights[4];
    for (int i = 0; i < size; i++) {
        rights[i] = (i + 1) % size;
        ring_weights[i] = 50 + i;
    }
    MUST(MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, everyone, degrees, rights,
                               rank == 0 ? ring_weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && weighted != 0);
    MUST(MPI_Dist_graph_neighbors(graph, 1, sources, from_weights, 1, targets, to_weights));
    CHECK(sources[0] == left && targets[0] == right);
    CHECK_INT(from_weights[0], 50 + left);
    CHECK_INT(to_weights[0], 50 + rank);
    MUST(MPI_Comm_free(&graph));
    int one = 1;
    MUST(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && weighted == 0);
    MUST(MPI_Comm_free(&graph));

    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &in, &out, &weighted), MPI_ERR_TOPOLOGY);
    return check_done("topo_dist_graph");
}
