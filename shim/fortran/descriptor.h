/*
 * Choice buffers of mpi_f08: C descriptors (Fortran 2018, 18.5), of which only what every
 * compiler lays out alike is declared here. No header of a compiler is needed.
 *
 * Gives: struct descriptor and what is done with one.
 * Needs: f08.h, array_layout.h.
 */
#ifndef WI4GO_DESCRIPTOR_H
#define WI4GO_DESCRIPTOR_H
#include "f08.h"
#include "array_layout.h"

struct descriptor {
    void *base;
    size_t size; /* of an element */
    int version;
    signed char rank;
    char others[3]; /* its type, and whether it is allocatable or a pointer */
    struct {
        ptrdiff_t lower, extent, stride; /* in bytes */
    } dim[];
};
_Static_assert(offsetof(struct descriptor, size) == DESCRIPTOR_SIZE && offsetof(struct descriptor, rank) == DESCRIPTOR_RANK &&
               offsetof(struct descriptor, dim[0].stride) == DESCRIPTOR_STRIDE, "array_layout.h");

/* What is given to the library for a buffer. */
struct section {
    int error;
    void *buffer;
    MPI_Count count;
    MPI_Datatype datatype;
    int made; /* the datatype, or the memory */
};

/* Whether that can be told at once: of one element, or of an array of one dimension. */
static inline int is_simple(const struct descriptor *d)
{
    return likely(d->rank == 1) ? d->dim[0].stride == (ptrdiff_t)d->size : d->rank == 0;
}

/* Whether its elements are without gaps, in order. What is of assumed size is. */
static inline int contiguous(const struct descriptor *d)
{
    ptrdiff_t next = (ptrdiff_t)d->size;
    int is = 1;
    for (int i = 0; i < d->rank; i++) {
        if (d->dim[i].extent < 0) /* assumed size, which is the last */
            return is;
        if (d->dim[i].extent == 0)
            return 1;
        is &= d->dim[i].stride == next || d->dim[i].extent == 1;
        next *= d->dim[i].extent;
    }
    return is;
}

/* A buffer of count elements of the datatype: itself, or the datatype of a section. */
struct section section_of(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype) HIDDEN_IN_LAYER;
static inline struct section whole(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype)
{
    if (likely(contiguous(d)))
        return (struct section){MPI_SUCCESS, d->base, count, datatype, 0};
    return section_of(d, count, datatype);
}
static inline void done(struct section *s)
{
    if (unlikely(s->made))
        INNER(MPI_Type_free)(&s->datatype);
}

/* A buffer of which no datatype is known: itself, or a copy without gaps, which goes back
   when the call has written to it. */
struct section copy_of(const struct descriptor *d) HIDDEN_IN_LAYER;
void copy_back(struct section *s, const struct descriptor *d, int written) HIDDEN_IN_LAYER;
static inline struct section packed(const struct descriptor *d)
{
    if (likely(contiguous(d)))
        return (struct section){MPI_SUCCESS, d->base, 0, MPI_DATATYPE_NULL, 0};
    return copy_of(d);
}
static inline void unpacked(struct section *s, const struct descriptor *d, int written)
{
    if (unlikely(s->made))
        copy_back(s, d, written);
}

/* == and /= of handles, which our modules have as external functions. */
#define EQUAL(kind) \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; } \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }
#endif
