/* The layouts of a pool: between dtpools.c and layouts.c.
 *
 * Gives: the shapes of layouts, and where an element is in one.
 * Needs: dtpools.h. */
#ifndef DTPOOLS_LAYOUTS_H
#define DTPOOLS_LAYOUTS_H

#include "dtpools.h"

/* Blocks of elements at equal distances. Where the buffer is a two-dimensional
   array (subarrays), a row is a stride, and element 0 is `first` elements from the
   array's beginning. */
typedef struct {
    MPI_Count count, blklen, stride;
    MPI_Count rows;  /* of the whole array; 0 where the buffer ends with the last element */
    MPI_Count first; /* element 0, in elements from the beginning of the buffer */
} dtp_shape;

typedef struct {
    const char *group, *name;
    /* Makes the datatype of a shape of elements of size bytes; count of it are an object.
       Returns what MPI returns. */
    int (*make)(const dtp_shape *shape, MPI_Datatype basic, size_t size, MPI_Datatype *type, int *count);
    enum { EACH, WHOLE, LARGE_BLOCK, LARGE_COUNT } split;
    enum { DENSE, EVERY_OTHER, BLKLEN_PLUS_1, BLKLEN_TIMES_2, COUNT_TIMES_2 } stride;
    int array; /* two-dimensional, the block in the middle */
} dtp_layout;

extern const dtp_layout dtp_layouts[];
extern const int dtp_num_layouts;

/* The shape of n elements in a layout. */
dtp_shape dtp_shape_of(const dtp_layout *layout, int n);

/* Where element i is, in elements from the beginning of the buffer. */
static inline MPI_Count dtp_place(const dtp_shape *shape, MPI_Count i)
{
    return shape->first + i / shape->blklen * shape->stride + i % shape->blklen;
}

#endif
