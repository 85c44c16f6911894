/*
 * Choice buffers of mpi_f08 in interface mode: C descriptors (Fortran 2018, 18.5). Only the
 * members that every compiler lays out alike are declared here, so no compiler's header is
 * needed.
 *
 * A call makes a struct section of each choice buffer, passes it to the C function, and
 * releases it. A section belongs to one call and one thread; nothing is locked.
 *
 * Gives: struct descriptor and its operations.
 * Needs: f08.h, array_layout.h.
 */
#ifndef WI4GO_DESCRIPTOR_H
#define WI4GO_DESCRIPTOR_H
#include "f08.h"
#include "array_layout.h"

/* A C descriptor of an array. */
struct descriptor {
    void *base;       /* the first element */
    size_t size;      /* of an element, in bytes */
    int version;      /* of the descriptor's layout; not read here */
    signed char rank; /* dimensions; 0: a scalar, an element, or a constant */
    char others[3];   /* the type, and whether it is allocatable or a pointer */
    struct {
        ptrdiff_t lower, extent, stride; /* stride in bytes; extent -1: assumed size */
    } dim[];
};
_Static_assert(offsetof(struct descriptor, size) == DESCRIPTOR_SIZE && offsetof(struct descriptor, rank) == DESCRIPTOR_RANK &&
               offsetof(struct descriptor, dim[0].stride) == DESCRIPTOR_STRIDE, "array_layout.h");

/* The arguments that describe a choice buffer to the C function. */
struct section {
    int error;             /* MPI_SUCCESS, or why there is no section */
    void *buffer;          /* the array itself, or a copy of it */
    MPI_Count count;
    MPI_Datatype datatype;
    int made;              /* the section owns the datatype, or the copy in buffer */
};

/* Reports whether the array obviously has no gaps: it has one element, or one dimension with
   adjacent elements. */
static inline int descriptor_is_simple(const struct descriptor *d)
{
    return likely(d->rank == 1) ? d->dim[0].stride == (ptrdiff_t)d->size : d->rank == 0;
}

/* Reports whether the elements are adjacent and in order, or there are none. An assumed-size
   array always qualifies in its last dimension. */
static inline int is_contiguous(const struct descriptor *d)
{
    ptrdiff_t next = (ptrdiff_t)d->size;
    int is = 1;
    for (int i = 0; i < d->rank; i++) {
        if (d->dim[i].extent < 0) /* assumed size: only the last dimension can be */
            return is;
        if (d->dim[i].extent == 0)
            return 1;
        is &= d->dim[i].stride == next || d->dim[i].extent == 1;
        next *= d->dim[i].extent;
    }
    return is;
}

/* whole returns the arguments for count elements of the datatype: the array itself if it is
   contiguous, else one element of a datatype for the section (section_of). done frees that
   datatype. */
struct section section_of(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype) HIDDEN_IN_LIBRARY;
static inline struct section whole(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype)
{
    if (likely(is_contiguous(d)))
        return (struct section){MPI_SUCCESS, d->base, count, datatype, 0};
    return section_of(d, count, datatype);
}
static inline void done(struct section *s)
{
    if (unlikely(s->made))
        INNER(MPI_Type_free)(&s->datatype);
}

/* packed returns a buffer for a call that has no datatype argument: the array itself if it is
   contiguous, else a copy without gaps (copy_of). unpacked frees the copy, and writes it back
   to the array first if the call has written to it. */
struct section copy_of(const struct descriptor *d) HIDDEN_IN_LIBRARY;
void copy_back(struct section *s, const struct descriptor *d, int written) HIDDEN_IN_LIBRARY;
static inline struct section packed(const struct descriptor *d)
{
    if (likely(is_contiguous(d)))
        return (struct section){MPI_SUCCESS, d->base, 0, MPI_DATATYPE_NULL, 0};
    return copy_of(d);
}
static inline void unpacked(struct section *s, const struct descriptor *d, int written)
{
    if (unlikely(s->made))
        copy_back(s, d, written);
}

/* Defines the functions for == and /= of handles, which wi4go's modules call as external
   functions. They return a LOGICAL. */
#define EQUAL(kind) \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; } \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }
#endif
