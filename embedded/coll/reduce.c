/*
 * Reductions within one group, by point-to-point messages.
 *
 * All of them combine operands by the same tree. The operands of ranks a to b - 1 are split after
 * the largest power of two that is less than b - a; both parts are combined, and then the left
 * result with the right one:
 *
 *   T(a, b) = operand of a                    if b - a = 1
 *             T(a, a + m) op T(a + m, b)      m: the largest power of two below b - a
 *
 *   five ranks: ((0 op 1) op (2 op 3)) op 4
 *
 * Reduce, Allreduce and Reduce_scatter return T(0, n), Scan at rank r returns T(0, r + 1), and
 * Exscan T(0, r). So the bits of a result do not depend on the algorithm, the root, the size of
 * the message or its parts, nor on the placement of ranks. The operation need not be commutative.
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

struct reduction em_reduction_of(struct schedule *s, const void *in, int64_t count, struct type *type, struct op *op)
{
    struct comm *comm = em_schedule_comm(s);
    return (struct reduction){in, count, type, op, comm->size, comm->rank};
}

static bool is_flat(struct schedule *s, const struct reduction *r)
{
    int64_t bytes = operand_bytes(r);
    if (!em_few_rounds(s))
        return r->n <= FLAT_RANKS && bytes <= FLAT_BYTES;
    return r->n <= CROWDED_RANKS && bytes <= CROWDED_BYTES && r->n * bytes <= CROWDED_MEMORY;
}

static bool is_segmented(const struct reduction *r, int64_t bytes) { return operand_bytes(r) >= bytes && r->count >= r->n && r->n <= SEGMENT_RANKS; }

/* ---- all operands in one rank ---- */

void em_combine(struct schedule *s, const struct reduction *r, void **operand, int lo, int n, int64_t count)
{
    if (n < 2)
        return;
    int left = em_left_operands(n);
    em_combine(s, r, operand, lo, left, count);
    em_combine(s, r, operand, lo + left, n - left, count);
    em_step_reduce(s, operand[lo + left - 1], operand[lo + n - 1], count, r->type, r->op);
}

void em_place_operands(struct schedule *s, const struct reduction *r, void **operand, char *memory, const void *own, void *out, int64_t count)
{
    for (int i = 0; i < r->n; i++)
        operand[i] = i == r->n - 1 ? out : memory + i * count * r->type->device.extent;
    if (r->me % 2 == 0 && r->me != r->n - 1 && own != out)
        operand[r->me] = (void *)(uintptr_t)own;
    else
        em_step_copy(s, own, count, r->type, operand[r->me], count, r->type);
}

/* The same as reduce_flat for two ranks. */
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

void *em_spare_of(struct schedule *s, const struct reduction *r, struct accumulator *a)
{
    if (!a->spare)
        a->spare = em_schedule_elements(s, r->count, r->type);
    return a->spare;
}

void em_fold(struct schedule *s, const struct reduction *r, struct accumulator *a, bool from_right)
{
    if (from_right) {
        void *before = a->own;
        em_step_reduce(s, a->value, a->spare, r->count, r->type, r->op);
        a->value = a->own = a->spare;
        a->spare = before;
        return;
    }
    if (!a->own) {
        a->own = em_schedule_elements(s, r->count, r->type);
        em_step_copy(s, a->value, r->count, r->type, a->own, r->count, r->type);
        a->value = a->own;
    }
    em_step_reduce(s, a->spare, a->own, r->count, r->type, r->op);
}

struct level em_level_of(const struct reduction *r, int block)
{
    struct level l = {.own = r->me / block * block};
    int pair = r->me / (2 * block) * (2 * block);
    l.left = l.own == pair;
    l.other = l.left ? pair + block : pair;
    l.own_size = r->n - l.own < block ? r->n - l.own : block;
    l.other_size = l.other >= r->n ? 0 : r->n - l.other < block ? r->n - l.other : block;
    l.top = pair == 0 && 2 * block >= r->n;
    return l;
}

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

void em_exchange_level(struct schedule *s, const struct reduction *r, struct accumulator *a, const struct level *l, bool receives, bool sends)
{
    int place = r->me - l->own;
    if (receives)
        em_step_recv(s, em_spare_of(s, r, a), r->count, r->type, l->other + place % l->other_size);
    for (int i = place; sends && i < l->other_size; i += l->own_size)
        em_step_send(s, a->value, r->count, r->type, l->other + i);
    em_step_barrier(s);
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
