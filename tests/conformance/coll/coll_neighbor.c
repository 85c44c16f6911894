/* Neighborhood collectives, blocking and nonblocking, on a Cartesian ring and on a distributed graph (MPI-3.1, 7.6,
   7.7). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size, yes = 1;
    MPI_Comm ring, graph, line;
    MPI_Request request;
    int mine[2] = {rank + 1, -(rank + 1)}, in[4];

    /* The ring: from the left, then from the right. */
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &yes, 0, &ring));
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        memset(in, 0, sizeof in);
        if (nonblocking) {
            MUST(MPI_Ineighbor_allgather(mine, 2, MPI_INT, in, 2, MPI_INT, ring, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Neighbor_allgather(mine, 2, MPI_INT, in, 2, MPI_INT, ring));
        }
        CHECK_INT(in[0], prev + 1);
        CHECK_INT(in[1], -(prev + 1));
        CHECK_INT(in[2], next + 1);
        CHECK_INT(in[3], -(next + 1));

        const int counts[2] = {2, 2}, displs[2] = {2, 0};
        memset(in, 0, sizeof in);
        if (nonblocking) {
            MUST(MPI_Ineighbor_allgatherv(mine, 2, MPI_INT, in, counts, displs, MPI_INT, ring, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Neighbor_allgatherv(mine, 2, MPI_INT, in, counts, displs, MPI_INT, ring));
        }
        CHECK_INT(in[2], prev + 1);
        CHECK_INT(in[1], -(next + 1));
    }

    /* A directed graph: each rank receives from its left and sends to its right. */
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &graph));
    const int two = 2, zero = 0;
    const MPI_Aint at = sizeof(int);
    const MPI_Datatype type = MPI_INT;
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        memset(in, 0, sizeof in);
        if (nonblocking) {
            MUST(MPI_Ineighbor_alltoall(mine, 2, MPI_INT, in, 2, MPI_INT, graph, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Neighbor_alltoall(mine, 2, MPI_INT, in, 2, MPI_INT, graph));
        }
        CHECK_INT(in[0], prev + 1);
        CHECK_INT(in[1], -(prev + 1));
        CHECK_INT(in[2], 0);
        memset(in, 0, sizeof in);
        if (nonblocking) {
            MUST(MPI_Ineighbor_alltoallv(mine, &two, &zero, MPI_INT, in, &two, &yes, MPI_INT, graph, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Neighbor_alltoallv(mine, &two, &zero, MPI_INT, in, &two, &yes, MPI_INT, graph));
        }
        CHECK_INT(in[0], 0);
        CHECK_INT(in[1], prev + 1);
        CHECK_INT(in[2], -(prev + 1));
        memset(in, 0, sizeof in);
        const MPI_Aint start = 0;
        if (nonblocking) {
            MUST(MPI_Ineighbor_alltoallw(mine, &two, &start, &type, in, &two, &at, &type, graph, &request));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            MUST(MPI_Neighbor_alltoallw(mine, &two, &start, &type, in, &two, &at, &type, graph));
        }
        CHECK_INT(in[0], 0);
        CHECK_INT(in[1], prev + 1);
        CHECK_INT(in[2], -(prev + 1));
    }

    /* An open line: the parts of missing neighbors stay unchanged. */
    const int no = 0;
    MUST(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &line));
    in[0] = in[1] = -77;
    MUST(MPI_Neighbor_alltoall(mine, 1, MPI_INT, in, 1, MPI_INT, line));
    CHECK_INT(in[0], rank > 0 ? -rank : -77); /* the second element of the left neighbor's buffer, which it sends to its right */
    CHECK_INT(in[1], rank < size - 1 ? rank + 2 : -77);

    MUST(MPI_Comm_free(&ring));
    MUST(MPI_Comm_free(&graph));
    MUST(MPI_Comm_free(&line));
    return check_done("coll_neighbor");
}
