/*
 * Reduce and Allreduce within one group, by point-to-point messages. All of them combine operands by the same tree
 * (tree.c). No state, no locks.
 */
#include "reduce.h"

enum {
    FLAT_RANKS = 4,              /* ranks up to which all operands are sent to the rank that combines them */
    FLAT_BYTES = 8192,           /* the largest operand of that */
    CROWDED_RANKS = 64,          /* the same two, if ranks outnumber cores: then each round costs more than the work */
    CROWDED_BYTES = 65536,
    CROWDED_MEMORY = 1 << 20,    /* most bytes of all operands together */
    SEGMENT_RANKS = 32,          /* ranks up to which each rank combines a segment of large operands */
    SEGMENT_BYTES = 32768,       /* smallest operands of that, for Allreduce */
    SEGMENT_ROOT_BYTES = 524288, /* for Reduce, which sends twice as much as a tree does */
};

static bool is_flat(struct schedule *s, const struct reduction *r)
{
    int64_t bytes = operand_bytes(r);
    if (!em_few_rounds(s))
        return r->n <= FLAT_RANKS && bytes <= FLAT_BYTES;
    return r->n <= CROWDED_RANKS && bytes <= CROWDED_BYTES && r->n * bytes <= CROWDED_MEMORY;
}

static bool is_segmented(const struct reduction *r, int64_t bytes) { return operand_bytes(r) >= bytes && r->count >= r->n && r->n <= SEGMENT_RANKS; }

/* ---- all operands in one rank ---- */

/* reduce_flat for two ranks. */
static void reduce_pair(struct schedule *s, const struct reduction *r, void *out, int root)
{
    int other = 1 - r->me;
    if (root == other) {
        em_step_send(s, r->in, r->count, r->type, other);
        return;
    }
    const void *own = r->in;
    void *received = out;
    if (r->me == 1 || own == out) {
        void *memory = em_schedule_elements(s, r->count, r->type);
        em_step_copy(s, own, r->count, r->type, r->me ? out : memory, r->count, r->type);
        own = r->me ? out : memory;
        received = r->me ? memory : out;
    }
    em_step_recv(s, received, r->count, r->type, other);
    if (root < 0)
        em_step_send(s, own, r->count, r->type, other);
    em_step_barrier(s);
    em_step_reduce(s, r->me ? received : own, out, r->count, r->type, r->op);
}

/* The root receives all operands (root -1: every rank), and combines them. */
static void reduce_flat(struct schedule *s, const struct reduction *r, void *out, int root)
{
    if (r->n == 2) {
        reduce_pair(s, r, out, root);
        return;
    }
    if (root >= 0 && r->me != root) {
        em_step_send(s, r->in, r->count, r->type, root);
        return;
    }
    void **operand = em_schedule_memory(s, r->n * (int64_t)sizeof *operand);
    char *memory = em_schedule_elements(s, (r->n - 1) * r->count, r->type);
    if (!operand || !memory)
        return;
    em_place_operands(s, r, operand, memory, r->in, out, r->count);
    for (int k = 1; k < r->n; k++) {
        int from = (r->me - k + r->n) % r->n, to = (r->me + k) % r->n;
        em_step_recv(s, operand[from], r->count, r->type, from);
        if (root < 0)
            em_step_send(s, operand[r->me], r->count, r->type, to);
    }
    em_step_barrier(s);
    em_combine(s, r, operand, 0, r->n, r->count);
}

/* ---- one level of the tree after the other ---- */

static int agent(int first, int size, int root) { return root >= first && root < first + size ? root : first; }

/* Each block has one rank with its result: the root, or else the first one. */
static void reduce_by_tree(struct schedule *s, const struct reduction *r, void *out, int root)
{
    struct accumulator a = {.value = r->in};
    for (int block = 1; block < r->n; block *= 2) {
        struct level l = em_level_of(r, block);
        if (!l.other_size)
            continue;
        int other = agent(l.other, l.other_size, root);
        int both = other == root ? root : r->me == root ? root : l.left ? r->me : other;
        if (both != r->me) {
            em_step_send(s, a.value, r->count, r->type, both);
            return;
        }
        em_step_recv(s, em_spare_of(s, r, &a), r->count, r->type, other);
        em_step_barrier(s);
        em_fold(s, r, &a, l.left);
    }
    em_step_copy(s, a.value, r->count, r->type, out, r->count, r->type);
}

static void allreduce_by_levels(struct schedule *s, const struct reduction *r, void *out)
{
    struct accumulator a = {.value = r->in};
    for (int block = 1; block < r->n; block *= 2) {
        struct level l = em_level_of(r, block);
        if (!l.other_size)
            continue;
        em_exchange_level(s, r, &a, &l, true, true);
        em_fold(s, r, &a, l.left);
    }
    em_step_copy(s, a.value, r->count, r->type, out, r->count, r->type);
}

/* ---- Reduce, Allreduce ---- */

void em_make_reduce(struct schedule *s, const void *in, void *out, int64_t count, struct type *type, struct op *op, int root)
{
    struct reduction r = em_reduction_of(s, in, count, type, op);
    if (!operand_bytes(&r))
        return;
    if (r.n == 1)
        em_step_copy(s, in, count, type, out, count, type);
    else if (is_flat(s, &r))
        reduce_flat(s, &r, out, root);
    else if (!em_few_rounds(s) && is_segmented(&r, SEGMENT_ROOT_BYTES))
        em_reduce_segments(s, &r, out, root);
    else
        reduce_by_tree(s, &r, out, root);
}

void em_make_allreduce(struct schedule *s, const struct collective *c)
{
    const void *in = c->send.in_place ? c->receive.buf : c->send.buf;
    struct reduction r = em_reduction_of(s, in, c->receive.count, c->receive.type, c->op);
    void *out = c->receive.buf;
    if (!operand_bytes(&r))
        return;
    if (r.n == 1)
        em_step_copy(s, in, r.count, r.type, out, r.count, r.type);
    else if (is_flat(s, &r) && r.n <= FLAT_RANKS)
        reduce_flat(s, &r, out, -1);
    else if (is_segmented(&r, SEGMENT_BYTES))
        em_reduce_segments(s, &r, out, -1);
    else if (is_flat(s, &r)) {
        reduce_flat(s, &r, out, 0);
        em_step_barrier(s);
        em_make_bcast(s, out, r.count, r.type, 0);
    } else
        allreduce_by_levels(s, &r, out);
}
