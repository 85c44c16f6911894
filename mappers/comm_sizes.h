/*
 * Counts the processes for which an array of a collective call has elements, and finds the
 * root.
 *
 * Gives: is_collective_root, peers, indegree, outdegree.
 * Needs: pair.h.
 */
#ifndef WI4GO_COMM_SIZES_H
#define WI4GO_COMM_SIZES_H
#include "pair.h"

/* Reports whether this process is the root of a call. Between groups, the root passes MPI_ROOT.
   root is the program's. */
static int is_collective_root(R_MPI_Comm comm, int root)
{
    int rank = -1, inter = 0;
    R_MPI_Comm_test_inter(comm, &inter);
    if (inter)
        return root == A_MPI_ROOT;
    R_MPI_Comm_rank(comm, &rank);
    return rank == root;
}

/* Returns the number of processes with which this one communicates in a collective call: the
   remote group between groups, otherwise all. It is 0 for an invalid communicator. */
static size_t peers(R_MPI_Comm comm)
{
    int inter = 0, n = 0;
    if (!comm || R_MPI_Comm_test_inter(comm, &inter))
        return 0;
    if (inter ? R_MPI_Comm_remote_size(comm, &n) : R_MPI_Comm_size(comm, &n))
        return 0;
    return (size_t)n;
}

/* Returns the number of neighbors of this process (MPI-5.0, 8.6): incoming ones if which is 0,
   outgoing ones if it is 1. It is 0 for an invalid communicator or one without a topology. */
static size_t degree(R_MPI_Comm comm, int which)
{
    int topology = R_MPI_UNDEFINED, n = 0, rank = 0, degrees[3] = {0, 0, 0};
    if (!comm || R_MPI_Topo_test(comm, &topology))
        return 0;
    if (topology == R_MPI_CART) {
        R_MPI_Cartdim_get(comm, &n);
        return 2 * (size_t)n;
    }
    if (topology == R_MPI_GRAPH) {
        R_MPI_Comm_rank(comm, &rank);
        R_MPI_Graph_neighbors_count(comm, rank, &n);
        return (size_t)n;
    }
    if (topology == R_MPI_DIST_GRAPH)
        R_MPI_Dist_graph_neighbors_count(comm, &degrees[0], &degrees[1], &degrees[2]);
    return (size_t)degrees[which];
}
#define indegree(comm) degree(comm, 0)
#define outdegree(comm) degree(comm, 1)
#endif
