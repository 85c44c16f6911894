/*
 * Topologies: Cartesian, graph, distributed graph; their inquiries, and the collective operations
 * among neighbors in both forms, also when neighbors are the same rank. MPI_Dims_create.
 */
#include "collective.h"

static int nonblocking;

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}
#define FAILS(class, call) CHECK(class_of(call) == (class))

/* ---- operations among neighbors ----
 * Block k of rank r to a neighbor has the seed r * 100 + k. expected(i): the seed of the block from source i. */

static void test_neighbors(MPI_Comm comm, int sources, int destinations, const int *source, const int *expected)
{
    static const int counts_of_rank[] = {1, 0, 3, 2};
    enum { COUNT = 6, MOST = 20 };
    int me, *send = new_buffer(&layouts[0], MOST * COUNT), *receive = new_buffer(&layouts[1], MOST * COUNT);
    const struct layout *holes = &layouts[1];
    MPI_Comm_rank(comm, &me);
    for (int k = 0; k < destinations; k++)
        fill(send + k * COUNT, &layouts[0], COUNT, me * 100 + k, 0);
    BOTH(nonblocking, Neighbor_alltoall, Ineighbor_alltoall, send, COUNT, MPI_INT, receive, COUNT / 2, holes->type, comm);
    for (int i = 0; i < sources; i++)
        if (source[i] != MPI_PROC_NULL)
            CHECK(has_data(receive + i * COUNT / 2 * holes->extent, holes, COUNT / 2, source[i] * 100 + expected[i], 0));
    BOTH(nonblocking, Neighbor_allgather, Ineighbor_allgather, send, COUNT, MPI_INT, receive, COUNT / 2, holes->type, comm);
    for (int i = 0; i < sources; i++)
        if (source[i] != MPI_PROC_NULL)
            CHECK(has_data(receive + i * COUNT / 2 * holes->extent, holes, COUNT / 2, source[i] * 100, 0));
    int counts[MOST], displs[MOST], send_counts[MOST], send_displs[MOST];
    MPI_Aint at[MOST], send_at[MOST];
    MPI_Datatype types[MOST], plain[MOST];
    for (int i = 0; i < MOST; i++) {
        counts[i] = i < sources && source[i] != MPI_PROC_NULL ? counts_of_rank[source[i] % 4] : 0;
        displs[i] = (MOST - 1 - i) * COUNT / 2;
        at[i] = displs[i] * holes->extent * (MPI_Aint)sizeof(int);
        send_counts[i] = counts_of_rank[me % 4] * 2;
        send_displs[i] = i * COUNT;
        send_at[i] = send_displs[i] * (MPI_Aint)sizeof(int);
        types[i] = holes->type;
        plain[i] = MPI_INT;
    }
    for (int form = 0; form < 3; form++) {
        free(receive);
        receive = new_buffer(holes, MOST * COUNT);
        if (form == 0)
            BOTH(nonblocking, Neighbor_allgatherv, Ineighbor_allgatherv, send, send_counts[0], MPI_INT, receive, counts, displs, holes->type, comm);
        else if (form == 1)
            BOTH(nonblocking, Neighbor_alltoallv, Ineighbor_alltoallv, send, send_counts, send_displs, MPI_INT, receive, counts, displs, holes->type, comm);
        else
            BOTH(nonblocking, Neighbor_alltoallw, Ineighbor_alltoallw, send, send_counts, send_at, plain, receive, counts, at, types, comm);
        for (int i = 0; i < sources; i++)
            CHECK(has_data(receive + displs[i] * holes->extent, holes, counts[i], source[i] * 100 + (form ? expected[i] : 0), 0));
    }
    free(send);
    free(receive);
}

/* ---- Cartesian ---- */

static void test_cart(int dims, const int *dim, const int *period)
{
    MPI_Comm comm, sub;
    int me, n, kind, got[4], periods[4], coords[4], size = 1, source[8], expected[8];
    for (int i = 0; i < dims; i++)
        size *= dim[i];
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, dims, dim, period, 1, &comm) == MPI_SUCCESS);
    CHECK((comm == MPI_COMM_NULL) == (world_rank >= size));
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MPI_Topo_test(comm, &kind);
    CHECK(kind == MPI_CART && n == size);
    MPI_Cartdim_get(comm, &kind);
    CHECK(kind == dims);
    MPI_Cart_get(comm, dims, got, periods, coords);
    for (int i = 0, rest = me; i < dims; i++) {
        int stride = 1, before, after, below[4], above[4];
        for (int j = i + 1; j < dims; j++)
            stride *= dim[j];
        CHECK(got[i] == dim[i] && periods[i] == period[i] && coords[i] == rest / stride);
        rest %= stride;
        memcpy(below, coords, sizeof below);
        memcpy(above, coords, sizeof above);
        MPI_Cart_get(comm, dims, got, periods, coords);
        MPI_Cart_coords(comm, me, dims, below);
        memcpy(above, below, sizeof above);
        below[i]--;
        above[i]++;
        MPI_Cart_shift(comm, i, 1, &before, &after);
        source[2 * i] = below[i] < 0 && !period[i] ? MPI_PROC_NULL : (MPI_Cart_rank(comm, below, &kind), kind);
        source[2 * i + 1] = above[i] >= dim[i] && !period[i] ? MPI_PROC_NULL : (MPI_Cart_rank(comm, above, &kind), kind);
        CHECK(before == source[2 * i] && after == source[2 * i + 1]);
        /* What comes from the negative neighbor was sent in the positive direction. */
        expected[2 * i] = 2 * i + 1;
        expected[2 * i + 1] = 2 * i;
        MPI_Cart_shift(comm, i, 1 - 2 * dim[i], &before, &after);
        CHECK(period[i] || (before == MPI_PROC_NULL && after == MPI_PROC_NULL));
    }
    test_neighbors(comm, 2 * dims, 2 * dims, source, expected);
    for (int mask = 0; mask < 1 << dims; mask++) {
        int remain[4], kept = 0, at = 0, rank;
        for (int i = 0; i < dims; i++)
            if ((remain[i] = mask >> i & 1)) {
                at = at * dim[i] + coords[i];
                kept++;
            }
        CHECK(MPI_Cart_sub(comm, remain, &sub) == MPI_SUCCESS);
        MPI_Comm_rank(sub, &rank);
        MPI_Cartdim_get(sub, &kind);
        CHECK(rank == at && kind == kept);
        MPI_Comm_free(&sub);
    }
    MPI_Comm_dup(comm, &sub); /* has the topology */
    MPI_Topo_test(sub, &kind);
    CHECK(kind == MPI_CART);
    MPI_Cart_coords(sub, me, dims, got);
    CHECK(!memcmp(got, coords, (size_t)dims * sizeof *got));
    MPI_Comm_free(&sub);
    MPI_Comm_free(&comm);
}

/* ---- graphs ---- */

/* Node i is connected to itself, to node 0 twice, and to the next node. */
static void test_graph(void)
{
    int n = world_size, *index = malloc((size_t)n * sizeof *index), *edges = malloc((size_t)n * 4 * sizeof *edges), got[4], kind, me;
    MPI_Comm comm;
    for (int i = 0; i < n; i++) {
        index[i] = (i + 1) * 4;
        memcpy(edges + 4 * i, (int[]){i, 0, 0, (i + 1) % n}, 4 * sizeof *edges);
    }
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &comm) == MPI_SUCCESS);
    MPI_Comm_rank(comm, &me);
    MPI_Topo_test(comm, &kind);
    CHECK(kind == MPI_GRAPH);
    int nodes, count, *index2 = calloc((size_t)n, sizeof *index), *edges2 = calloc((size_t)n * 4, sizeof *edges);
    MPI_Graphdims_get(comm, &nodes, &count);
    CHECK(nodes == n && count == 4 * n);
    MPI_Graph_get(comm, n, 4 * n, index2, edges2);
    CHECK(!memcmp(index, index2, (size_t)n * sizeof *index) && !memcmp(edges, edges2, (size_t)n * 4 * sizeof *edges));
    MPI_Graph_neighbors_count(comm, me, &count);
    MPI_Graph_neighbors(comm, me, 4, got);
    CHECK(count == 4 && !memcmp(got, edges + 4 * me, sizeof got));
    MPI_Graph_map(MPI_COMM_WORLD, n, index, edges, &kind);
    CHECK(kind == world_rank);
    MPI_Comm_free(&comm);
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, 0, &comm) == MPI_SUCCESS);
    CHECK((comm == MPI_COMM_NULL) == (world_rank > 0));
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    free(index);
    free(edges);
    free(index2);
    free(edges2);
}

/* Each rank sends to the next three ranks, one of them twice; the weight of an edge is source * 10 + number. */
static void check_dist_graph(MPI_Comm comm, bool adjacent, bool weighted)
{
    enum { DEGREE = 4 };
    int n = world_size, in, out, has_weights, sources[DEGREE], destinations[DEGREE], weights[DEGREE], out_weights[DEGREE], expected[DEGREE], sorted = 0;
    static const int step[DEGREE] = {1, 2, 1, 3};
    CHECK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &has_weights) == MPI_SUCCESS);
    CHECK(in == DEGREE && out == DEGREE && has_weights == weighted);
    CHECK(MPI_Dist_graph_neighbors(comm, DEGREE, sources, weights, DEGREE, destinations, out_weights) == MPI_SUCCESS);
    for (int k = 0; k < DEGREE; k++) {
        CHECK(destinations[k] == (world_rank + step[k]) % n);
        CHECK(!weighted || out_weights[k] == world_rank * 10 + k);
    }
    for (int i = 0; i < DEGREE; i++) { /* the block that source i sends here: of equal edges in their order */
        int before = 0;
        for (int j = 0; j < i; j++)
            before += sources[j] == sources[i];
        expected[i] = -1;
        for (int k = 0; k < DEGREE; k++)
            if ((sources[i] + step[k]) % n == world_rank && before-- == 0)
                expected[i] = k;
        CHECK(expected[i] >= 0);
        CHECK(!weighted || weights[i] == sources[i] * 10 + expected[i]);
        sorted += expected[i];
    }
    CHECK(sorted == 6 || n < 4);
    test_neighbors(comm, DEGREE, DEGREE, sources, expected);
    (void)adjacent;
}

static void test_dist_graph(bool weighted)
{
    MPI_Comm comm, copy;
    int n = world_size, kind, sources[4], destinations[4], in[4], out[4];
    static const int step[4] = {1, 2, 1, 3};
    for (int k = 0; k < 4; k++) {
        destinations[k] = (world_rank + step[k]) % n;
        out[k] = world_rank * 10 + k;
        sources[k] = (world_rank - step[k] % n + n) % n;
        in[k] = sources[k] * 10 + k;
    }
    CHECK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, sources, weighted ? in : MPI_UNWEIGHTED, 4, destinations, weighted ? out : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm) == MPI_SUCCESS);
    MPI_Topo_test(comm, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    if (n > 3) /* otherwise equal edges may have another order in the arguments */
        check_dist_graph(comm, true, weighted);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&comm);
    MPI_Topo_test(copy, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    MPI_Comm_free(&copy);
    /* Each rank contributes the edges of the rank after it. */
    int other = (world_rank + 1) % n, degree = 4;
    for (int k = 0; k < 4; k++) {
        destinations[k] = (other + step[k]) % n;
        out[k] = other * 10 + k;
    }
    CHECK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &other, &degree, destinations, weighted ? out : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm) == MPI_SUCCESS);
    check_dist_graph(comm, false, weighted);
    MPI_Comm_free(&comm);
    /* No edges. */
    CHECK(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm) == MPI_SUCCESS);
    int degrees[2];
    MPI_Dist_graph_neighbors_count(comm, &degrees[0], &degrees[1], &kind);
    CHECK(degrees[0] == 0 && degrees[1] == 0 && kind);
    test_neighbors(comm, 0, 0, NULL, NULL);
    MPI_Comm_free(&comm);
}

/* ---- MPI_Dims_create ---- */

static void test_dims(void)
{
    static const struct {
        int nodes, dims, given[4], expected[4];
    } cases[] = {
        {1, 2, {0}, {1, 1}}, {7, 2, {0}, {7, 1}}, {6, 2, {0}, {3, 2}}, {12, 3, {0}, {3, 2, 2}}, {24, 3, {0}, {4, 3, 2}}, {60, 3, {0}, {5, 4, 3}},
        {64, 3, {0}, {4, 4, 4}}, {6, 3, {0, 3, 0}, {2, 3, 1}}, {36, 4, {0}, {3, 3, 2, 2}}, {2147483647, 2, {0}, {2147483647, 1}},
        {5040, 3, {0}, {21, 16, 15}}, {15984, 4, {0}, {37, 9, 8, 6}}, {590520, 4, {0}, {38, 37, 21, 20}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int dims[4];
        memcpy(dims, cases[i].given, sizeof dims);
        CHECK(MPI_Dims_create(cases[i].nodes, cases[i].dims, dims) == MPI_SUCCESS);
        CHECK(!memcmp(dims, cases[i].expected, (size_t)cases[i].dims * sizeof *dims));
    }
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(7, 2, (int[]){2, 0}));
    FAILS(MPI_ERR_DIMS, MPI_Dims_create(6, 2, (int[]){-1, 0}));
    FAILS(MPI_ERR_ARG, MPI_Dims_create(0, 2, (int[]){0, 0}));
}

static void test_errors(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int data[4], one = 1, zero = 0, rank;
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){world_size + 1}, &zero, 0, &comm));
    CHECK(comm == MPI_COMM_NULL);
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){-1}, &zero, 0, &comm));
    FAILS(MPI_ERR_DIMS, MPI_Cart_create(MPI_COMM_WORLD, -1, &one, &zero, 0, &comm));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Cart_rank(MPI_COMM_WORLD, data, &rank));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Neighbor_allgather(data, 1, MPI_INT, data, 1, MPI_INT, MPI_COMM_WORLD));
    FAILS(MPI_ERR_ARG, MPI_Graph_create(MPI_COMM_WORLD, world_size + 1, data, data, 0, &comm));
    FAILS(MPI_ERR_ARG, MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){1}, 0, &comm));
    FAILS(MPI_ERR_RANK, MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &world_size, &one, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, (int[]){-1}, 0, NULL, (int[]){0}, MPI_INFO_NULL, 0, &comm));
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &comm) == MPI_SUCCESS);
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_ARG, MPI_Cart_rank(comm, &one, &rank));
    FAILS(MPI_ERR_RANK, MPI_Cart_coords(comm, 1, 1, data));
    FAILS(MPI_ERR_ARG, MPI_Cart_coords(comm, 0, 0, data));
    FAILS(MPI_ERR_ARG, MPI_Cart_shift(comm, 1, 1, &data[0], &data[1]));
    FAILS(MPI_ERR_TOPOLOGY, MPI_Graphdims_get(comm, &data[0], &data[1]));
    FAILS(MPI_ERR_BUFFER, MPI_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, data, 1, MPI_INT, comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    test_dims();
    for (nonblocking = 0; nonblocking < 2; nonblocking++) {
        for (int periodic = 0; periodic < 2; periodic++) {
            int period[3] = {periodic, periodic, periodic}, mixed[3] = {periodic, 0, 1};
            test_cart(0, NULL, NULL);
            test_cart(1, &world_size, period);
            test_cart(2, (int[]){1, world_size}, mixed);
            test_cart(2, (int[]){world_size / 2 > 0 ? world_size / 2 : 1, world_size > 1 ? 2 : 1}, period);
            if (world_size >= 4)
                test_cart(3, (int[]){2, 1, 2}, period);
        }
        test_graph();
        test_dist_graph(false);
        test_dist_graph(true);
    }
    test_errors();
    return end();
}
