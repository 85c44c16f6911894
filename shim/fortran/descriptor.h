/*
 * Choice buffers of mpi_f08 in interface mode: C descriptors (Fortran 2018, 18.5). Only the
 * members that every compiler lays out alike are declared here, so no compiler's header is
 * needed.
 *
 * Gives: struct descriptor and its operations.
 * Needs: f08.h, view.h, array_layout.h.
 */
#ifndef WI4GO_DESCRIPTOR_H
#define WI4GO_DESCRIPTOR_H
#include "f08.h"
#include "view.h"
#include "array_layout.h"

/* A C descriptor of an array. */
struct descriptor {
    void *base;       /* the first element */
    size_t size;      /* size of an element in bytes */
    int version;      /* version of the descriptor's layout; not read here */
    signed char rank; /* dimensions, or 0 for a scalar, an element, or a constant */
    char others[3];   /* the type, and whether it is allocatable or a pointer */
    struct {
        ptrdiff_t lower, extent, stride; /* stride in bytes; an extent of -1 means assumed size */
    } dim[];
};
_Static_assert(offsetof(struct descriptor, size) == DESCRIPTOR_SIZE && offsetof(struct descriptor, rank) == DESCRIPTOR_RANK &&
               offsetof(struct descriptor, dim[0].stride) == DESCRIPTOR_STRIDE, "array_layout.h");

/* Reports whether the array obviously contains no gaps: it has one element, or one dimension with
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

/* Fills *s for count elements of the datatype in an array, which may have gaps, in the ways that
   `how` allows. Returns MPI_SUCCESS or an error, for which it has called the error handler. */
static inline int section_begin(struct section *s, const struct descriptor *d, MPI_Count count, MPI_Datatype datatype, int how)
{
    s->address = d->base;
    s->count = count;
    s->type = datatype;
    s->is_made = 0;
    if (likely(is_contiguous(d)))
        return MPI_SUCCESS;
    struct view v = {.rank = d->rank, .size = d->size};
    for (int i = 0; i < d->rank; i++) {
        v.stride[i] = d->dim[i].stride;
        v.extent[i] = d->dim[i].extent;
    }
    return section_pass(s, &v, count, datatype, how);
}

/* Defines the functions for == and /= of handles, which wi4go's modules call as external
   functions. They return a LOGICAL. */
#define EQUAL(kind) \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_equal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; } \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint wi4go_unequal_##kind##_(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }
#endif
