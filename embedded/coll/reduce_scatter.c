/* Reduce_scatter within one group, by point-to-point messages. No state, no locks. */
#include "reduce.h"

enum { SCATTER_RANKS = 64 }; /* ranks up to which the ranks exchange segments */

/* Reduces to rank 0, which sends each rank its segment. */
static void reduce_then_scatter(struct schedule *s, const struct reduction *r, const struct collective *c, const int64_t *first)
{
    void *whole = NULL;
    if (r->me == 0 && !(whole = em_schedule_elements(s, r->count, r->type)))
        return;
    em_make_reduce(s, r->in, whole, r->count, r->type, r->op, 0);
    em_step_barrier(s);
    struct side all = {.form = SIDE_COUNTS, .buf = whole, .type = r->type, .counts = c->receive.counts, .displs = {.wide = first}};
    if (c->receive.form == SIDE_EACH)
        all = (struct side){.form = SIDE_EACH, .buf = whole, .type = r->type, .count = c->receive.count};
    struct block own = {c->receive.buf, first[r->me + 1] - first[r->me], r->type};
    em_make_flat_scatter(s, &all, own, 0);
}

void em_make_reduce_scatter(struct schedule *s, const struct collective *c)
{
    char *out = c->receive.buf;
    struct reduction r = em_reduction_of(s, c->send.in_place ? out : c->send.buf, 0, c->receive.type, c->op);
    const int64_t *first = em_first_elements(s, &c->receive, r.n);
    if (!first)
        return;
    r.count = first[r.n];
    if (!operand_bytes(&r))
        return;
    if (r.n == 1) {
        em_step_copy(s, r.in, r.count, r.type, out, r.count, r.type);
    } else if (r.n > SCATTER_RANKS) {
        reduce_then_scatter(s, &r, c, first);
    } else {
        int64_t own = first[r.me + 1] - first[r.me];
        /* In place, the operand is needed until the end. */
        void *result = c->send.in_place && own ? em_schedule_elements(s, own, r.type) : out;
        em_reduce_own_segment(s, &r, first, result);
        em_step_copy(s, result, own, r.type, out, own, r.type);
    }
}
