/*
 * Large-count collectives (MPI-4.0, 6 and 8) with counts and displacements beyond the chunk limit that the suite sets:
 * on some ranks only, in place, between groups, nonblocking. The parts are stored in reverse order with gaps.
 */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007, MAX = 16 };

static MPI_Count counts[MAX];
static MPI_Aint displs[MAX];
static int *out, *in;
static int room; /* ints in each buffer */
static MPI_Datatype gappy; /* the first of every two ints */

/* Returns the size of rank i's part: rank 0 has a small part, and of more than two ranks the last has none. */
static int part(int i, int n) { return i == 0 ? 3 : n > 2 && i == n - 1 ? 0 : N + i; }
static int value(int from, int to, int i) { return 1000000 * from + 100000 * to + i % 99991; }

static void layout(int n)
{
    MPI_Aint at = 5;
    for (int i = n - 1; i >= 0; i--) {
        counts[i] = part(i, n);
        displs[i] = at;
        at += part(i, n) + 7;
    }
    room = 2 * ((int)at + MAX * (N + MAX));
    out = realloc(out, room * sizeof *out);
    in = realloc(in, room * sizeof *in);
}

static void clear(void)
{
    for (int i = 0; i < room; i++)
        out[i] = in[i] = -1;
}

/* Checks that in contains the parts of n ranks at displs, and nothing in the gaps. */
static void parts_are(int n, int to, int all)
{
    int wrong = 0;
    for (int from = 0; from < n; from++)
        for (int i = 0; i < part(all ? from : to, n); i++)
            wrong += in[displs[from] + i] != value(from, all ? 0 : to, i);
    for (int i = 0; i < 5; i++)
        wrong += in[i] != -1;
    CHECK_INT(wrong, 0);
}

#define DO(nonblocking, name, ...)                            \
    do {                                                      \
        if (nonblocking) {                                    \
            MPI_Request request;                              \
            MUST(MPI_I##name(__VA_ARGS__, &request));         \
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));      \
        } else {                                              \
            MUST(upper_##name(__VA_ARGS__));                  \
        }                                                     \
    } while (0)
#define upper_bcast_c MPI_Bcast_c
#define upper_gather_c MPI_Gather_c
#define upper_scatter_c MPI_Scatter_c
#define upper_allgather_c MPI_Allgather_c
#define upper_alltoall_c MPI_Alltoall_c
#define upper_gatherv_c MPI_Gatherv_c
#define upper_scatterv_c MPI_Scatterv_c
#define upper_allgatherv_c MPI_Allgatherv_c
#define upper_alltoallv_c MPI_Alltoallv_c
#define upper_alltoallw_c MPI_Alltoallw_c
#define upper_neighbor_allgather_c MPI_Neighbor_allgather_c
#define upper_neighbor_alltoall_c MPI_Neighbor_alltoall_c
#define upper_neighbor_allgatherv_c MPI_Neighbor_allgatherv_c
#define upper_neighbor_alltoallv_c MPI_Neighbor_alltoallv_c
#define upper_neighbor_alltoallw_c MPI_Neighbor_alltoallw_c

/* The same count on all ranks. One side has it as ints, the other as elements with gaps. */
static void regular(int nonblocking, MPI_Comm comm, int n, int me)
{
    const int root = n - 1;
    int wrong = 0;
    clear();
    for (int i = 0; i < N && me == root; i++)
        in[2 * i] = i;
    DO(nonblocking, bcast_c, in, N, gappy, root, comm);
    for (int i = 0; i < N; i++)
        wrong += in[2 * i] != i || in[2 * i + 1] != -1;
    CHECK_INT(wrong, 0);
    clear();
    for (int i = 0; i < N; i++)
        out[2 * i] = value(me, 0, i);
    DO(nonblocking, gather_c, out, N, gappy, in, N, MPI_INT, root, comm);
    for (int i = 0; i < n * N && me == root; i++)
        wrong += in[i] != value(i / N, 0, i % N);
    CHECK_INT(wrong, 0);
    clear();
    for (int i = 0; i < N; i++) {
        out[2 * i] = value(me, 0, i);
        if (me == root)
            in[me * N + i] = value(me, 0, i);
    }
    DO(nonblocking, gather_c, me == root ? MPI_IN_PLACE : out, N, gappy, in, N, MPI_INT, root, comm);
    for (int i = 0; i < n * N && me == root; i++)
        wrong += in[i] != value(i / N, 0, i % N);
    CHECK_INT(wrong, 0);
    clear();
    for (int i = 0; i < n * N && me == root; i++)
        out[i] = value(0, i / N, i % N);
    DO(nonblocking, scatter_c, out, N, MPI_INT, in, N, gappy, root, comm);
    for (int i = 0; i < N; i++)
        wrong += in[2 * i] != value(0, me, i) || in[2 * i + 1] != -1;
    CHECK_INT(wrong, 0);
    clear();
    for (int i = 0; i < N; i++)
        out[2 * i] = value(me, 0, i);
    DO(nonblocking, allgather_c, out, N, gappy, in, N, MPI_INT, comm);
    for (int i = 0; i < n * N; i++)
        wrong += in[i] != value(i / N, 0, i % N);
    CHECK_INT(wrong, 0);
    clear();
    for (int i = 0; i < n * N; i++)
        out[i] = value(me, i / N, i % N);
    DO(nonblocking, alltoall_c, out, N, MPI_INT, in, N, MPI_INT, comm);
    for (int i = 0; i < n * N; i++)
        wrong += in[i] != value(i / N, me, i % N);
    CHECK_INT(wrong, 0);
}

static void irregular(int nonblocking, MPI_Comm comm, int n, int me)
{
    const int root = n - 1;
    MPI_Count mine = part(me, n);
    /* Arguments that are significant only at the root are garbage elsewhere. */
    const MPI_Count *const root_counts = me == root ? counts : NULL;
    const MPI_Aint *const root_displs = me == root ? displs : (MPI_Aint *)8;
    layout(n);
    for (int in_place = 0; in_place < 2; in_place++) {
        const int here = in_place && me == root;
        clear();
        for (int i = 0; i < mine; i++) {
            out[2 * i] = value(me, 0, i);
            if (here)
                in[displs[me] + i] = value(me, 0, i);
        }
        DO(nonblocking, gatherv_c, here ? MPI_IN_PLACE : out, mine, gappy, in, root_counts, root_displs, MPI_INT, root, comm);
        if (me == root)
            parts_are(n, 0, 1);
        clear();
        for (int to = 0; to < n && me == root; to++)
            for (int i = 0; i < counts[to]; i++)
                out[displs[to] + i] = value(0, to, i);
        DO(nonblocking, scatterv_c, out, root_counts, root_displs, MPI_INT, here ? MPI_IN_PLACE : in, mine, gappy, root, comm);
        int wrong = 0;
        for (int i = 0; i < mine && !here; i++)
            wrong += in[2 * i] != value(0, me, i) || in[2 * i + 1] != -1;
        CHECK_INT(wrong, 0);
        clear();
        for (int i = 0; i < mine; i++) {
            out[2 * i] = value(me, 0, i);
            if (in_place)
                in[displs[me] + i] = value(me, 0, i);
        }
        DO(nonblocking, allgatherv_c, in_place ? MPI_IN_PLACE : out, mine, gappy, in, counts, displs, MPI_INT, comm);
        if (n > 1) /* with one process MPICH 4.0.2 ignores the displacement */
            parts_are(n, 0, 1);
    }
    /* Each rank gets the size of its part from each rank, but rank 0 gets nothing, so a rank that sends there has only
     * small counts. */
    MPI_Count to_each[MAX], from_each[MAX], bytes_to[MAX];
    MPI_Aint at[MAX], from_at[MAX], byte_at[MAX], byte_from[MAX];
    MPI_Datatype types[MAX], gappies[MAX];
    for (int i = 0; i < n; i++) {
        to_each[i] = part(i, n);
        at[i] = displs[i];
        from_each[i] = mine;
        from_at[i] = 2 + i * (mine + 2);
        bytes_to[i] = to_each[i];
        byte_at[i] = at[i] * (MPI_Aint)sizeof(int);
        byte_from[i] = from_at[i] * 2 * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
        gappies[i] = gappy;
    }
    for (int kind = 0; kind < 2; kind++) {
        clear();
        for (int to = 0; to < n; to++)
            for (int i = 0; i < to_each[to]; i++)
                out[at[to] + i] = value(me, to, i);
        if (kind == 0)
            DO(nonblocking, alltoallv_c, out, to_each, at, MPI_INT, in, from_each, from_at, gappy, comm);
        else
            DO(nonblocking, alltoallw_c, out, bytes_to, byte_at, types, in, from_each, byte_from, gappies, comm);
        int wrong = 0;
        for (int from = 0; from < n; from++)
            for (int i = 0; i < mine; i++)
                wrong += in[2 * (from_at[from] + i)] != value(from, me, i) || in[2 * (from_at[from] + i) + 1] != -1;
        CHECK_INT(wrong, 0);
    }
    /* In place, both directions between two ranks have the same size. The nonblocking function of MPICH uses one peer's
     * datatype for another. */
    if (nonblocking)
        return;
    for (int i = 0; i < n; i++) {
        from_each[i] = N + i + me;
        from_at[i] = (n - 1 - i) * (N + 2 * MAX);
        byte_at[i] = from_at[i] * (MPI_Aint)sizeof(int);
    }
    for (int kind = 0; kind < 2; kind++) {
        clear();
        for (int to = 0; to < n; to++)
            for (int i = 0; i < from_each[to]; i++)
                in[from_at[to] + i] = value(me, to, i);
        if (kind == 0)
            MUST(MPI_Alltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, from_each, from_at, MPI_INT, comm));
        else
            MUST(MPI_Alltoallw_c(MPI_IN_PLACE, NULL, NULL, NULL, in, from_each, byte_at, types, comm));
        int wrong = 0;
        for (int from = 0; from < n; from++)
            for (int i = 0; i < from_each[from]; i++)
                wrong += in[from_at[from] + i] != value(from, me, i);
        CHECK_INT(wrong, 0);
    }
}

/* A ring: from the previous rank to the next one. */
static void neighbours(int nonblocking, MPI_Comm graph, int n, int me)
{
    const int next = (me + 1) % n, prev = (me + n - 1) % n;
    const MPI_Count to_next = N + next, from_prev = N + me;
    const MPI_Aint at = 2 * N, byte_at = at * (MPI_Aint)sizeof(int);
    const MPI_Datatype type = MPI_INT;
    for (int kind = 0; kind < 5; kind++) {
        const MPI_Count count = kind < 2 ? N : kind == 2 ? N + me : to_next, got = kind < 2 ? N : kind == 2 ? N + prev : from_prev;
        const MPI_Aint sent_at = kind > 2 ? at : 0, got_at = kind > 1 ? at : 0;
        clear();
        for (int i = 0; i < count; i++)
            out[sent_at + i] = value(me, 0, i);
        switch (kind) {
        case 0: DO(nonblocking, neighbor_allgather_c, out, N, MPI_INT, in, N, MPI_INT, graph); break;
        case 1: DO(nonblocking, neighbor_alltoall_c, out, N, MPI_INT, in, N, MPI_INT, graph); break;
        case 2: DO(nonblocking, neighbor_allgatherv_c, out, count, MPI_INT, in, &got, &at, MPI_INT, graph); break;
        case 3: DO(nonblocking, neighbor_alltoallv_c, out, &count, &at, MPI_INT, in, &got, &at, MPI_INT, graph); break;
        default: DO(nonblocking, neighbor_alltoallw_c, out, &count, &byte_at, &type, in, &got, &byte_at, &type, graph);
        }
        int wrong = 0;
        for (int i = 0; i < got; i++)
            wrong += in[got_at + i] != value(prev, 0, i);
        if (wrong)
            check_fail(__FILE__, __LINE__, "neighbours, kind %d, nonblocking %d: %d wrong", kind, nonblocking, wrong);
    }
}

/* Between two halves: a gather to one process of the first half, and an all-to-all. */
static void between_groups(int nonblocking)
{
    MPI_Comm half, inter;
    if (size < 2)
        return;
    const int first = rank < size / 2, mine = first ? size / 2 : size - size / 2, others = size - mine;
    const int me = first ? rank : rank - size / 2, root = !first ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, first, rank, &half));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? size / 2 : 0, 3, &inter));
    layout(others);
    MPI_Count own = part(me, mine);
    clear();
    for (int i = 0; i < own; i++)
        out[2 * i] = value(me, 0, i);
    DO(nonblocking, gatherv_c, out, own, gappy, in, counts, displs, MPI_INT, root, inter);
    if (rank == 0)
        parts_are(others, 0, 1);
    clear();
    for (int i = 0; i < own; i++)
        out[2 * i] = value(me, 0, i);
    DO(nonblocking, allgatherv_c, out, own, gappy, in, counts, displs, MPI_INT, inter);
    parts_are(others, 0, 1);
    /* Only the first process of each group sends large parts. */
    MPI_Count to[MAX], from[MAX];
    for (int i = 0; i < others; i++) {
        to[i] = me == 0 ? N + i : 1;
        from[i] = i == 0 ? N + me : 1;
        displs[i] = i * (N + MAX);
    }
    clear();
    for (int i = 0; i < others * (N + MAX); i++)
        out[i] = value(me, 0, i);
    DO(nonblocking, alltoallv_c, out, to, displs, MPI_INT, in, from, displs, MPI_INT, inter);
    int wrong = 0;
    for (int i = 0; i < others; i++)
        for (int j = 0; j < from[i]; j++)
            wrong += in[displs[i] + j] != value(i, 0, me * (N + MAX) + j);
    CHECK_INT(wrong, 0);
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
}

static void errors(void)
{
    MPI_Comm w;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &w));
    MUST(MPI_Comm_set_errhandler(w, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Gatherv_c(out, 1, MPI_INT, in, counts, displs, MPI_INT, size, w), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast_c(out, N, MPI_DATATYPE_NULL, 0, w), MPI_ERR_TYPE);
    MUST(MPI_Comm_free(&w));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    MPI_Comm graph, cart;
    MUST(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gappy));
    MUST(MPI_Type_commit(&gappy));
    MUST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &prev, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    MUST(MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){0}, 0, &cart));
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        layout(size);
        regular(nonblocking, MPI_COMM_WORLD, size, rank);
        irregular(nonblocking, MPI_COMM_WORLD, size, rank);
        irregular(nonblocking, MPI_COMM_SELF, 1, 0);
        layout(size);
        neighbours(nonblocking, graph, size, rank);
        between_groups(nonblocking);
        layout(size);
        /* The ends of the line lack a neighbor. */
        MPI_Count two[2] = {N, N};
        MPI_Aint at[2] = {0, 0};
        DO(nonblocking, neighbor_alltoallv_c, out, two, at, MPI_INT, in, two, at, MPI_INT, cart);
    }
    errors();
    MUST(MPI_Comm_free(&cart));
    MUST(MPI_Comm_free(&graph));
    MUST(MPI_Type_free(&gappy));
    free(out);
    free(in);
#endif
    return check_done("large_chunk_coll");
}
