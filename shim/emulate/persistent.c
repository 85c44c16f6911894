/* Persistent collectives (MPI-5.0, 6.13 and 8.8): the parts that all of them share. The functions
   for each operation are generated. A record owns its communicator, which is freed with it. There
   is no other state, and no lock. */
#include "emulate.h"

/*
 * Makes a communicator for one persistent collective. It needs its own because processes may
 * start persistent operations of a communicator in any order, but nonblocking ones only in the
 * same order. All processes take part in making it, as they do in the call. Only a duplicate
 * keeps the topology.
 */
static int dup_private(MPI_Comm comm, int neighbours, MPI_Comm *made)
{
    int inter = 0, rank = 0, rc;
    MPI_Errhandler handler;
    if ((rc = MPI_Comm_test_inter(comm, &inter)))
        return rc;
    if (inter || neighbours)
        return MPI_Comm_dup(comm, made);
    if ((rc = MPI_Comm_rank(comm, &rank)) || (rc = MPI_Comm_split(comm, 0, rank, made)))
        return rc;
    if (!(rc = MPI_Comm_get_errhandler(comm, &handler))) {
        rc = MPI_Comm_set_errhandler(*made, handler);
        MPI_Errhandler_free(&handler);
    }
    if (rc)
        MPI_Comm_free(made);
    return rc;
}

int wi4go_persistent_new(struct persistent **made, const struct emulated_kind *kind, MPI_Comm comm, int neighbours)
{
    MPI_Comm private = MPI_COMM_NULL;
    int topology = MPI_UNDEFINED, rc = MPI_SUCCESS;
    if (neighbours) {
        if ((rc = MPI_Topo_test(comm, &topology)))
            return rc;
        if (topology == MPI_UNDEFINED)
            return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_TOPOLOGY);
    }
    if ((rc = dup_private(comm, neighbours, &private)))
        return rc;
    *made = (struct persistent *)wi4go_request_new(kind, 1);
    (*made)->comm = private;
    return MPI_SUCCESS;
}

void wi4go_persistent_discard(struct emulated *e)
{
    struct persistent *p = (struct persistent *)e;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Comm_free(&p->comm);
}

int64_t wi4go_members(MPI_Comm comm)
{
    int n = 0;
    MPI_Comm_size(comm, &n);
    return n;
}

int64_t wi4go_peers(MPI_Comm comm)
{
    int inter = 0, n = 0;
    MPI_Comm_test_inter(comm, &inter);
    if (!inter)
        return wi4go_members(comm);
    MPI_Comm_remote_size(comm, &n);
    return n;
}

int wi4go_at_root(int root, MPI_Comm comm)
{
    int rank = -1, inter = 0;
    if (root == MPI_ROOT)
        return 1;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    return !inter && rank == root;
}

/* Writes the numbers of neighbors of this process, in and out (MPI-5.0, 8.6); leaves them if
   there is no topology. */
static void count_neighbors(MPI_Comm comm, int *in, int *out)
{
    int topology = MPI_UNDEFINED, n = 0, rank = 0, weighted;
    MPI_Topo_test(comm, &topology);
    switch (topology) {
    case MPI_CART:
        MPI_Cartdim_get(comm, &n);
        *in = *out = 2 * n;
        break;
    case MPI_GRAPH:
        MPI_Comm_rank(comm, &rank);
        MPI_Graph_neighbors_count(comm, rank, &n);
        *in = *out = n;
        break;
    case MPI_DIST_GRAPH:
        MPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
        break;
    }
}

int64_t wi4go_indegree(MPI_Comm comm)
{
    int in = 0, out = 0;
    count_neighbors(comm, &in, &out);
    return in;
}

int64_t wi4go_outdegree(MPI_Comm comm)
{
    int in = 0, out = 0;
    count_neighbors(comm, &in, &out);
    return out;
}
