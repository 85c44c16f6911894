/*
 * Collective operations that move data, in every form, with datatypes of one block and with holes,
 * from nothing to a megabyte, in communicators with several orders of the ranks.
 */
#include "collective.h"

static MPI_Comm comm;
static int n, me;
static int nonblocking;
static const struct layout *from, *to; /* of the sender and of the receiver */
static int64_t ints;                   /* in a block; a multiple of PATTERN_INTS */
static int seeds;                      /* makes each call's data different */

static int64_t from_count(void) { return ints / from->ints; }
static int64_t to_count(void) { return ints / to->ints; }
static int *at(int *buf, const struct layout *l, int64_t element) { return buf + element * l->extent; }

static void test_bcast(int root)
{
    const struct layout *l = me == root ? from : to;
    int64_t count = ints / l->ints;
    int seed = seeds + root;
    int *buf = new_buffer(l, count);
    if (me == root)
        fill(buf, l, count, seed, 0);
    BOTH(nonblocking, Bcast, Ibcast, buf, (int)count, l->type, root, comm);
    CHECK(has_data(buf, l, count, seed, 0));
    free(buf);
}

static void test_gather(int root, int in_place)
{
    int *send = new_buffer(from, from_count()), *receive = me == root ? new_buffer(to, n * to_count()) : NULL;
    fill(send, from, from_count(), seeds + me, 0);
    if (me == root && in_place)
        fill(at(receive, to, me * to_count()), to, to_count(), seeds + me, 0);
    BOTH(nonblocking, Gather, Igather, me == root && in_place ? MPI_IN_PLACE : send, (int)from_count(), from->type, receive, (int)to_count(), to->type, root, comm);
    for (int i = 0; me == root && i < n; i++)
        CHECK(has_data(at(receive, to, i * to_count()), to, to_count(), seeds + i, 0));
    free(send);
    free(receive);
}

static void test_scatter(int root, int in_place)
{
    int *send = me == root ? new_buffer(from, n * from_count()) : NULL, *receive = new_buffer(to, to_count());
    for (int i = 0; me == root && i < n; i++)
        fill(at(send, from, i * from_count()), from, from_count(), seeds + i, 0);
    BOTH(nonblocking, Scatter, Iscatter, send, (int)from_count(), from->type, me == root && in_place ? MPI_IN_PLACE : receive, (int)to_count(), to->type, root, comm);
    if (!(me == root && in_place))
        CHECK(has_data(receive, to, to_count(), seeds + me, 0));
    free(send);
    free(receive);
}

static void test_allgather(int in_place)
{
    int *send = new_buffer(from, from_count()), *receive = new_buffer(to, n * to_count());
    fill(send, from, from_count(), seeds + me, 0);
    if (in_place)
        fill(at(receive, to, me * to_count()), to, to_count(), seeds + me, 0);
    BOTH(nonblocking, Allgather, Iallgather, in_place ? MPI_IN_PLACE : send, (int)from_count(), from->type, receive, (int)to_count(), to->type, comm);
    for (int i = 0; i < n; i++)
        CHECK(has_data(at(receive, to, i * to_count()), to, to_count(), seeds + i, 0));
    free(send);
    free(receive);
}

static void test_alltoall(int in_place)
{
    int *send = new_buffer(from, n * from_count()), *receive = new_buffer(to, n * to_count());
    for (int i = 0; i < n; i++) {
        fill(at(send, from, i * from_count()), from, from_count(), seeds + me * n + i, 0);
        if (in_place)
            fill(at(receive, to, i * to_count()), to, to_count(), seeds + me * n + i, 0);
    }
    BOTH(nonblocking, Alltoall, Ialltoall, in_place ? MPI_IN_PLACE : send, (int)from_count(), from->type, receive, (int)to_count(), to->type, comm);
    for (int i = 0; i < n; i++)
        CHECK(has_data(at(receive, to, i * to_count()), to, to_count(), seeds + i * n + me, 0));
    free(send);
    free(receive);
}

/* ---- different counts: that of a pair of ranks, in elements of the layout ---- */

static int blocks(int a, int b) { return (a * 3 + b * 5) % 4; } /* 0 to 3 */
static int elements(const struct layout *l, int a, int b) { return (int)(ints / l->ints) * blocks(a, b); }

/* The counts and displacements of n blocks with a gap of an element, the last one first. Returns the number of elements. */
static int64_t place_blocks(const struct layout *l, int source, int *counts, int *displs, int bytes)
{
    int64_t next = 0;
    for (int i = n - 1; i >= 0; i--) {
        counts[i] = source < 0 ? elements(l, i, 0) : source >= n ? elements(l, i, source - n) : elements(l, source, i);
        displs[i] = (int)(next * (bytes ? l->extent * (int)sizeof(int) : 1));
        next += counts[i] + 1;
    }
    return next;
}

static void test_gatherv(int root, int all, int in_place)
{
    int *counts = malloc((size_t)n * sizeof *counts), *displs = malloc((size_t)n * sizeof *displs);
    int64_t total = place_blocks(to, -1, counts, displs, 0);
    int mine = elements(from, me, 0), root_too = all || me == root, here = in_place && root_too;
    int *send = new_buffer(from, mine), *receive = new_buffer(to, total);
    fill(send, from, mine, seeds + me, 0);
    if (here)
        fill(at(receive, to, displs[me]), to, counts[me], seeds + me, 0);
    if (all)
        BOTH(nonblocking, Allgatherv, Iallgatherv, here ? MPI_IN_PLACE : send, mine, from->type, receive, counts, displs, to->type, comm);
    else
        BOTH(nonblocking, Gatherv, Igatherv, here ? MPI_IN_PLACE : send, mine, from->type, root_too ? receive : NULL, root_too ? counts : NULL, root_too ? displs : NULL, to->type, root, comm);
    for (int i = 0; root_too && i < n; i++) {
        CHECK(has_data(at(receive, to, displs[i]), to, counts[i], seeds + i, 0));
        for (int k = 0; k < to->extent; k++) /* the gap */
            CHECK(at(receive, to, displs[i] + counts[i])[k] == HOLE);
    }
    free(send);
    free(receive);
    free(counts);
    free(displs);
}

static void test_scatterv(int root, int in_place)
{
    int *counts = malloc((size_t)n * sizeof *counts), *displs = malloc((size_t)n * sizeof *displs);
    int64_t total = place_blocks(from, -1, counts, displs, 0);
    int mine = elements(to, me, 0), here = in_place && me == root;
    int *send = new_buffer(from, total), *receive = new_buffer(to, mine);
    for (int i = 0; i < n; i++)
        fill(at(send, from, displs[i]), from, counts[i], seeds + i, 0);
    BOTH(nonblocking, Scatterv, Iscatterv, me == root ? send : NULL, me == root ? counts : NULL, me == root ? displs : NULL, from->type, here ? MPI_IN_PLACE : receive, mine, to->type, root, comm);
    if (!here)
        CHECK(has_data(receive, to, mine, seeds + me, 0));
    free(send);
    free(receive);
    free(counts);
    free(displs);
}

static void test_alltoallv(int mixed, int in_place)
{
    int *c[4];
    for (int i = 0; i < 4; i++)
        c[i] = malloc((size_t)n * sizeof(int));
    MPI_Datatype *types = malloc(2 * (size_t)n * sizeof *types);
    int64_t send_total = place_blocks(from, me, c[0], c[1], mixed), receive_total = place_blocks(to, n + me, c[2], c[3], mixed);
    if (in_place) { /* the counts must be the same in both directions */
        receive_total = 0;
        for (int i = 0; i < n; i++) {
            c[2][i] = elements(to, me < i ? me : i, me < i ? i : me);
            c[3][i] = (int)receive_total * (mixed ? to->extent * (int)sizeof(int) : 1);
            receive_total += c[2][i] + 1;
        }
    }
    int *send = new_buffer(from, send_total), *receive = new_buffer(to, receive_total);
    int send_unit = mixed ? from->extent * (int)sizeof(int) : 1, receive_unit = mixed ? to->extent * (int)sizeof(int) : 1;
    for (int i = 0; i < n; i++) {
        types[i] = from->type;
        types[n + i] = to->type;
        fill(at(send, from, c[1][i] / send_unit), from, c[0][i], seeds + me * n + i, 0);
        if (in_place)
            fill(at(receive, to, c[3][i] / receive_unit), to, c[2][i], seeds + me * n + i, 0);
    }
    if (mixed)
        BOTH(nonblocking, Alltoallw, Ialltoallw, in_place ? MPI_IN_PLACE : send, in_place ? NULL : c[0], in_place ? NULL : c[1], in_place ? NULL : types, receive, c[2], c[3], types + n, comm);
    else
        BOTH(nonblocking, Alltoallv, Ialltoallv, in_place ? MPI_IN_PLACE : send, in_place ? NULL : c[0], in_place ? NULL : c[1], in_place ? MPI_DATATYPE_NULL : from->type, receive, c[2], c[3], to->type, comm);
    for (int i = 0; i < n; i++)
        CHECK(has_data(at(receive, to, c[3][i] / receive_unit), to, c[2][i], seeds + i * n + me, 0));
    for (int i = 0; i < 4; i++)
        free(c[i]);
    free(types);
    free(send);
    free(receive);
}

/* A rank leaves a barrier only after all have entered: the last one sends nothing before it. */
static void test_barrier(void)
{
    for (int late = 0; late < n; late++) {
        int flag = 0, token = late;
        MPI_Request request, *requests = malloc((size_t)n * sizeof *requests);
        for (int i = 0; i < n; i++)
            requests[i] = MPI_REQUEST_NULL;
        for (int i = 0; i < n && me == late; i++)
            if (i != me)
                MPI_Isend(&token, 1, MPI_INT, i, 5, comm, &requests[i]);
        BOTH(nonblocking, Barrier, Ibarrier, comm);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        free(requests);
        if (me == late)
            continue;
        MPI_Iprobe(late, 5, comm, &flag, MPI_STATUS_IGNORE);
        MPI_Irecv(&token, 1, MPI_INT, late, 5, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(token == late);
        CHECK(flag);
    }
}

static void test_all(int few)
{
    int roots = few ? 1 : n;
    for (int i = 0; i < roots; i++) {
        int root = few ? n / 2 : i;
        test_bcast(root);
        for (int in_place = 0; in_place < 2; in_place++) {
            test_gather(root, in_place);
            test_scatter(root, in_place);
            test_gatherv(root, 0, in_place);
            test_scatterv(root, in_place);
        }
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        test_allgather(in_place);
        test_gatherv(0, 1, in_place);
        test_alltoall(in_place);
        test_alltoallv(0, in_place);
        test_alltoallv(1, in_place);
    }
}

static void test_sizes(int64_t largest)
{
    static const int64_t sizes[] = {0, 2, 10, 128, 1000, 4098, 40000, 262144};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++)
        for (int pair = 0; pair < LAYOUTS * LAYOUTS; pair++)
            for (nonblocking = 0; nonblocking < 2; nonblocking++) {
                bool large = sizes[i] > 4098;
                if (large && pair > 1) /* large blocks: the plain layout, and plain to holes */
                    continue;
                if (sizes[i] > 40000 && pair != nonblocking)
                    continue;
                ints = sizes[i];
                from = &layouts[pair / LAYOUTS];
                to = &layouts[pair % LAYOUTS];
                seeds += 1000;
                test_all(large || n > 4);
            }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int64_t largest = argc > 1 && atoll(argv[1]) ? atoll(argv[1]) : 262144;
    MPI_Comm orders[3];
    MPI_Comm_dup(MPI_COMM_WORLD, &orders[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &orders[1]);     /* the last rank first */
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &orders[2]);  /* every second rank */
    for (int i = 0; i < 3; i++) {
        comm = orders[i];
        MPI_Comm_size(comm, &n);
        MPI_Comm_rank(comm, &me);
        for (nonblocking = 0; nonblocking < 2; nonblocking++)
            test_barrier();
        test_sizes(i == 0 ? largest : largest < 1000 ? largest : 1000);
        MPI_Comm_free(&orders[i]);
    }
    return end();
}
