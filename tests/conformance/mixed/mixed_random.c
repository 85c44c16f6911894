/*
 * Random correct communication on all ranks at once: communicators that are split, duplicated, merged and freed in
 * between, derived datatypes that are freed while in use, messages of every mode, collectives, blocking and
 * nonblocking, in place or not, windows and files, and many pending requests for each completion function. The received
 * data is compared with the expected data.
 *
 *   mixed_random [SEED [STEPS]]
 */
#include "check.h"
#include "files.h"
#include "random.h"
#include "reductions.h"
#include <unistd.h>

enum { SLOTS = 5, CROWD = 24, MOST = 6, RANKS = 64, ROOM = 16 * RANKS * MOST };

static uint64_t state;

/* Returns the same numbers on all ranks. */
static unsigned random_below(unsigned n) { return random_next(&state, n); }

static int step;

/* ---- layouts: a datatype, and the positions of its integers ---- */

struct layout {
    MPI_Datatype type;
    int ints, extent, offsets[4];
};

static struct layout layout_made(void)
{
    struct layout l = {MPI_INT, 1, 1, {0}};
    MPI_Datatype inner;
    int lengths[2] = {1, 2}, displacements[2] = {3, 0};
    MPI_Aint bytes[2] = {4 * sizeof(int), 0};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    switch (random_below(6)) {
    case 0:
        MUST(MPI_Type_dup(MPI_INT, &l.type));
        break;
    case 1:
        l = (struct layout){MPI_INT, 2, 2, {0, 1}};
        MUST(MPI_Type_contiguous(2, MPI_INT, &l.type));
        break;
    case 2:
        l = (struct layout){MPI_INT, 3, 5, {0, 2, 4}};
        MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &l.type));
        break;
    case 3:
        l = (struct layout){MPI_INT, 3, 4, {3, 0, 1}};
        MUST(MPI_Type_indexed(2, lengths, displacements, MPI_INT, &l.type));
        break;
    case 4:
        l = (struct layout){MPI_INT, 3, 6, {4, 0, 1}};
        MUST(MPI_Type_create_struct(2, lengths, bytes, types, &inner));
        MUST(MPI_Type_create_resized(inner, 0, 6 * sizeof(int), &l.type));
        MUST(MPI_Type_free(&inner));
        break;
    default:
        l = (struct layout){MPI_INT, 2, 3, {0, 2}};
        MUST(MPI_Type_create_indexed_block(2, 1, (int[]){0, 2}, MPI_INT, &l.type));
    }
    MUST(MPI_Type_commit(&l.type));
    return l;
}

/* Returns integer number i of the data that goes from one rank to another in this step. */
static int value(int from, int to, int i) { return step * 7919 + from * 613 + to * 41 + i; }

static void fill(int *buffer, const struct layout *l, int first, int count, int from, int to)
{
    for (int e = 0; e < count; e++)
        for (int k = 0; k < l->ints; k++)
            buffer[(first + e) * l->extent + l->offsets[k]] = value(from, to, e * l->ints + k);
}

/* ---- pending requests ---- */

struct pending {
    MPI_Request request;
    int persistent, n; /* the number of integers to be checked */
    int *out, *in, *want, *counts;
    const char *what;
    int step;
};

static struct pending crowd[CROWD];
static int waiting;
static struct pending now; /* the request of this step */

static void begin(const char *what)
{
    now = (struct pending){MPI_REQUEST_NULL, 0, ROOM, malloc(ROOM * sizeof(int)), malloc(ROOM * sizeof(int)), malloc(ROOM * sizeof(int)),
                           calloc(6 * RANKS, sizeof(int)), what, step};
    for (int i = 0; i < ROOM; i++)
        now.out[i] = now.in[i] = now.want[i] = -5;
}

static void look(struct pending *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->in[i] != p->want[i]) {
            check_fail(__FILE__, __LINE__, "step %d, %s: integer %d is %d, not %d", p->step, p->what, i, p->in[i], p->want[i]);
            break;
        }
    if (p->persistent)
        MUST(MPI_Request_free(&p->request));
    CHECK(p->request == MPI_REQUEST_NULL);
    free(p->out), free(p->in), free(p->want), free(p->counts);
}

/* Completes some requests. The library determines how many at a time. */
static void complete(unsigned how)
{
    MPI_Request requests[CROWD];
    MPI_Status statuses[CROWD];
    int indices[CROWD], n = 0, flag = 0, which = 0;
    if (waiting == 0)
        return;
    for (int i = 0; i < waiting; i++)
        requests[i] = crowd[i].request;
    switch (how) {
    case 0: MUST(MPI_Waitall(waiting, requests, statuses)); n = waiting; break;
    case 1: MUST(MPI_Waitall(waiting, requests, MPI_STATUSES_IGNORE)); n = waiting; break;
    case 2:
        while (!flag)
            MUST(MPI_Testall(waiting, requests, &flag, statuses));
        n = waiting;
        break;
    case 3: MUST(MPI_Waitsome(waiting, requests, &n, indices, statuses)); break;
    case 4: MUST(MPI_Testsome(waiting, requests, &n, indices, MPI_STATUSES_IGNORE)); break;
    case 5: MUST(MPI_Waitany(waiting, requests, &indices[0], statuses)); n = 1; break;
    case 6: MUST(MPI_Testany(waiting, requests, &indices[0], &flag, statuses)); n = flag; break;
    case 7: MUST(MPI_Wait(&requests[which = waiting / 2], statuses)); indices[0] = which, n = 1; break;
    default: MUST(MPI_Test(&requests[which = waiting - 1], &flag, MPI_STATUS_IGNORE)); indices[0] = which, n = flag;
    }
    CHECK(n >= 0 && n <= waiting);
    char done[CROWD] = "";
    for (int i = 0; i < n; i++)
        done[how < 3 ? i : indices[i]] = 1;
    for (int i = 0; i < waiting; i++)
        crowd[i].request = requests[i];
    for (int i = waiting - 1; i >= 0; i--)
        if (done[i]) {
            look(&crowd[i]);
            crowd[i] = crowd[--waiting];
        }
}

/* Ends the step that began with begin: its request is pending with the others. */
static void end(void)
{
    if (now.request == MPI_REQUEST_NULL) {
        look(&now);
        return;
    }
    if (waiting == CROWD)
        complete(0);
    crowd[waiting++] = now;
}

/* ---- communicators ---- */

static MPI_Comm comms[SLOTS]; /* MPI_COMM_NULL if this rank is not in it */
static int copies, keyval;

static int copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    int n;
    (void)key;
    CHECK(extra == &copies && MPI_Comm_size(comm, &n) == MPI_SUCCESS);
    *(void **)out = (char *)in + 1;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static void put(unsigned slot, MPI_Comm comm)
{
    if (slot == 0) { /* always the whole world */
        if (comm != MPI_COMM_NULL)
            MUST(MPI_Comm_free(&comm));
        return;
    }
    complete(0); /* Open MPI's nonblocking collectives do not outlive their communicator */
    if (comms[slot] != MPI_COMM_NULL)
        MUST(MPI_Comm_free(&comms[slot]));
    comms[slot] = comm;
}

static void communicators(MPI_Comm comm, unsigned into)
{
    const unsigned kind = random_below(7), colours = 1 + random_below(3), turn = random_below(8);
    MPI_Comm made = MPI_COMM_NULL, between;
    MPI_Request request;
    MPI_Group group, part;
    int me, n, flag, result;
    void *attribute;
    if (comm == MPI_COMM_NULL) {
        put(into, MPI_COMM_NULL);
        return;
    }
    MUST(MPI_Comm_rank(comm, &me));
    MUST(MPI_Comm_size(comm, &n));
    switch (kind) {
    case 0:
        MUST(MPI_Comm_split(comm, (me + turn) % 4 == 3 ? MPI_UNDEFINED : (int)(me % colours), -me, &made));
        break;
    case 1:
        MUST(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)step));
        MUST(MPI_Comm_dup(comm, &made));
        MUST(MPI_Comm_get_attr(made, keyval, &attribute, &flag));
        CHECK(flag && (intptr_t)attribute == step + 1);
        MUST(MPI_Comm_compare(comm, made, &result));
        CHECK_INT(result, MPI_CONGRUENT);
        break;
    case 2:
        MUST(MPI_Comm_idup(comm, &made, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        break;
    case 3:
        MUST(MPI_Comm_group(comm, &group));
        MUST(MPI_Group_range_incl(group, 1, (int[][3]){{n - 1, 0, -1}}, &part));
        MUST(MPI_Comm_create(comm, part, &made));
        MUST(MPI_Comm_rank(made, &result));
        CHECK_INT(result, n - 1 - me);
        MUST(MPI_Group_free(&part));
        MUST(MPI_Group_free(&group));
        break;
    case 4:
        MUST(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &made));
        break;
    case 5:
        MUST(MPI_Cart_create(comm, 1, &n, (int[]){1}, 1, &made));
        MUST(MPI_Cart_shift(made, 0, 1, &flag, &result));
        break;
    default:
        if (n < 2)
            break;
        MPI_Comm half;
        MUST(MPI_Comm_split(comm, me % 2, me, &half));
        MUST(MPI_Intercomm_create(half, 0, comm, 1 - me % 2, 77, &between));
        int all[RANKS], there;
        MUST(MPI_Comm_remote_size(between, &there));
        MUST(MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, between));
        for (int i = 0; i < there; i++)
            CHECK_INT(all[i], 2 * i + 1 - me % 2);
        MUST(MPI_Iallreduce(&me, &result, 1, MPI_INT, MPI_MAX, between, &request));
        MUST(MPI_Intercomm_merge(between, me % 2, &made));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MUST(MPI_Comm_free(&between));
        MUST(MPI_Comm_free(&half));
        CHECK_INT(result, 2 * (there - 1) + 1 - me % 2);
    }
    put(into, made);
}

/* ---- messages ---- */

static void messages(MPI_Comm comm)
{
    struct layout l = layout_made(), r = random_below(2) ? l : (struct layout){MPI_INT, 1, 1, {0}};
    const int count = (int)random_below(MOST), shift = (int)random_below(4), mode = (int)random_below(6), receive = (int)random_below(5),
              tag = step, any = (int)random_below(3) == 0;
    if (comm != MPI_COMM_NULL) {
        int me, n, flag = 0, got;
        MUST(MPI_Comm_rank(comm, &me));
        MUST(MPI_Comm_size(comm, &n));
        const int to = (me + shift) % n, from = (me + n - shift % n) % n, ints = count * l.ints;
        MPI_Status status;
        MPI_Message message;
        begin("a receive");
        fill(now.want, &r, 0, ints / r.ints, from, me);
        struct pending in = now;
        begin("a send");
        struct pending out = now;
        fill(out.out, &l, 0, count, me, to);
        out.n = 0;
        if (receive == 0 || receive == 1) {
            in.persistent = receive == 1;
            if (in.persistent) {
                MUST(MPI_Recv_init(in.in, ints / r.ints, r.type, any ? MPI_ANY_SOURCE : from, tag, comm, &in.request));
                MUST(MPI_Start(&in.request));
            } else
                MUST(MPI_Irecv(in.in, ints / r.ints + 1, r.type, any ? MPI_ANY_SOURCE : from, tag, comm, &in.request));
        }
        switch (mode) {
        case 0: MUST(MPI_Isend(out.out, count, l.type, to, tag, comm, &out.request)); break;
        case 1: MUST(MPI_Issend(out.out, count, l.type, to, tag, comm, &out.request)); break;
        case 2: MUST(MPI_Ibsend(out.out, count, l.type, to, tag, comm, &out.request)); break;
        case 3:
            MUST(MPI_Send_init(out.out, count, l.type, to, tag, comm, &out.request));
            MUST(MPI_Start(&out.request));
            out.persistent = 1;
            break;
        case 4: MUST(MPI_Bsend(out.out, count, l.type, to, tag, comm)); break;
        default:
            MUST(MPI_Ssend_init(out.out, count, l.type, to, tag, comm, &out.request));
            MUST(MPI_Startall(1, &out.request));
            out.persistent = 1;
        }
        if (receive == 2) {
            MUST(MPI_Mprobe(any ? MPI_ANY_SOURCE : from, tag, comm, &message, &status));
            CHECK_INT(status.MPI_SOURCE, from);
            CHECK_INT(status.MPI_TAG, tag);
            MUST(MPI_Get_elements(&status, MPI_INT, &got));
            CHECK_INT(got, ints);
            MUST(MPI_Imrecv(in.in, ints / r.ints, r.type, &message, &in.request));
        } else if (receive == 3) {
            while (!flag)
                MUST(MPI_Iprobe(from, tag, comm, &flag, &status));
            MUST(MPI_Get_count(&status, r.type, &got));
            CHECK_INT(got, ints / r.ints);
            MUST(MPI_Recv(in.in, got, r.type, status.MPI_SOURCE, status.MPI_TAG, comm, &status));
            CHECK_INT(status.MPI_SOURCE, from);
        } else if (receive == 4) {
            MUST(MPI_Recv(in.in, ints / r.ints, r.type, from, tag, comm, MPI_STATUS_IGNORE));
        }
        now = out, end();
        now = in, end();
    }
    MUST(MPI_Type_free(&l.type));
}

/* ---- collectives ---- */

/* Composes the functions x -> ax + b: associative, not commutative. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const unsigned *f = in;
    unsigned *g = inout;
    int bytes;
    MPI_Type_size(*type, &bytes);
    CHECK_INT(bytes, 2 * sizeof(unsigned));
    for (int i = 0; i < *count; i++, f += 2, g += 2) {
        g[1] += g[0] * f[1];
        g[0] *= f[0];
    }
}

/* Computes element e of a block reduced over the ranks first to last. */
static void fold(int *want, int first, int last, int to, int count, int pairs)
{
    for (int e = 0; e < count; e++) {
        unsigned a = 1, b = 0, sum = 0;
        for (int r = first; r <= last; r++) {
            sum += (unsigned)value(r, to, e);
            unsigned c = (unsigned)value(r, to, 2 * e), d = (unsigned)value(r, to, 2 * e + 1);
            b = d + c * b, a *= c;
        }
        if (pairs)
            want[2 * e] = (int)a, want[2 * e + 1] = (int)b;
        else
            want[e] = (int)sum;
    }
}

static void reductions(MPI_Comm comm)
{
    const int kind = (int)random_below(REDUCTIONS), pairs = (int)random_below(2), count = (int)random_below(MOST), later = (int)random_below(2),
              place = (int)random_below(2), turn = (int)random_below(7);
    if (comm == MPI_COMM_NULL)
        return;
    struct layout l = {MPI_INT, 1, 1, {0}};
    MPI_Op op = MPI_SUM;
    if (pairs) {
        l = (struct layout){MPI_INT, 2, 2, {0, 1}};
        MUST(MPI_Type_contiguous(2, MPI_INT, &l.type));
        MUST(MPI_Type_commit(&l.type));
        MUST(MPI_Op_create(compose, 0, &op));
    }
    int me, n;
    MUST(MPI_Comm_rank(comm, &me));
    MUST(MPI_Comm_size(comm, &n));
    const int root = turn % n;
    begin(reduction_names[kind]);
    /* only the root of a reduction can be in place, and the block is otherwise unchanged */
    const int placed = place && (kind != REDUCE || me == root);
    int *const data = placed ? now.in : now.out;
    const void *from = placed ? MPI_IN_PLACE : now.out;
    if (kind < REDUCE_SCATTER) {
        fill(data, &l, 0, count, me, 0);
        if (placed)
            memcpy(now.want, now.in, ROOM * sizeof(int));
        if (kind == ALLREDUCE || (kind == REDUCE && me == root))
            fold(now.want, 0, n - 1, 0, count, pairs);
        else if (kind == SCAN)
            fold(now.want, 0, me, 0, count, pairs);
        else if (kind == EXSCAN && me > 0)
            fold(now.want, 0, me - 1, 0, count, pairs);
    } else {
        int first = 0;
        for (int r = 0; r < n; r++) {
            now.counts[r] = kind == REDUCE_SCATTER ? (count + r) % MOST : count;
            fill(data, &l, first, now.counts[r], me, r);
            first += now.counts[r];
        }
        fold(now.want, 0, n - 1, me, now.counts[me], pairs);
        if (placed) /* the rest of the buffer may have any value */
            now.n = now.counts[me] * l.ints;
    }
    if (kind == EXSCAN && me == 0)
        now.n = 0;
    const struct reduction reduction = {kind, later ? NONBLOCKING : BLOCKING, from, now.in, count, now.counts, l.type, op, root, comm};
    MUST(reduction_start(&reduction, &now.request));
    if (pairs) {
        MUST(MPI_Op_free(&op));
        MUST(MPI_Type_free(&l.type));
    }
    end();
}

static void movements(MPI_Comm comm)
{
    struct layout l = layout_made();
    const int kind = (int)random_below(10), count = 1 + (int)random_below(MOST - 1), later = (int)random_below(2), place = (int)random_below(2),
              turn = (int)random_below(7);
    static const char *const names[] = {"MPI_Barrier", "MPI_Bcast", "MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv", "MPI_Allgather",
                                        "MPI_Allgatherv", "MPI_Alltoall", "MPI_Alltoallv"};
    if (comm != MPI_COMM_NULL) {
        int me, n;
        MUST(MPI_Comm_rank(comm, &me));
        MUST(MPI_Comm_size(comm, &n));
        begin(names[kind]);
        const int root = turn % n, varying = kind % 2 == 1 && kind > 1;
        int *const counts = now.counts, *const displs = counts + RANKS;
        for (int r = 0, next = 0; r < n; r++) {
            counts[r] = varying ? (count + r) % MOST : count;
            displs[r] = next;
            next += counts[r] + (varying ? 1 : 0);
        }
        const int mine = counts[me], at_root = me == root;
        MPI_Request *const q = &now.request;
        MPI_Datatype t = l.type;
        const void *from = now.out;
        void *in = now.in;
        int *to_counts = calloc(2 * RANKS, sizeof(int)), *to_displs = to_counts + RANKS;
        switch (kind) {
        case 0: MUST(later ? MPI_Ibarrier(comm, q) : MPI_Barrier(comm)); break;
        case 1:
            if (at_root)
                fill(now.in, &l, 0, count, root, 0);
            fill(now.want, &l, 0, count, root, 0);
            MUST(later ? MPI_Ibcast(in, count, t, root, comm, q) : MPI_Bcast(in, count, t, root, comm));
            break;
        case 2: case 3: case 6: case 7:
            if (kind >= 6 || at_root)
                for (int r = 0; r < n; r++)
                    fill(now.want, &l, displs[r], counts[r], r, 0);
            if (place && (kind >= 6 || at_root)) {
                fill(now.in, &l, displs[me], mine, me, 0);
                from = MPI_IN_PLACE;
            } else
                fill(now.out, &l, 0, mine, me, 0);
            if (kind == 2)
                MUST(later ? MPI_Igather(from, mine, t, in, count, t, root, comm, q) : MPI_Gather(from, mine, t, in, count, t, root, comm));
            else if (kind == 3)
                MUST(later ? MPI_Igatherv(from, mine, t, in, counts, displs, t, root, comm, q)
                           : MPI_Gatherv(from, mine, t, in, counts, displs, t, root, comm));
            else if (kind == 6)
                MUST(later ? MPI_Iallgather(from, mine, t, in, count, t, comm, q) : MPI_Allgather(from, mine, t, in, count, t, comm));
            else
                MUST(later ? MPI_Iallgatherv(from, mine, t, in, counts, displs, t, comm, q)
                           : MPI_Allgatherv(from, mine, t, in, counts, displs, t, comm));
            break;
        case 4: case 5:
            if (at_root)
                for (int r = 0; r < n; r++)
                    fill(now.out, &l, displs[r], counts[r], root, r);
            if (place && at_root)
                in = MPI_IN_PLACE;
            else
                fill(now.want, &l, 0, mine, root, me);
            if (kind == 4)
                MUST(later ? MPI_Iscatter(from, count, t, in, mine, t, root, comm, q) : MPI_Scatter(from, count, t, in, mine, t, root, comm));
            else
                MUST(later ? MPI_Iscatterv(from, counts, displs, t, in, mine, t, root, comm, q)
                           : MPI_Scatterv(from, counts, displs, t, in, mine, t, root, comm));
            break;
        default:
            /* Ranks r and s exchange (count + r + s) % MOST elements, so that in place both directions have the same
             * number. */
            for (int r = 0, next = 0; r < n; r++) {
                to_counts[r] = kind == 9 ? (count + r + me) % MOST : count;
                to_displs[r] = next;
                next += to_counts[r];
                fill(now.want, &l, to_displs[r], to_counts[r], r, me);
                fill(place ? now.in : now.out, &l, to_displs[r], to_counts[r], me, r);
            }
            memcpy(counts, to_counts, 2 * RANKS * sizeof(int));
            if (place)
                from = MPI_IN_PLACE;
            if (kind == 8)
                MUST(later ? MPI_Ialltoall(from, count, t, in, count, t, comm, q) : MPI_Alltoall(from, count, t, in, count, t, comm));
            else
                MUST(later ? MPI_Ialltoallv(from, counts, displs, t, in, counts, displs, t, comm, q)
                           : MPI_Alltoallv(from, counts, displs, t, in, counts, displs, t, comm));
        }
        free(to_counts);
        end();
    }
    MUST(MPI_Type_free(&l.type));
}

/* ---- windows and files ---- */

static void windows(MPI_Comm comm)
{
    struct layout l = layout_made();
    const int count = 1 + (int)random_below(MOST - 1), shift = (int)random_below(4), allocated = (int)random_below(2), locked = (int)random_below(2);
    if (comm != MPI_COMM_NULL) {
        int me, n, *memory, got[ROOM / 16], before;
        const int one = 1;
        MPI_Win win;
        MUST(MPI_Comm_rank(comm, &me));
        MUST(MPI_Comm_size(comm, &n));
        const int to = (me + shift) % n, from = (me + n - shift % n) % n;
        begin("a window");
        if (allocated)
            MUST(MPI_Win_allocate(ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win));
        else
            MUST(MPI_Win_create(memory = now.in, ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &win));
        for (int i = 0; i < ROOM; i++)
            memory[i] = -5;
        fill(now.out, &l, 0, count, me, to);
        fill(now.want, &l, 0, count, from, me);
        memory[ROOM - 1] = 0, memory[ROOM - 2] = 0;
        now.want[ROOM - 1] = n, now.want[ROOM - 2] = n * (n + 1) / 2;
        MUST(MPI_Barrier(comm));
        if (locked) {
            MUST(MPI_Win_lock_all(0, win));
        } else
            MUST(MPI_Win_fence(0, win));
        MUST(MPI_Put(now.out, count, l.type, to, 0, count, l.type, win));
        for (int r = 0; r < n; r++) {
            int mine = me + 1;
            MUST(MPI_Accumulate(&mine, 1, MPI_INT, r, ROOM - 2, 1, MPI_INT, MPI_SUM, win));
            if (locked)
                MUST(MPI_Win_flush_local(r, win));
            else
                MUST(MPI_Win_fence(0, win));
        }
        if (locked) {
            for (int r = 0; r < n; r++) {
                MUST(MPI_Fetch_and_op(&one, &before, MPI_INT, r, ROOM - 1, MPI_SUM, win));
                MUST(MPI_Win_flush(r, win));
                CHECK(before >= 0 && before < n);
            }
            MUST(MPI_Win_unlock_all(win));
            MUST(MPI_Barrier(comm));
            MUST(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
        } else
            now.want[ROOM - 1] = 0;
        for (int i = 0; i < ROOM; i++)
            if (memory[i] != now.want[i]) {
                check_fail(__FILE__, __LINE__, "step %d, a window: integer %d is %d, not %d", step, i, memory[i], now.want[i]);
                break;
            }
        if (locked)
            MUST(MPI_Win_unlock(me, win));
        MUST(MPI_Barrier(comm));
        if (!locked)
            MUST(MPI_Win_fence(0, win));
        else
            MUST(MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win));
        MUST(MPI_Get(got, count * l.extent, MPI_INT, to, 0, count * l.extent, MPI_INT, win));
        if (!locked)
            MUST(MPI_Win_fence(0, win));
        else
            MUST(MPI_Win_unlock(to, win));
        for (int e = 0; e < count; e++)
            for (int k = 0; k < l.ints; k++)
                CHECK_INT(got[e * l.extent + l.offsets[k]], value(me, to, e * l.ints + k));
        MUST(MPI_Win_free(&win));
        now.n = 0;
        end();
    }
    MUST(MPI_Type_free(&l.type));
}

static void files(MPI_Comm comm)
{
    struct layout l = layout_made();
    const int count = 1 + (int)random_below(MOST - 1), later = (int)random_below(2), shared = (int)random_below(2);
    if (comm != MPI_COMM_NULL) {
        int me, n, got;
        long who;
        char name[FILENAME_MAX];
        MPI_File file;
        MPI_Status status;
        MPI_Datatype view;
        MUST(MPI_Comm_rank(comm, &me));
        MUST(MPI_Comm_size(comm, &n));
        who = (long)getpid();
        MUST(MPI_Bcast(&who, 1, MPI_LONG, 0, comm));
        snprintf(name, sizeof name, "%s.%ld", file_path("mixed_random"), who);
        begin("a file");
        fill(now.out, &l, 0, count, me, 0);
        fill(now.want, &l, 0, count, shared ? me : (me + 1) % n, 0);
        MUST(MPI_File_open(comm, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
        if (shared) {
            /* Each rank in its own blocks of the whole. */
            MUST(MPI_Type_create_subarray(2, (int[]){count, n}, (int[]){count, 1}, (int[]){0, me}, MPI_ORDER_C, MPI_INT, &view));
            MUST(MPI_Type_commit(&view));
            MUST(MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL));
            MUST(MPI_Type_free(&view));
            MUST(MPI_File_write_all(file, now.out, count, l.type, &status));
            MUST(MPI_Get_count(&status, l.type, &got));
            CHECK_INT(got, count);
            MUST(MPI_File_sync(file));
            MUST(MPI_Barrier(comm));
            MUST(MPI_File_sync(file));
            MUST(MPI_File_seek(file, 0, MPI_SEEK_SET));
            MUST(MPI_File_read_all(file, now.in, count, l.type, &status));
        } else {
            const MPI_Offset block = (MPI_Offset)(count * l.ints * (int)sizeof(int));
            if (later) {
                MUST(MPI_File_iwrite_at(file, me * block, now.out, count, l.type, &now.request));
                MUST(MPI_Wait(&now.request, &status));
            } else
                MUST(MPI_File_write_at_all(file, me * block, now.out, count, l.type, &status));
            MUST(MPI_Get_elements(&status, MPI_INT, &got));
            CHECK_INT(got, count * l.ints);
            MUST(MPI_File_sync(file));
            MUST(MPI_Barrier(comm));
            MUST(MPI_File_sync(file));
            if (later) {
                MUST(MPI_File_iread_at(file, (me + 1) % n * block, now.in, count, l.type, &now.request));
                MUST(MPI_Wait(&now.request, &status));
            } else
                MUST(MPI_File_read_at_all(file, (me + 1) % n * block, now.in, count, l.type, &status));
        }
        MUST(MPI_Get_count(&status, l.type, &got));
        CHECK_INT(got, count);
        MUST(MPI_File_close(&file));
        end();
    }
    MUST(MPI_Type_free(&l.type));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int room = 1 << 22, steps = argc > 2 ? atoi(argv[2]) : 200;
    void *buffer = malloc(room);
    int detached;
    state = random_state(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    MUST(MPI_Buffer_attach(buffer, room));
    MUST(MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &keyval, &copies));
    for (int i = 0; i < SLOTS; i++)
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (step = 1; step <= steps; step++) {
        const unsigned slot = random_below(SLOTS), into = random_below(SLOTS), kind = random_below(40), how = random_below(9);
        if (kind < 6)
            communicators(comms[slot], into);
        else if (kind < 18)
            messages(comms[slot]);
        else if (kind < 26)
            reductions(comms[slot]);
        else if (kind < 36)
            movements(comms[slot]);
        else if (kind < 38)
            windows(comms[slot]);
        else
            files(comms[slot]);
        if (random_below(3) == 0)
            complete(how);
    }
    complete(0);
    for (int i = 0; i < SLOTS; i++)
        if (comms[i] != MPI_COMM_NULL)
            MUST(MPI_Comm_free(&comms[i]));
    MUST(MPI_Comm_free_keyval(&keyval));
    MUST(MPI_Buffer_detach(&buffer, &detached));
    free(buffer);
    return check_done("mixed_random");
}
