/*
 * Collective operations that move data, within one group, by point-to-point messages: barrier,
 * gather, scatter, allgather, all-to-all; and the tables of communicators. The choice of an algorithm
 * depends only on values that all ranks know: number of ranks, bytes, and few_rounds of the table. If
 * ranks outnumber cores, algorithms with few rounds win, because each round costs every rank a turn on
 * a core. No state, no locks.
 */
#include "coll.h"
#include "reduce.h"

enum {
    FLAT_RANKS = 64,         /* ranks up to which rank 0 sends to all others, if ranks outnumber cores */
    SMALL_BYTES = 8192,      /* the largest block of an exchange with all peers at a time */
    RING_RANKS = 8,          /* ranks up to which an allgather sends large blocks to all others */
    RING_BYTES = 65536,      /* smallest allgather that is a ring */
    BRUCK_RANKS = 16,        /* ranks from which an allgather of small blocks takes a logarithmic number of rounds */
    BRUCK_BYTES = 1024,      /* the largest average block of that */
    WINDOW = 8,              /* peers at a time in an exchange of large blocks */
};

/* ---- barrier ---- */

/* The barrier: rounds in which each rank passes a signal on at twice the distance, or if ranks outnumber cores, signals to rank 0 and back. */
static void make_barrier(struct schedule *s, const struct collective *c)
{
    int n = c->comm->size, me = c->comm->rank;
    if (!em_few_rounds(s) || n == 2 || n > FLAT_RANKS) {
        for (int k = 1; k < n; k <<= 1) {
            em_step_send(s, NULL, 0, em_byte(), (me + k) % n);
            em_step_recv(s, NULL, 0, em_byte(), (me - k + n) % n);
            em_step_barrier(s);
        }
        return;
    }
    if (me) {
        em_step_recv(s, NULL, 0, em_byte(), 0);
        em_step_send(s, NULL, 0, em_byte(), 0);
        return;
    }
    for (int i = 1; i < n; i++)
        em_step_recv(s, NULL, 0, em_byte(), i);
    em_step_barrier(s);
    for (int i = 1; i < n; i++)
        em_step_send(s, NULL, 0, em_byte(), i);
}

/* ---- broadcast ---- */

static void make_bcast(struct schedule *s, const struct collective *c)
{
    em_make_bcast(s, c->receive.buf, c->receive.count, c->receive.type, c->root);
}

/* ---- gather, scatter ---- */

/* A flat gather: all messages may arrive at once, and the root posts all receives first. */
static void make_gather(struct schedule *s, const struct collective *c)
{
    int n = c->comm->size, me = c->comm->rank;
    if (me != c->root) {
        em_send_block(s, side_block(&c->send, 0), c->root);
        return;
    }
    for (int i = 0; i < n; i++)
        if (i != me)
            em_receive_block(s, side_block(&c->receive, i), i);
    if (!c->send.in_place)
        em_move_block(s, side_block(&c->send, 0), side_block(&c->receive, me));
}

static void make_scatter(struct schedule *s, const struct collective *c)
{
    struct block none = {NULL, 0, NULL};
    em_make_flat_scatter(s, &c->send, c->receive.in_place ? none : side_block(&c->receive, 0), c->root);
}

/* ---- exchanges ---- */

/* Sends a block to each other rank, and receives one from it; large ones with a few ranks at a time. */
static void exchange_blocks(struct schedule *s, const struct side *send, const struct side *receive, bool windows)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    for (int k = 1; k < n; k++) {
        int to = (me + k) % n, from = (me - k + n) % n;
        em_receive_block(s, side_block(receive, from), from);
        em_send_block(s, side_block(send, to), to);
        if (windows && k % WINDOW == 0)
            em_step_barrier(s);
    }
}

/* Passes each block around, so that a rank connects to two ranks only. */
static void allgather_ring(struct schedule *s, const struct side *receive)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    for (int k = 0; k < n - 1; k++) {
        em_receive_block(s, side_block(receive, (me - k - 1 + n) % n), (me - 1 + n) % n);
        em_send_block(s, side_block(receive, (me - k + n) % n), (me + 1) % n);
        em_step_barrier(s);
    }
}

/* Bruck's algorithm: in each round a rank sends all blocks that it has. Block i of the memory is that of rank me + i. */
static void allgather_bruck(struct schedule *s, const struct side *receive)
{
    int n = em_schedule_comm(s)->size, me = em_schedule_comm(s)->rank;
    struct block own = side_block(receive, me);
    int64_t bytes = block_bytes(own);
    char *blocks = em_schedule_memory(s, n * bytes);
    em_step_copy(s, own.buf, own.count, own.type, blocks, bytes, em_byte());
    for (int have = 1; have < n; have <<= 1) {
        int more = have < n - have ? have : n - have;
        em_step_recv(s, blocks + have * bytes, more * bytes, em_byte(), (me + have) % n);
        em_step_send(s, blocks, more * bytes, em_byte(), (me - have + n) % n);
        em_step_barrier(s);
    }
    for (int i = 1; i < n; i++) {
        struct block part = side_block(receive, (me + i) % n);
        em_step_copy(s, blocks + i * bytes, bytes, em_byte(), part.buf, part.count, part.type);
    }
}

/* The allgather: by Bruck's algorithm, a ring, or an exchange with all others, by the number of ranks and bytes. */
static void make_allgather(struct schedule *s, const struct collective *c)
{
    int n = c->comm->size, me = c->comm->rank;
    struct block own = side_block(&c->receive, me);
    int64_t bytes = 0;
    for (int i = 0; i < (c->receive.form == SIDE_EACH ? 1 : n); i++)
        bytes += block_bytes(side_block(&c->receive, i));
    if (c->receive.form == SIDE_EACH)
        bytes *= n;
    if (!bytes)
        return;
    if (!c->send.in_place)
        em_move_block(s, side_block(&c->send, 0), own);
    struct side send = {.form = SIDE_ONE, .buf = own.buf, .count = own.count, .type = own.type};
    if (n > BRUCK_RANKS && c->receive.form == SIDE_EACH && bytes <= (int64_t)n * BRUCK_BYTES && !em_few_rounds(s))
        allgather_bruck(s, &c->receive);
    else if (n > RING_RANKS && bytes >= RING_BYTES)
        allgather_ring(s, &c->receive);
    else
        exchange_blocks(s, &send, &c->receive, false);
}

/* Copies the blocks that the exchange overwrites. Returns a side with the copies; its buf is NULL if memory is lacking. */
static struct side copy_received(struct schedule *s, const struct side *side, int n)
{
    struct side copies = {.form = SIDE_TYPES};
    int64_t *counts = em_schedule_memory(s, n * (int64_t)sizeof *counts), *displs = em_schedule_memory(s, n * (int64_t)sizeof *displs), total = 0;
    MPI_Datatype *types = em_schedule_memory(s, n * (int64_t)sizeof *types);
    if (!counts || !displs || !types)
        return copies;
    for (int i = 0; i < n; i++) {
        counts[i] = block_bytes(side_block(side, i));
        displs[i] = total;
        types[i] = MPI_BYTE;
        total += counts[i];
    }
    copies.counts.wide = counts;
    copies.displs.wide = displs;
    copies.types = types;
    copies.buf = em_schedule_memory(s, total);
    for (int i = 0; copies.buf && i < n; i++)
        em_move_block(s, side_block(side, i), side_block(&copies, i));
    return copies;
}

static void make_alltoall(struct schedule *s, const struct collective *c)
{
    int n = c->comm->size, me = c->comm->rank;
    struct side send = c->send;
    bool windows = false;
    if (c->send.in_place) {
        send = copy_received(s, &c->receive, n);
        if (!send.buf)
            return;
    } else {
        em_move_block(s, side_block(&send, me), side_block(&c->receive, me));
    }
    for (int i = 0; i < n && n > WINDOW && !windows; i++)
        windows = block_bytes(side_block(&send, i)) > SMALL_BYTES || block_bytes(side_block(&c->receive, i)) > SMALL_BYTES;
    exchange_blocks(s, &send, &c->receive, windows);
}

static void make_reduce(struct schedule *s, const struct collective *c)
{
    em_make_reduce(s, c->send.in_place ? c->receive.buf : c->send.buf, c->receive.buf, c->receive.count, c->receive.type, c->op, c->root);
}

/* ---- tables ---- */

#define FUNCTIONS                                     \
    {                                                 \
        [COLL_BARRIER] = make_barrier,                \
        [COLL_BCAST] = make_bcast,                    \
        [COLL_GATHER] = make_gather,                  \
        [COLL_SCATTER] = make_scatter,                \
        [COLL_ALLGATHER] = make_allgather,            \
        [COLL_ALLTOALL] = make_alltoall,              \
        [COLL_REDUCE] = make_reduce,                  \
        [COLL_ALLREDUCE] = em_make_allreduce,         \
        [COLL_REDUCE_SCATTER] = em_make_reduce_scatter, \
        [COLL_SCAN] = em_make_scan,                   \
        [COLL_EXSCAN] = em_make_exscan,               \
        [COLL_NEIGHBOR] = em_make_neighbor,           \
    }
#define CALLS                                           \
    {                                                   \
        [COLL_BARRIER] = em_area_barrier,               \
        [COLL_BCAST] = em_area_bcast,                   \
        [COLL_GATHER] = em_area_gather,                 \
        [COLL_SCATTER] = em_area_scatter,               \
        [COLL_ALLGATHER] = em_area_allgather,           \
        [COLL_ALLTOALL] = em_area_alltoall,             \
        [COLL_REDUCE] = em_area_reduce,                 \
        [COLL_ALLREDUCE] = em_area_allreduce,           \
        [COLL_REDUCE_SCATTER] = em_area_reduce_scatter, \
        [COLL_SCAN] = em_area_scan,                     \
        [COLL_EXSCAN] = em_area_exscan,                 \
    }

const struct collops em_collops_work = {.name = "little work", .few_rounds = false, .make = FUNCTIONS, .call = CALLS};
const struct collops em_collops_rounds = {.name = "few rounds", .few_rounds = true, .make = FUNCTIONS, .call = CALLS};

const struct collops *em_collops_for(const struct comm *comm)
{
    if (comm->inter)
        return &em_collops_inter;
    return em->collops ? em->collops : MPID_Oversubscribed() ? &em_collops_rounds : &em_collops_work;
}
