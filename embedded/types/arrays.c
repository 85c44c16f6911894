/*
 * Parts of arrays: subarray and darray (MPI-5.0, 5.1.3, 5.1.4). Both make one loop for each
 * dimension, from the one that changes fastest to the slowest; the bounds are those of the array.
 */
#include "draft.h"
#include "functions.h"
#include "../base/errors.h"

#include <stdlib.h>

/* Replaces *layout by another one that was made from it. */
static int replace_layout(struct layout **layout, int err, struct layout *next)
{
    em_layout_release(*layout);
    *layout = err == MPI_SUCCESS ? next : NULL;
    return err;
}

/* Returns the dimension that changes at position i, from the fastest on. */
static int dimension_at(int i, int ndims, int order) { return order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i; }

/* Sets the bounds to those of the whole array, whose size in bytes is `bytes`. */
static int end_array(struct draft *draft, int err, int64_t bytes, struct type *oldtype, MPI_Datatype *newtype)
{
    em_draft_block(draft, 0, 1, oldtype);
    em_draft_bounds(draft, 0, bytes);
    return em_draft_end(draft, err, newtype);
}

/* Checks the arguments that both array constructors share. */
static int check_array(int ndims, int order)
{
    if (ndims < 1)
        return em_error(MPI_ERR_ARG, "ndims is %d", ndims);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return em_error(MPI_ERR_ARG, "order is %d, neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", order);
    return MPI_SUCCESS;
}

/* Returns an error unless the subarray is not empty and lies inside the array in each dimension. */
static int check_subarray(int ndims, struct counts sizes, struct counts subsizes, struct counts starts)
{
    for (int i = 0; i < ndims; i++) {
        long long size = count_at(sizes, i), subsize = count_at(subsizes, i), start = count_at(starts, i);
        if (size < 1 || subsize < 1 || subsize > size || start < 0 || start > size - subsize)
            return em_error(MPI_ERR_ARG, "dimension %d: size %lld, subsize %lld, start %lld", i, size, subsize, start);
    }
    return MPI_SUCCESS;
}

/* The datatype's extent is the whole array's, so that consecutive elements follow each other in the whole array. */
int em_Type_create_subarray(int ndims, struct counts array_of_sizes, struct counts array_of_subsizes, struct counts array_of_starts, int order, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = check_array(ndims, order);
    if (err == MPI_SUCCESS)
        err = check_subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts);
    if (err == MPI_SUCCESS)
        err = em_draft_begin(&draft, MPI_COMBINER_SUBARRAY, large, 2, 3 * (int64_t)ndims, 0, 1);
    if (err != MPI_SUCCESS)
        return err;
    em_draft_int(&draft, ndims);
    em_draft_counts(&draft, ndims, array_of_sizes);
    em_draft_counts(&draft, ndims, array_of_subsizes);
    em_draft_counts(&draft, ndims, array_of_starts);
    em_draft_int(&draft, order);
    em_draft_type(&draft, oldtype);
    draft.layout = em_layout_retain(oldtype->layout);
    int64_t stride = oldtype->device.extent;
    for (int i = 0; err == MPI_SUCCESS && i < ndims; i++) {
        int d = dimension_at(i, ndims, order);
        struct layout *next = NULL;
        int64_t start = em_times(count_at(array_of_starts, d), stride, &draft.overflow);
        err = em_layout_loop(start, count_at(array_of_subsizes, d), stride, draft.layout, &next);
        err = replace_layout(&draft.layout, err, next);
        stride = em_times(stride, count_at(array_of_sizes, d), &draft.overflow);
    }
    return end_array(&draft, err, stride, oldtype, newtype);
}

/* ---- darray ---- */

/* How one dimension is distributed. */
struct distribution {
    int64_t size;         /* size of the array */
    int kind, processes, coordinate;
    int64_t block;        /* elements of a full block */
};

/* Computes the length of the blocks of a dimension from darg. Returns an error code. */
static int distribute(struct distribution *d, int dimension, int darg)
{
    if (d->size < 1 || d->processes < 1)
        return em_error(MPI_ERR_ARG, "dimension %d: size %lld on %d processes", dimension, (long long)d->size, d->processes);
    if (d->kind == MPI_DISTRIBUTE_NONE) {
        d->block = d->size;
        return d->processes == 1 ? MPI_SUCCESS : em_error(MPI_ERR_ARG, "dimension %d is not distributed, but has %d processes", dimension, d->processes);
    }
    if (d->kind != MPI_DISTRIBUTE_BLOCK && d->kind != MPI_DISTRIBUTE_CYCLIC)
        return em_error(MPI_ERR_ARG, "array_of_distribs[%d] is %d", dimension, d->kind);
    d->block = darg;
    if (darg == MPI_DISTRIBUTE_DFLT_DARG)
        d->block = d->kind == MPI_DISTRIBUTE_CYCLIC ? 1 : (d->size + d->processes - 1) / d->processes;
    if (d->block < 1)
        return em_error(MPI_ERR_ARG, "array_of_dargs[%d] is %d", dimension, darg);
    if (d->kind == MPI_DISTRIBUTE_BLOCK && d->block < (d->size + d->processes - 1) / d->processes)
        return em_error(MPI_ERR_ARG, "array_of_dargs[%d] is %d: %d blocks of it do not hold %lld elements", dimension, darg, d->processes, (long long)d->size);
    return MPI_SUCCESS;
}

/* Stores the layout of this process's elements of a dimension, which are at distances of stride bytes:
 * full blocks at equal distances, and a shorter last one. */
static int dimension_layout(const struct distribution *d, int64_t stride, struct layout *element, bool *overflow, struct layout **result)
{
    int64_t cycle = d->block * d->processes, first = d->block * d->coordinate;
    int64_t whole = d->size > first ? (d->size - first) / cycle : 0;
    int64_t rest = d->size > first + whole * cycle ? d->size - first - whole * cycle : 0;
    if (rest >= d->block) {
        whole++;
        rest = 0;
    }
    struct layout *block = NULL, *parts[2] = {NULL, NULL};
    int64_t places[2] = {em_times(first, stride, overflow), em_times(first + whole * cycle, stride, overflow)};
    int err = em_layout_loop(0, d->block, stride, element, &block);
    if (err != MPI_SUCCESS)
        return err;
    err = em_layout_loop(0, whole, em_times(cycle, stride, overflow), block, &parts[0]);
    em_layout_release(block);
    if (err == MPI_SUCCESS)
        err = em_layout_loop(0, rest, stride, element, &parts[1]);
    if (err != MPI_SUCCESS) {
        em_layout_release(parts[0]);
        return err;
    }
    return em_layout_parts(2, places, parts, result);
}

/* Notes the arguments of darray. */
static void note_darray(struct draft *draft, int size, int rank, int ndims, struct counts gsizes, const int *distribs, const int *dargs, const int *psizes, int order)
{
    em_draft_int(draft, size);
    em_draft_int(draft, rank);
    em_draft_int(draft, ndims);
    em_draft_counts(draft, ndims, gsizes);
    const int *arrays[] = {distribs, dargs, psizes};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < ndims; i++)
            em_draft_int(draft, arrays[a][i]);
    em_draft_int(draft, order);
}

/* Fills the distribution of each dimension. Processes are numbered with the last dimension fastest. */
static int distribute_all(struct distribution *d, int size, int rank, int ndims, struct counts gsizes, const int *distribs, const int *dargs, const int *psizes)
{
    int64_t processes = 1;
    int err = MPI_SUCCESS;
    for (int i = 0; err == MPI_SUCCESS && i < ndims; i++) {
        d[i] = (struct distribution){.size = count_at(gsizes, i), .kind = distribs[i], .processes = psizes[i]};
        err = distribute(&d[i], i, dargs[i]);
        processes = processes > size ? processes : processes * psizes[i];
    }
    if (err == MPI_SUCCESS && processes != size)
        return em_error(MPI_ERR_ARG, "array_of_psizes is a grid of other than size = %d processes", size);
    for (int i = ndims; err == MPI_SUCCESS && i-- > 0; rank /= psizes[i])
        d[i].coordinate = rank % psizes[i];
    return err;
}

/* Describes this rank's part of an array that is distributed over a grid of processes. The grid is row-major in either
 * order of the array. */
int em_Type_create_darray(int size, int rank, int ndims, struct counts array_of_gsizes, const int *array_of_distribs, const int *array_of_dargs, const int *array_of_psizes, int order, struct type *oldtype, MPI_Datatype *newtype, bool large)
{
    struct draft draft;
    int err = check_array(ndims, order);
    if (err == MPI_SUCCESS && (size < 1 || rank < 0 || rank >= size))
        err = em_error(MPI_ERR_ARG, "rank %d of %d processes", rank, size);
    struct distribution *d = err == MPI_SUCCESS ? malloc((size_t)ndims * sizeof *d) : NULL;
    if (err == MPI_SUCCESS)
        err = d ? distribute_all(d, size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes) : em_type_no_memory();
    if (err == MPI_SUCCESS)
        err = em_draft_begin(&draft, MPI_COMBINER_DARRAY, large, 4 + 3 * (int64_t)ndims, ndims, 0, 1);
    if (err != MPI_SUCCESS) {
        free(d);
        return err;
    }
    note_darray(&draft, size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, order);
    em_draft_type(&draft, oldtype);
    draft.layout = em_layout_retain(oldtype->layout);
    int64_t stride = oldtype->device.extent;
    for (int i = 0; err == MPI_SUCCESS && i < ndims; i++) {
        const struct distribution *at = &d[dimension_at(i, ndims, order)];
        struct layout *next = NULL;
        err = dimension_layout(at, stride, draft.layout, &draft.overflow, &next);
        err = replace_layout(&draft.layout, err, next);
        stride = em_times(stride, at->size, &draft.overflow);
    }
    free(d);
    return end_array(&draft, err, stride, oldtype, newtype);
}
