/*
 * Scan and Exscan, by the tree of reduce.c: on each level the ranks of two neighboring blocks
 * exchange the results of their blocks; a rank of the right block then combines the left result
 * with its result in its own block.
 */
#include "reduce.h"

struct prefix {
    void *value; /* written at any time */
    bool empty;
};

/* The operand of all ranks on the left of this rank's block has arrived in spare. */
static void fold_prefix(struct schedule *s, const struct reduction *r, struct prefix *p, const void *spare)
{
    if (p->empty)
        em_step_copy(s, spare, r->count, r->type, p->value, r->count, r->type);
    else
        em_step_reduce(s, spare, p->value, r->count, r->type, r->op);
    p->empty = false;
}

/* Makes the steps of Scan, or of Exscan if exclusive is true. The result of the first rank of an Exscan is not written. */
static void make_prefixes(struct schedule *s, const struct collective *c, bool exclusive)
{
    void *out = c->receive.buf;
    const void *in = c->send.in_place ? out : c->send.buf;
    struct reduction r = em_reduction_of(s, in, c->receive.count, c->receive.type, c->op);
    if (!operand_bytes(&r))
        return;
    struct accumulator total = {.value = in};
    struct prefix prefix = {.value = in == out ? em_schedule_elements(s, r.count, r.type) : out, .empty = exclusive};
    if (!exclusive)
        em_step_copy(s, in, r.count, r.type, prefix.value, r.count, r.type);
    for (int block = 1; block < r.n; block *= 2) {
        struct level l = em_level_of(&r, block);
        if (!l.other_size)
            continue;
        em_exchange_level(s, &r, &total, &l, !(l.left && l.top), l.left || !l.top);
        if (!l.left)
            fold_prefix(s, &r, &prefix, total.spare);
        if (!l.top)
            em_fold(s, &r, &total, l.left);
    }
    if (!prefix.empty)
        em_step_copy(s, prefix.value, r.count, r.type, out, r.count, r.type);
}

void em_make_scan(struct schedule *s, const struct collective *c) { make_prefixes(s, c, false); }

void em_make_exscan(struct schedule *s, const struct collective *c) { make_prefixes(s, c, true); }
