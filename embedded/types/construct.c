/*
 * The constructors of datatypes with one datatype, and struct (MPI-5.0, 5.1.2). Each notes its
 * arguments for MPI_Type_get_contents, extends the bounds, and makes the layout.
 */
#include "draft.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/handles.h"

#include <stdlib.h>

static const struct counts no_counts;

/* The contents keep the arguments and a reference to oldtype, for em_Type_get_contents. */
int em_Type_contiguous(int64_t count, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_CONTIGUOUS, large, 0, 1, 0, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_type(&draft, oldtype);
    em_draft_block(&draft, 0, count, oldtype);
    return em_draft_end(&draft, em_layout_loop(0, count, oldtype->device.extent, oldtype->layout, &draft.layout), newtype);
}

static int negative_length(int64_t length) { return em_error(MPI_ERR_ARG, "blocklength is %lld", (long long)length); }

/* Adds count blocks at distances of stride bytes. */
static int strided_blocks(struct draft *draft, int64_t count, int64_t blocklength, int64_t stride, struct type *oldtype)
{
    if (blocklength < 0)
        return negative_length(blocklength);
    struct layout *block;
    if (count) {
        em_draft_block(draft, 0, blocklength, oldtype);
        em_draft_block(draft, em_times(count - 1, stride, &draft->overflow), blocklength, oldtype);
    }
    int err = em_layout_loop(0, blocklength, oldtype->device.extent, oldtype->layout, &block);
    if (err == MPI_SUCCESS) {
        err = em_layout_loop(0, count, stride, block, &draft->layout);
        em_layout_release(block);
    }
    return err;
}

/* The stride counts extents of oldtype. */
int em_Type_vector(int64_t count, int64_t blocklength, int64_t stride, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_VECTOR, large, 0, 3, 0, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_count(&draft, blocklength);
    em_draft_count(&draft, stride);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, strided_blocks(&draft, count, blocklength, em_times(stride, oldtype->device.extent, &draft.overflow), oldtype), newtype);
}

/* The stride is in bytes. */
int em_Type_create_hvector(int64_t count, int64_t blocklength, int64_t stride, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_HVECTOR, large, 0, 2, 1, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_count(&draft, blocklength);
    em_draft_address(&draft, stride);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, strided_blocks(&draft, count, blocklength, stride, oldtype), newtype);
}

/* Returns MPI_ERR_ARG if a length is negative. */
static int check_lengths(int64_t n, struct counts lengths)
{
    for (int64_t i = 0; i < n; i++)
        if (count_at(lengths, i) < 0)
            return em_error(MPI_ERR_ARG, "array_of_blocklengths[%lld] is %lld", (long long)i, (long long)count_at(lengths, i));
    return MPI_SUCCESS;
}

/* Adds n blocks at displacement[i] * unit. */
static int placed_blocks(struct draft *draft, int64_t n, struct counts lengths, int64_t length, struct counts displacements, int64_t unit, struct type *oldtype)
{
    bool each = lengths.narrow || lengths.wide;
    if (!each && length < 0)
        return negative_length(length);
    for (int64_t i = 0; i < n; i++)
        em_draft_block(draft, em_times(count_at(displacements, i), unit, &draft->overflow), each ? count_at(lengths, i) : length, oldtype);
    return em_layout_blocks(n, lengths, length, displacements, unit, oldtype->device.extent, oldtype->layout, &draft->layout);
}

/* Displacements count extents of oldtype. */
int em_Type_indexed(int64_t count, struct counts array_of_blocklengths, struct counts array_of_displacements, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = check_lengths(count, array_of_blocklengths);
    if (err == MPI_SUCCESS)
        err = em_draft_begin(&draft, MPI_COMBINER_INDEXED, large, 0, 1 + 2 * count, 0, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_counts(&draft, count, array_of_blocklengths);
    em_draft_counts(&draft, count, array_of_displacements);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, placed_blocks(&draft, count, array_of_blocklengths, 0, array_of_displacements, oldtype->device.extent, oldtype), newtype);
}

/* Displacements are in bytes. */
int em_Type_create_hindexed(int64_t count, struct counts array_of_blocklengths, struct counts array_of_displacements, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = check_lengths(count, array_of_blocklengths);
    if (err == MPI_SUCCESS)
        err = em_draft_begin(&draft, MPI_COMBINER_HINDEXED, large, 0, 1 + count, count, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_counts(&draft, count, array_of_blocklengths);
    em_draft_addresses(&draft, count, array_of_displacements);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, placed_blocks(&draft, count, array_of_blocklengths, 0, array_of_displacements, 1, oldtype), newtype);
}

/* All blocks are equally long. Displacements count extents of oldtype. */
int em_Type_create_indexed_block(int64_t count, int64_t blocklength, struct counts array_of_displacements, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_INDEXED_BLOCK, large, 0, 2 + count, 0, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_count(&draft, blocklength);
    em_draft_counts(&draft, count, array_of_displacements);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, placed_blocks(&draft, count, no_counts, blocklength, array_of_displacements, oldtype->device.extent, oldtype), newtype);
}

/* All blocks are equally long. Displacements are in bytes. */
int em_Type_create_hindexed_block(int64_t count, int64_t blocklength, struct counts array_of_displacements, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_HINDEXED_BLOCK, large, 0, 2, count, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_count(&draft, blocklength);
    em_draft_addresses(&draft, count, array_of_displacements);
    em_draft_type(&draft, oldtype);
    return em_draft_end(&draft, placed_blocks(&draft, count, no_counts, blocklength, array_of_displacements, 1, oldtype), newtype);
}

/* Changes only the bounds: the new datatype shares the layout of oldtype. */
int em_Type_create_resized(struct type *oldtype, int64_t lb, int64_t extent, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = em_draft_begin(&draft, MPI_COMBINER_RESIZED, large, 0, 0, 2, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_address(&draft, lb);
    em_draft_address(&draft, extent);
    em_draft_type(&draft, oldtype);
    em_draft_block(&draft, 0, 1, oldtype);
    em_draft_bounds(&draft, lb, em_sum(lb, extent, &draft.overflow));
    draft.layout = em_layout_retain(oldtype->layout);
    return em_draft_end(&draft, MPI_SUCCESS, newtype);
}

/* ---- struct ---- */

/* Returns the datatype that all blocks have, or NULL. */
static struct type *common_type(int64_t n, struct counts lengths, struct type *const *types)
{
    struct type *common = NULL;
    for (int64_t i = 0; i < n; i++) {
        if (count_at(lengths, i) == 0)
            continue;
        if (common && (types[i]->layout != common->layout || types[i]->device.extent != common->device.extent))
            return NULL;
        common = types[i];
    }
    return common;
}

/* Makes the layout of a struct whose datatypes are noted in the draft. */
static int struct_layout(struct draft *draft, int64_t n, struct counts lengths, struct counts displacements)
{
    struct type **types = draft->contents->type, *common = common_type(n, lengths, types);
    if (common)
        return em_layout_blocks(n, lengths, 0, displacements, 1, common->device.extent, common->layout, &draft->layout);
    struct layout **parts = calloc((size_t)n + 1, sizeof *parts);
    int64_t *places = malloc(((size_t)n + 1) * sizeof *places);
    int err = parts && places ? MPI_SUCCESS : em_type_no_memory();
    int64_t made = 0;
    for (; err == MPI_SUCCESS && made < n; made++) {
        places[made] = count_at(displacements, made);
        err = em_layout_loop(0, count_at(lengths, made), types[made]->device.extent, types[made]->layout, &parts[made]);
    }
    if (err == MPI_SUCCESS)
        err = em_layout_parts(n, places, parts, &draft->layout);
    else
        for (int64_t i = 0; i < made; i++)
            em_layout_release(parts[i]);
    free(parts);
    free(places);
    return err;
}

/* Checks all datatypes before it builds anything, because here the handles arrive unchecked, in an array. */
int em_Type_create_struct(int64_t count, struct counts array_of_blocklengths, struct counts array_of_displacements, const MPI_Datatype *array_of_types, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = check_lengths(count, array_of_blocklengths);
    for (int64_t i = 0; err == MPI_SUCCESS && i < count; i++)
        if (!em_type_of(array_of_types[i]))
            err = em_error(MPI_ERR_TYPE, "array_of_types[%lld] is not a valid datatype", (long long)i);
    if (err == MPI_SUCCESS)
        err = em_draft_begin(&draft, MPI_COMBINER_STRUCT, large, 0, 1 + count, count, count);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_count(&draft, count);
    em_draft_counts(&draft, count, array_of_blocklengths);
    em_draft_addresses(&draft, count, array_of_displacements);
    for (int64_t i = 0; i < count; i++) {
        struct type *type = em_type_of(array_of_types[i]);
        em_draft_type(&draft, type);
        em_draft_block(&draft, count_at(array_of_displacements, i), count_at(array_of_blocklengths, i), type);
    }
    return em_draft_end(&draft, struct_layout(&draft, count, array_of_blocklengths, array_of_displacements), newtype);
}
