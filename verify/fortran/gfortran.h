/*
 * gfortran's array descriptors.
 *
 * Gives: struct descriptor, describe.
 * Needs: stddef.h.
 */
#ifndef GFORTRAN_H
#define GFORTRAN_H
/* gfortran's descriptor of an array; the members are as in shim/fortran/sections.h. */
struct descriptor {
    char *base;
    ptrdiff_t offset;
    size_t size;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span; /* the unit of strides, in bytes */
    struct {
        ptrdiff_t stride, lower, upper;
    } dim[2];
};
enum { GFORTRAN_INTEGER = 1 };
/* Fills in a descriptor. Extents and strides are in elements. The type is always INTEGER. */
static inline void describe(struct descriptor *d, void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride)
{
    *d = (struct descriptor){.base = base, .size = size, .rank = (signed char)rank, .type = GFORTRAN_INTEGER, .span = (ptrdiff_t)size};
    for (int i = 0; i < rank; i++) {
        d->dim[i].stride = stride[i];
        d->dim[i].lower = 1;
        d->dim[i].upper = extent[i];
    }
}
#endif
