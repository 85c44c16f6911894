/*
 * A datatype that is being made: a constructor begins a draft, notes its arguments, adds blocks,
 * stores the layout, and ends it.
 *
 * Gives: struct draft, em_draft_begin and the other steps.
 * Needs: layout.h.
 */
#ifndef WI4GO_EMBEDDED_DRAFT_H
#define WI4GO_EMBEDDED_DRAFT_H

#include "layout.h"

struct draft {
    struct contents *contents; /* NULL: memory is lacking */
    bool large;                /* counts are noted as MPI_Count */
    struct layout *layout;     /* the caller stores it; em_draft_end takes the reference */
    int64_t integers, addresses, counts; /* how many are noted */
    int64_t types;
    bool any, bounded, absolute, overflow;
    int64_t lb, ub;
    int align;
    int element; /* -1 before the first element, 0 if the elements differ */
};

/* Begins a draft with contents of these lengths. If large, integers after the first `narrow` and
 * addresses are counts. Returns an error code. */
int em_draft_begin(struct draft *draft, int combiner, bool large, int64_t narrow, int64_t integers, int64_t addresses, int64_t types);
/* Note an argument: an int in both variants; an int or an MPI_Count; an MPI_Aint or an MPI_Count. */
void em_draft_int(struct draft *draft, int value);
void em_draft_count(struct draft *draft, int64_t value);
void em_draft_address(struct draft *draft, int64_t value);
void em_draft_counts(struct draft *draft, int64_t n, struct counts values);
void em_draft_addresses(struct draft *draft, int64_t n, struct counts values);
void em_draft_type(struct draft *draft, struct type *type);
/* Extends the bounds by `instances` elements of a datatype from a displacement on (MPI-5.0, 5.1.7). */
void em_draft_block(struct draft *draft, int64_t displacement, int64_t instances, const struct type *type);
/* Sets the bounds, in place of those of the blocks. */
void em_draft_bounds(struct draft *draft, int64_t lb, int64_t ub);
/* Makes the datatype, or frees the draft if err is an error. Returns an error code. */
int em_draft_end(struct draft *draft, int err, MPI_Datatype *newtype);

#endif
