/*
 * Datatypes that are being made. A draft belongs to its caller until em_draft_end makes it a datatype. No state, no
 * locks.
 */
#include "draft.h"
#include "../base/errors.h"
#include "../base/pool.h"

/* Displacements from here on are addresses: no program has memory below. */
#define LOWEST_ADDRESS 65536

/* Allocates the contents: with large counts all numbers are counts, otherwise ints and addresses are apart (MPI-5.0,
 * 5.1.13). */
int em_draft_begin(struct draft *draft, int combiner, bool large, int64_t narrow, int64_t integers, int64_t addresses, int64_t types)
{
    *draft = (struct draft){.large = large, .align = 1, .element = -1};
    draft->contents = large ? em_contents_new(combiner, narrow, 0, integers + addresses, types)
                            : em_contents_new(combiner, narrow + integers, addresses, 0, types);
    return draft->contents ? MPI_SUCCESS : em_type_no_memory();
}

void em_draft_int(struct draft *draft, int value) { draft->contents->integer[draft->integers++] = value; }

void em_draft_count(struct draft *draft, int64_t value)
{
    if (draft->large)
        draft->contents->count[draft->counts++] = value;
    else
        draft->contents->integer[draft->integers++] = (int)value;
}

void em_draft_address(struct draft *draft, int64_t value)
{
    if (draft->large)
        draft->contents->count[draft->counts++] = value;
    else
        draft->contents->address[draft->addresses++] = value;
}

void em_draft_counts(struct draft *draft, int64_t n, struct counts values)
{
    for (int64_t i = 0; i < n; i++)
        em_draft_count(draft, count_at(values, i));
}

void em_draft_addresses(struct draft *draft, int64_t n, struct counts values)
{
    for (int64_t i = 0; i < n; i++)
        em_draft_address(draft, count_at(values, i));
}

/* The contents hold a reference, so the program may free a datatype before the type that was built from it. */
void em_draft_type(struct draft *draft, struct type *type)
{
    em_retain(&type->head);
    draft->contents->type[draft->types++] = type;
}

/* Extends the bounds and the alignment by a block. Overflow is only noted here and reported at the end. */
void em_draft_block(struct draft *draft, int64_t displacement, int64_t instances, const struct type *type)
{
    if (instances == 0 || (type->device.size == 0 && !type->bounded))
        return; /* without entries in the type map */
    draft->absolute |= type->device.is_absolute;
    if (type->align > draft->align)
        draft->align = type->align;
    draft->element = draft->element < 0 || draft->element == type->element ? type->element : 0;
    if (draft->bounded && !type->bounded)
        return; /* bounds that the program has set hide all others */
    int64_t last = em_sum(displacement, em_times(instances - 1, type->device.extent, &draft->overflow), &draft->overflow);
    int64_t first = last < displacement ? last : displacement;
    int64_t lb = em_sum(first, type->lb, &draft->overflow);
    int64_t ub = em_sum(em_sum(last < displacement ? displacement : last, type->lb, &draft->overflow), type->device.extent, &draft->overflow);
    bool fresh = !draft->any || (type->bounded && !draft->bounded);
    draft->lb = fresh || lb < draft->lb ? lb : draft->lb;
    draft->ub = fresh || ub > draft->ub ? ub : draft->ub;
    draft->bounded |= type->bounded;
    draft->any = true;
}

/* Sets bounds that the program has chosen, which hide the bounds of the blocks. */
void em_draft_bounds(struct draft *draft, int64_t lb, int64_t ub)
{
    draft->lb = lb;
    draft->ub = ub;
    draft->bounded = draft->any = true;
}

/* Returns the extent. It is a multiple of the alignment if the program has not set it. */
static int64_t extent_of(struct draft *draft)
{
    int64_t extent;
    draft->overflow |= __builtin_sub_overflow(draft->ub, draft->lb, &extent);
    if (!draft->bounded && extent % draft->align)
        extent = em_sum(extent, draft->align - extent % draft->align, &draft->overflow);
    return extent;
}

/* Makes the datatype, which takes over the contents and the layout. After an error it frees both and writes
 * MPI_DATATYPE_NULL. */
int em_draft_end(struct draft *draft, int err, MPI_Datatype *newtype)
{
    *newtype = MPI_DATATYPE_NULL;
    int64_t extent = extent_of(draft);
    if (err == MPI_SUCCESS && draft->overflow)
        err = em_error(MPI_ERR_VALUE_TOO_LARGE, "the datatype has bounds that exceed 64 bits");
    struct type *type = err == MPI_SUCCESS ? em_new(TYPE) : NULL;
    if (err == MPI_SUCCESS && !type)
        err = em_type_no_memory();
    if (err != MPI_SUCCESS) {
        em_layout_release(draft->layout);
        em_contents_release(draft->contents);
        return err;
    }
    type->device.ops = &em_type_ops;
    type->device.is_absolute = draft->absolute;
    type->bounded = draft->bounded;
    type->align = draft->align;
    type->element = draft->element > 0 ? draft->element : 0;
    type->layout = draft->layout;
    type->contents = draft->contents;
    em_type_fill(type, draft->lb, extent);
    switch (draft->contents->combiner) {
    case MPI_COMBINER_STRUCT:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
        type->device.is_absolute |= type->layout->low >= LOWEST_ADDRESS;
    }
    *newtype = em_type_handle(type);
    return MPI_SUCCESS;
}
