/*
 * Choice buffers of mpi_f08 that come as the compiler's descriptors: gfortran's, since its
 * version 8.
 *
 * Gives: struct array and what is done with one.
 * Needs: layer.h, array_layout.h.
 */
#ifndef WI4GO_SECTIONS_H
#define WI4GO_SECTIONS_H
#include <stddef.h>
#include "layer.h"
#include "array_layout.h"

/* base is the first element's address, also of a reversed section; strides are in units
   of span. The last upper bound of an assumed-size array is -1. A scalar, an element and
   a constant that is an address have no dimensions. */
struct array {
    char *base;
    ptrdiff_t offset;
    size_t size; /* of an element */
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, lower, upper;
    } dim[];
};
_Static_assert(offsetof(struct array, size) == ARRAY_SIZE && offsetof(struct array, rank) == ARRAY_RANK &&
               offsetof(struct array, span) == ARRAY_SPAN && offsetof(struct array, dim) == ARRAY_STRIDE, "array_layout.h");

/* Whether elements lie apart, or in another order than in an array of their own. */
static inline int is_section(const struct array *a)
{
    ptrdiff_t next = (ptrdiff_t)a->size;
    int apart = 0;
    for (int d = 0; d < a->rank; d++) {
        const ptrdiff_t extent = a->dim[d].upper - a->dim[d].lower + 1;
        if (extent <= 0)
            return 0; /* nothing is there, or nobody knows how much */
        apart |= extent > 1 && a->dim[d].stride * a->span != next;
        next *= extent;
    }
    return apart;
}

/* The address of an array without gaps for a frequent procedure; constants have no
   dimensions. */
static inline void *f77_base(const struct array *a) { return a->rank ? a->base : f77_address(a->base); }

/* The same where it can be told at once that there are no gaps: of one element, or of an
   array of one dimension; 0: it is another. */
static inline int is_simple(const struct array *a, void **base)
{
    if (likely(a->rank == 1)) {
        *base = a->base;
        return likely(a->dim[0].stride * a->span == (ptrdiff_t)a->size);
    }
    *base = f77_address(a->base);
    return a->rank == 0;
}

/* What a section becomes for the time of a call: a datatype with its elements in their
   places, else a copy. */
struct section {
    char *address;
    MPI_Count count;
    MPI_Fint datatype;

    const struct array *array;
    char *copy;
    int is_made, is_out;
};
enum { TYPED = 1, COPIED = 2, COMES_OUT = 4 };

int section_begin(struct section *s, const struct array *a, MPI_Count count, MPI_Fint datatype, int how) __attribute__((visibility("hidden")));
void section_end(struct section *s) __attribute__((visibility("hidden")));

#define SECTION(buf, count, datatype, how) \
    struct section s_##buf __attribute__((cleanup(section_end))) = {0}; \
    if ((rc = section_begin(&s_##buf, buf, count, datatype, how)) != MPI_SUCCESS) { \
        RESULT(rc); \
        return; \
    }
#endif
