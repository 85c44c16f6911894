/* Graph topologies and distributed graphs (MPI-5.0, 8.5.3, 8.5.4). No state, no locks. */
#include "topology.h"
#include "functions.h"
#include "../base/errors.h"

#include <stdlib.h>
#include <string.h>

/* ---- graphs that every process has as a whole ---- */

/* Returns the error of a graph's arguments (MPI-5.0, 8.5.3), or MPI_SUCCESS. */
static int check_graph(const struct comm *comm, int nodes, const int *index, const int *edges)
{
    if (comm->inter)
        return em_error(MPI_ERR_COMM, "comm is an intercommunicator");
    if (nodes < 0 || nodes > comm->size)
        return em_error(MPI_ERR_ARG, "nnodes is %d, the communicator has %d processes", nodes, comm->size);
    for (int i = 0; i < nodes; i++)
        if (index[i] < (i ? index[i - 1] : 0))
            return em_error(MPI_ERR_ARG, "index %d is %d, which is less than the one before", i, index[i]);
    int count = nodes ? index[nodes - 1] : 0;
    if (count && !edges)
        return em_error(MPI_ERR_ARG, "edges is a null pointer");
    for (int i = 0; i < count; i++)
        if (edges[i] < 0 || edges[i] >= nodes)
            return em_error(MPI_ERR_ARG, "edge %d leads to node %d of %d", i, edges[i], nodes);
    return MPI_SUCCESS;
}

static int first_edge(const struct topology *t, int rank) { return rank ? t->index[rank - 1] : 0; }

/* Collective. Ranks keep their order, so reorder is ignored. Processes beyond nnodes get MPI_COMM_NULL. */
int em_Graph_create(struct comm *comm, int nnodes, const int *index, const int *edges, int reorder, MPI_Comm *newcomm)
{
    int *place, err = check_graph(comm, nnodes, index, edges);
    if (err)
        return err;
    bool member = comm->rank < nnodes;
    if (!member)
        return em_topology_comm(comm, MPI_UNDEFINED, 0, NULL, newcomm);
    int count = index[nnodes - 1];
    struct topology *t = em_topology_new(MPI_GRAPH, (int64_t)nnodes + count, &place);
    if (!t)
        return em_no_topology();
    t->nodes = nnodes;
    t->edges = count;
    t->index = memcpy(place, index, (size_t)nnodes * sizeof *index);
    t->edge = place + nnodes;
    if (count)
        memcpy(t->edge, edges, (size_t)count * sizeof *edges);
    t->source = t->destination = t->edge + first_edge(t, comm->rank);
    t->sources = t->destinations = index[comm->rank] - first_edge(t, comm->rank);
    return em_topology_comm(comm, 0, comm->rank, t, newcomm);
}

/* Writes the caller's own rank, because em_Graph_create keeps the order, or MPI_UNDEFINED beyond the graph. Local. */
int em_Graph_map(struct comm *comm, int nnodes, const int *index, const int *edges, int *newrank)
{
    int err = check_graph(comm, nnodes, index, edges);
    if (!err)
        *newrank = comm->rank < nnodes ? comm->rank : MPI_UNDEFINED;
    return err;
}

/* Writes the lengths that the arrays of em_Graph_get need. */
int em_Graphdims_get(struct comm *comm, int *nnodes, int *nedges)
{
    int err = em_check_topology(comm, MPI_GRAPH);
    if (err)
        return err;
    *nnodes = comm->topology->nodes;
    *nedges = comm->topology->edges;
    return MPI_SUCCESS;
}

/* Returns an error, and writes nothing, if one of the arrays is too short. */
int em_Graph_get(struct comm *comm, int maxindex, int maxedges, int *index, int *edges)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_GRAPH);
    if (err)
        return err;
    if (maxindex < t->nodes || maxedges < t->edges)
        return em_error(MPI_ERR_ARG, "the graph has %d nodes and %d edges, the arrays have room for %d and %d", t->nodes, t->edges, maxindex, maxedges);
    memcpy(index, t->index, (size_t)t->nodes * sizeof *index);
    if (t->edges)
        memcpy(edges, t->edge, (size_t)t->edges * sizeof *edges);
    return MPI_SUCCESS;
}

/* Writes the number of edges at a rank's node, duplicates included. */
int em_Graph_neighbors_count(struct comm *comm, int rank, int *nneighbors)
{
    int err = em_check_topology(comm, MPI_GRAPH);
    if (err)
        return err;
    if (rank < 0 || rank >= comm->size)
        return em_error(MPI_ERR_RANK, "rank %d: the communicator has %d ranks", rank, comm->size);
    *nneighbors = comm->topology->index[rank] - first_edge(comm->topology, rank);
    return MPI_SUCCESS;
}

/* Returns an error if the array is shorter than the number of neighbors, which may then be asked for again. */
int em_Graph_neighbors(struct comm *comm, int rank, int maxneighbors, int *neighbors)
{
    int count, err = em_Graph_neighbors_count(comm, rank, &count);
    if (err)
        return err;
    if (maxneighbors < count)
        return em_error(MPI_ERR_ARG, "maxneighbors is %d, rank %d has %d neighbors", maxneighbors, rank, count);
    if (count)
        memcpy(neighbors, comm->topology->edge + first_edge(comm->topology, rank), (size_t)count * sizeof *neighbors);
    return MPI_SUCCESS;
}

/* ---- distributed graphs ---- */

/* Returns an error for a negative count, or for a rank or a weight that is not valid. name is the word for the list in
 * the message. */
static int check_ranks(const struct comm *comm, int n, const int *ranks, const int *weights, const char *name)
{
    if (n < 0)
        return em_error(MPI_ERR_ARG, "the number of %s is %d", name, n);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= comm->size)
            return em_error(MPI_ERR_RANK, "rank %d of the %s is %d, the communicator has %d ranks", i, name, ranks[i], comm->size);
        if (weights != MPI_UNWEIGHTED && weights[i] < 0)
            return em_error(MPI_ERR_ARG, "weight %d of the %s is %d", i, name, weights[i]);
    }
    return MPI_SUCCESS;
}

/* Returns a distributed graph whose arrays the caller fills, or NULL if memory is lacking. */
static struct topology *new_dist_graph(int sources, int destinations, bool weighted)
{
    int *place;
    struct topology *t = em_topology_new(MPI_DIST_GRAPH, 2 * ((int64_t)sources + destinations), &place);
    if (!t)
        return NULL;
    t->sources = sources;
    t->destinations = destinations;
    t->source = place;
    t->destination = place + sources;
    t->weighted = weighted;
    if (!weighted)
        return t;
    t->source_weight = t->destination + destinations;
    t->destination_weight = t->source_weight + sources;
    return t;
}

/* Without integers, from need not be a valid pointer. */
static void copy_ints(int *to, const int *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

/* Collective, but without messages about the edges: each process passes all edges at its own node. */
int em_Dist_graph_create_adjacent(struct comm *comm, int indegree, const int *sources, const int *sourceweights, int outdegree, const int *destinations, const int *destweights, struct info *info, int reorder, MPI_Comm *newcomm)
{
    if (comm->inter)
        return em_error(MPI_ERR_COMM, "comm is an intercommunicator");
    int err = check_ranks(comm, indegree, sources, sourceweights, "sources");
    if (!err)
        err = check_ranks(comm, outdegree, destinations, destweights, "destinations");
    if (err)
        return err;
    if ((sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED) && indegree && outdegree)
        return em_error(MPI_ERR_ARG, "one of sourceweights and destweights is MPI_UNWEIGHTED, the other is not");
    struct topology *t = new_dist_graph(indegree, outdegree, sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED);
    if (!t)
        return em_no_topology();
    copy_ints(t->source, sources, indegree);
    copy_ints(t->destination, destinations, outdegree);
    if (t->weighted) {
        copy_ints(t->source_weight, sourceweights, indegree);
        copy_ints(t->destination_weight, destweights, outdegree);
    }
    return em_topology_comm(comm, 0, comm->rank, t, newcomm);
}

/* An edge as one of its processes stores it. */
struct edge {
    int out; /* 1 if the edge goes to the peer, 0 if it comes from the peer */
    int peer, weight;
};

/* Edges for all processes, in the order of the processes. */
struct edges {
    int *count; /* number of integers for each process, then the offset of its first one */
    struct edge *edge;
    int total; /* integers */
};
enum { EDGE_INTS = sizeof(struct edge) / sizeof(int) };

/* Calls visit for both ends of each edge of the arguments. */
static void for_ends(int n, const int *sources, const int *degrees, const int *destinations, const int *weights, void (*visit)(struct edges *, int rank, struct edge), struct edges *edges)
{
    for (int i = 0, k = 0; i < n; i++)
        for (int j = 0; j < degrees[i]; j++, k++) {
            int weight = weights == MPI_UNWEIGHTED ? 0 : weights[k];
            visit(edges, sources[i], (struct edge){1, destinations[k], weight});
            visit(edges, destinations[k], (struct edge){0, sources[i], weight});
        }
}

static void count_edge(struct edges *edges, int rank, struct edge edge) { edges->count[rank] += EDGE_INTS; }

/* Appends an edge to a rank's block. During the filling, count is the end of the block in integers. */
static void put_edge(struct edges *edges, int rank, struct edge edge)
{
    edges->edge[edges->count[rank] / EDGE_INTS] = edge;
    edges->count[rank] += EDGE_INTS;
}

/* Stores the place of the first edge of each process after the counts, and allocates the edges. */
static bool allocate_edges(struct edges *edges, int n)
{
    edges->total = 0;
    for (int i = 0; i < n; i++) {
        edges->count[n + i] = edges->total;
        edges->total += edges->count[i];
    }
    edges->edge = malloc((size_t)(edges->total + 1) * sizeof(int));
    return edges->edge != NULL;
}

/* Sends each edge to the two processes at its ends. Afterwards all holds the edges at this process's node; the caller
 * frees both. */
static int exchange_edges(struct comm *comm, const struct edges *mine, struct edges *all)
{
    struct type *integer = em_type_of(MPI_INT);
    int n = comm->size, err = em_Alltoall(mine->count, 1, integer, all->count, 1, integer, comm);
    if (err)
        return err;
    if (!allocate_edges(all, n))
        return em_no_topology();
    struct counts from = {.narrow = mine->count}, from_at = {.narrow = mine->count + n}, to = {.narrow = all->count}, to_at = {.narrow = all->count + n};
    return em_Alltoallv(mine->edge, from, from_at, integer, all->edge, to, to_at, integer, comm);
}

/* Returns a topology of the edges at this process's node, incoming and outgoing ones apart, or NULL without memory. */
static struct topology *graph_of(const struct edges *all, bool weighted)
{
    int edges = all->total / EDGE_INTS, out = 0, i = 0, o = 0;
    for (int k = 0; k < edges; k++)
        out += all->edge[k].out;
    struct topology *t = new_dist_graph(edges - out, out, weighted);
    for (int k = 0; k < edges && t; k++) {
        const struct edge *edge = &all->edge[k];
        if (weighted)
            *(edge->out ? &t->destination_weight[o] : &t->source_weight[i]) = edge->weight;
        *(edge->out ? &t->destination[o++] : &t->source[i++]) = edge->peer;
    }
    return t;
}

/* Returns the error of the edges that this process passes for a distributed graph (MPI-5.0, 8.5.4), or MPI_SUCCESS. */
static int check_dist_graph(const struct comm *comm, int n, const int *sources, const int *degrees, const int *destinations, const int *weights)
{
    int64_t edges = 0;
    if (comm->inter)
        return em_error(MPI_ERR_COMM, "comm is an intercommunicator");
    int err = check_ranks(comm, n, sources, MPI_UNWEIGHTED, "sources");
    for (int i = 0; i < n && !err; i++) {
        if (degrees[i] < 0)
            err = em_error(MPI_ERR_ARG, "degree %d is %d", i, degrees[i]);
        edges += degrees[i];
    }
    if (err)
        return err;
    if (edges && (!destinations || !weights))
        return em_error(MPI_ERR_ARG, "%s is a null pointer", destinations ? "weights" : "destinations");
    return check_ranks(comm, (int)edges, destinations, weights, "destinations");
}

/* Collective. Any process may pass any edge, so the processes exchange the edges first. info and reorder are ignored. */
int em_Dist_graph_create(struct comm *comm, int n, const int *sources, const int *degrees, const int *destinations, const int *weights, struct info *info, int reorder, MPI_Comm *newcomm)
{
    int err = check_dist_graph(comm, n, sources, degrees, destinations, weights);
    if (err)
        return err;
    struct edges mine = {.count = calloc((size_t)comm->size * 2, sizeof(int))}, all = {.count = calloc((size_t)comm->size * 2, sizeof(int))};
    struct topology *t = NULL;
    if (mine.count && all.count) {
        for_ends(n, sources, degrees, destinations, weights, count_edge, &mine);
        if (allocate_edges(&mine, comm->size)) {
            struct edges next = {.count = mine.count + comm->size, .edge = mine.edge};
            for_ends(n, sources, degrees, destinations, weights, put_edge, &next);
            for (int i = comm->size - 1; i >= 0; i--) /* the first ones again */
                mine.count[comm->size + i] -= mine.count[i];
            err = exchange_edges(comm, &mine, &all);
            t = err ? NULL : graph_of(&all, weights != MPI_UNWEIGHTED);
        }
    }
    free(mine.count);
    free(mine.edge);
    free(all.count);
    free(all.edge);
    if (err)
        return err;
    return t ? em_topology_comm(comm, 0, comm->rank, t, newcomm) : em_no_topology();
}

/* Writes the lengths that the arrays of em_Dist_graph_neighbors need. Local. */
int em_Dist_graph_neighbors_count(struct comm *comm, int *indegree, int *outdegree, int *weighted)
{
    int err = em_check_topology(comm, MPI_DIST_GRAPH);
    if (err)
        return err;
    *indegree = comm->topology->sources;
    *outdegree = comm->topology->destinations;
    *weighted = comm->topology->weighted;
    return MPI_SUCCESS;
}

/* Writes at most as many neighbors as the arrays have room for, because shorter arrays are no error. */
int em_Dist_graph_neighbors(struct comm *comm, int maxindegree, int *sources, int *sourceweights, int maxoutdegree, int *destinations, int *destweights)
{
    const struct topology *t = comm->topology;
    int err = em_check_topology(comm, MPI_DIST_GRAPH);
    if (err)
        return err;
    if (maxindegree < 0 || maxoutdegree < 0)
        return em_error(MPI_ERR_ARG, "maxindegree is %d, maxoutdegree %d", maxindegree, maxoutdegree);
    int in = maxindegree < t->sources ? maxindegree : t->sources, out = maxoutdegree < t->destinations ? maxoutdegree : t->destinations;
    copy_ints(sources, t->source, in);
    copy_ints(destinations, t->destination, out);
    if (t->weighted && sourceweights != MPI_UNWEIGHTED)
        copy_ints(sourceweights, t->source_weight, in);
    if (t->weighted && destweights != MPI_UNWEIGHTED)
        copy_ints(destweights, t->destination_weight, out);
    return MPI_SUCCESS;
}
