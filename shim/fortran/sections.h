/*
 * Choice buffers of mpi_f08 that come as the compiler's descriptors: gfortran's, since its
 * version 8.
 *
 * Gives: struct array and its operations.
 * Needs: view.h, array_layout.h.
 */
#ifndef WI4GO_SECTIONS_H
#define WI4GO_SECTIONS_H
#include <stddef.h>
#include "view.h"
#include "array_layout.h"

/* gfortran's descriptor of an array. */
struct array {
    char *base;            /* the first element, also of a reversed section */
    ptrdiff_t offset;      /* not read here */
    size_t size;           /* size of an element in bytes */
    int version;           /* not read here */
    signed char rank, type; /* rank is the number of dimensions, or 0 for a scalar, an element, or a constant that is an
                               address. type is not read here */
    short attribute;       /* not read here */
    ptrdiff_t span;        /* the unit of strides, in bytes */
    struct {
        ptrdiff_t stride, lower, upper; /* stride in spans; the last upper bound of an
                                           assumed-size array is -1 */
    } dim[];
};
_Static_assert(offsetof(struct array, size) == ARRAY_SIZE && offsetof(struct array, rank) == ARRAY_RANK &&
               offsetof(struct array, span) == ARRAY_SPAN && offsetof(struct array, dim) == ARRAY_STRIDE, "array_layout.h");

/* Reports whether the elements have gaps between them or are out of order. Returns 0 for an
   array that is empty or of unknown size. */
static inline int is_section(const struct array *a)
{
    ptrdiff_t next = (ptrdiff_t)a->size;
    int apart = 0;
    for (int d = 0; d < a->rank; d++) {
        const ptrdiff_t extent = a->dim[d].upper - a->dim[d].lower + 1;
        if (extent <= 0)
            return 0; /* empty, or of assumed size */
        apart |= extent > 1 && a->dim[d].stride * a->span != next;
        next *= extent;
    }
    return apart;
}

/* Returns the address of an array without gaps for a direct procedure, with constants of
   mpi_f08 converted; a constant has no dimensions. */
static inline void *f77_base(const struct array *a) { return a->rank ? a->base : f77_address(a->base); }

/* Reports whether the array obviously contains no gaps: it has one element, or one dimension with
   adjacent elements. If so, stores its address, as f77_base returns it, in *base. */
static inline int array_is_simple(const struct array *a, void **base)
{
    if (likely(a->rank == 1)) {
        *base = a->base;
        return likely(a->dim[0].stride * a->span == (ptrdiff_t)a->size);
    }
    *base = f77_address(a->base);
    return a->rank == 0;
}

/* Fills *s for count elements of the datatype in an array, which may have gaps, in the ways that
   `how` allows. Returns MPI_SUCCESS or an error, for which it has called the error handler. */
int section_begin(struct section *s, const struct array *a, MPI_Count count, MPI_Fint datatype, int how) __attribute__((visibility("hidden")));
#endif
