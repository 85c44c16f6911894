/*
 * Parts of reductions that several files use. The tree of all reductions is described in tree.c.
 *
 * Gives: struct reduction, accumulator, level; em_combine, em_fold, em_reduce_segments and the others.
 * Needs: coll.h.
 */
#ifndef WI4GO_EMBEDDED_REDUCE_H
#define WI4GO_EMBEDDED_REDUCE_H

#include "coll.h"

struct reduction {
    const void *in; /* this rank's operand */
    int64_t count;
    struct type *type;
    struct op *op;
    int n, me;
};

static inline struct reduction em_reduction_of(struct schedule *s, const void *in, int64_t count, struct type *type, struct op *op)
{
    struct comm *comm = em_schedule_comm(s);
    return (struct reduction){in, count, type, op, comm->size, comm->rank};
}
static inline int64_t operand_bytes(const struct reduction *r) { return r->count ? r->count * r->type->device.size : 0; }

/* ---- all operands in one rank ---- */

/* The number of operands on the left of the top of the tree of n. */
static inline int em_left_operands(int n)
{
    int left = 1;
    while (left * 2 < n)
        left *= 2;
    return left;
}

/* Fills the buffers of all operands: the last one is out, others are in memory, which has room for
 * count elements of each rank. own is this rank's, which is copied if it would be overwritten. */
void em_place_operands(struct schedule *s, const struct reduction *r, void **operand, char *memory, const void *own, void *out, int64_t count);
/* Combines operands lo to lo + n - 1; the result is in the buffer of the last one. Of the others it
 * overwrites those with an odd number. */
void em_combine(struct schedule *s, const struct reduction *r, void **operand, int lo, int n, int64_t count);

/* ---- one level of the tree after the other ---- */

struct accumulator {
    const void *value;
    void *own;   /* value, if it may be written, else NULL */
    void *spare; /* receives the next operand, or NULL until allocated */
};

void *em_spare_of(struct schedule *s, const struct reduction *r, struct accumulator *a);
/* Combines the value with the operand in spare, which comes from the ranks on its right or left. */
void em_fold(struct schedule *s, const struct reduction *r, struct accumulator *a, bool from_right);

/* A pair of neighboring blocks of ranks, on one level of the tree: this rank's and another one. */
struct level {
    int own, own_size, other, other_size; /* first rank and number of ranks; other_size is 0 without another half */
    bool left;                            /* own is the left one */
    bool top;                             /* the two are all ranks */
};

struct level em_level_of(const struct reduction *r, int block);
/* Exchanges the results of two blocks. Each rank of the larger block has one partner in the
 * smaller one, whose ranks send to several. */
void em_exchange_level(struct schedule *s, const struct reduction *r, struct accumulator *a, const struct level *l, bool receives, bool sends);

/* ---- segments (segments.c) ---- */

/* Each rank combines a segment of the operands; the root gets all results, or every rank if root is -1. */
void em_reduce_segments(struct schedule *s, const struct reduction *r, void *out, int root);
/* Each rank combines its segment, whose first element is first[rank], and keeps the result. out does not overlap the operand. */
void em_reduce_own_segment(struct schedule *s, const struct reduction *r, const int64_t *first, void *out);

/* Returns the first element of each rank's segment of a Reduce_scatter, and the end of the last one, or NULL. */
const int64_t *em_first_elements(struct schedule *s, const struct side *side, int n);

collective_function em_make_allreduce, em_make_reduce_scatter, em_make_scan, em_make_exscan;

#endif
