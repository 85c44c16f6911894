/*
 * The tree of reductions within one group.
 *
 * All reductions combine operands by the same tree. The operands of ranks a to b - 1 are split after
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

void em_exchange_level(struct schedule *s, const struct reduction *r, struct accumulator *a, const struct level *l, bool receives, bool sends)
{
    int place = r->me - l->own;
    if (receives)
        em_step_recv(s, em_spare_of(s, r, a), r->count, r->type, l->other + place % l->other_size);
    for (int i = place; sends && i < l->other_size; i += l->own_size)
        em_step_send(s, a->value, r->count, r->type, l->other + i);
    em_step_barrier(s);
}
