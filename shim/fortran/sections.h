/*
 * Choice buffers of mpi_f08 that come as the compiler's descriptors: gfortran's, since its
 * version 8.
 *
 * A call begins a struct section for each choice buffer, passes its members to the C side, and
 * ends it when it returns (SECTION). A section belongs to one call and one thread; nothing is
 * locked.
 *
 * Gives: struct array and its operations.
 * Needs: library.h, array_layout.h.
 */
#ifndef WI4GO_SECTIONS_H
#define WI4GO_SECTIONS_H
#include <stddef.h>
#include "library.h"
#include "array_layout.h"

/* gfortran's descriptor of an array. */
struct array {
    char *base;            /* the first element, also of a reversed section */
    ptrdiff_t offset;      /* not read here */
    size_t size;           /* of an element, in bytes */
    int version;           /* not read here */
    signed char rank, type; /* rank: dimensions; 0: a scalar, an element, or a constant that is an
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

/* Reports whether the array obviously has no gaps: it has one element, or one dimension with
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

/* The arguments that describe a choice buffer during a call. A section with gaps is passed as
   a datatype with its elements in place or, if that is not possible, as a copy. */
struct section {
    char *address;             /* the array, or the copy */
    MPI_Count count;
    MPI_Fint datatype;         /* the program's, or one made for the section */

    const struct array *array; /* the program's descriptor */
    char *copy;                /* owned; NULL: none */
    MPI_Datatype whole;        /* all elements of the array, if there is a copy; owned */
    MPI_Count bytes;           /* the size of the copy */
    int is_made, is_out;       /* the section owns the datatype; the call writes to the buffer */
};

/* How a section may be passed: as a datatype, as a copy; and whether the call writes to it. */
enum { TYPED = 1, COPIED = 2, WRITTEN_BACK = 4 };

/* section_begin fills *s for count elements of the datatype, in the ways that `how` allows.
   Returns MPI_SUCCESS or an error, for which it has called the error handler. section_end
   releases the section, and writes a copy back if the call has written to it. SECTION begins
   one for a parameter and ends it when the procedure returns. */
int section_begin(struct section *s, const struct array *a, MPI_Count count, MPI_Fint datatype, int how) __attribute__((visibility("hidden")));
void section_end(struct section *s) __attribute__((visibility("hidden")));

#define SECTION(buf, count, datatype, how) \
    struct section s_##buf __attribute__((cleanup(section_end))) = {0}; \
    if ((rc = section_begin(&s_##buf, buf, count, datatype, how)) != MPI_SUCCESS) { \
        RESULT(rc); \
        return; \
    }
#endif
