/* The layouts of a pool: the interface between dtpools.c and layouts.c.
 *
 * Gives: the shapes of layouts, and the position of an element in one.
 * Needs: dtpools.h. */
#ifndef DTPOOLS_LAYOUTS_H
#define DTPOOLS_LAYOUTS_H

#include "dtpools.h"

/* Blocks of elements at equal distances. For subarrays, the buffer is a two-dimensional
   array whose rows have `stride` elements. */
typedef struct {
    MPI_Count count, blklen, stride; /* blocks; elements of a block; elements from block to block */
    MPI_Count rows;  /* rows of the whole array, or 0 if the buffer ends with the last element */
    MPI_Count first; /* element 0, in elements from the beginning of the buffer */
} dtp_shape;

/* A layout: a constructor, and the rules for the shape. */
typedef struct {
    const char *group, *name; /* as DTP_obj_describe writes them */
    /* Makes the datatype for a shape of elements of `size` bytes, to be freed by the caller
       unless it is `basic`. An object is *count of it. Returns the MPI error code. */
    int (*make)(const dtp_shape *shape, MPI_Datatype basic, size_t size, MPI_Datatype *type, int *count);
    /* How elements form blocks: each alone, all in one, few large blocks, many small ones. */
    enum { EACH, WHOLE, LARGE_BLOCK, LARGE_COUNT } split;
    /* The stride. EVERY_OTHER is 2. */
    enum { DENSE, EVERY_OTHER, BLKLEN_PLUS_1, BLKLEN_TIMES_2, COUNT_TIMES_2 } stride;
    int array; /* not 0: a subarray in the middle of a two-dimensional array */
} dtp_layout;

/* The table of layouts. */
extern const dtp_layout dtp_layouts[];
extern const int dtp_num_layouts;

/* Returns the shape of n elements in a layout. */
dtp_shape dtp_shape_of(const dtp_layout *layout, int n);

/* Returns the position of element i, in elements from the beginning of the buffer. */
static inline MPI_Count dtp_place(const dtp_shape *shape, MPI_Count i)
{
    return shape->first + i / shape->blklen * shape->stride + i % shape->blklen;
}

#endif
