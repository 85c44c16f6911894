/*
 * Sections of arrays as choice buffers.
 */
#include "descriptor.h"

#define MOST 15 /* dimensions of an array */

/* ---- a section as a datatype ---- */

/* The type of an element: as many of the datatype as it has room for, which have no gaps. */
static int element(size_t size, MPI_Datatype datatype, MPI_Count *several, MPI_Datatype *made)
{
    MPI_Count bytes, lower, extent;
    int rc = INNER(MPI_Type_size_c)(datatype, &bytes);
    if (rc == MPI_SUCCESS)
        rc = INNER(MPI_Type_get_extent_c)(datatype, &lower, &extent);
    if (rc != MPI_SUCCESS)
        return rc;
    if (bytes <= 0 || bytes != extent || lower != 0 || (MPI_Count)size % extent != 0)
        return MPI_ERR_BUFFER;
    *several = (MPI_Count)size / extent;
    return INNER(MPI_Type_contiguous_c)(*several, datatype, made);
}

/* The first elements of a section, in the array's order. A row of dimension k is a vector
   of rows of dimension k-1. So many elements are some rows of the last dimension, some of
   the one before behind these, and so on. */
static int first_elements(const struct descriptor *d, MPI_Count elements, MPI_Datatype row, MPI_Datatype *made)
{
    MPI_Count in_row[MOST + 1] = {1}, block[MOST], place[MOST], at = 0;
    MPI_Datatype piece[MOST];
    int rc = MPI_SUCCESS, pieces = 0;
    for (int i = 0; i < d->rank; i++)
        in_row[i + 1] = in_row[i] * d->dim[i].extent;
    if (elements > in_row[d->rank])
        return MPI_ERR_BUFFER;
    for (int i = d->rank - 1; i >= 0; i--) { /* where each kind of rows begins */
        place[i] = at;
        block[i] = elements / in_row[i];
        elements -= block[i] * in_row[i];
        at += block[i] * d->dim[i].stride;
    }
    MPI_Count displacement[MOST], one[MOST];
    INNER(MPI_Type_dup)(row, &row);
    for (int i = 0; i < d->rank && rc == MPI_SUCCESS; i++) {
        if (block[i] > 0) {
            rc = INNER(MPI_Type_create_hvector_c)(block[i], 1, d->dim[i].stride, row, &piece[pieces]);
            if (rc != MPI_SUCCESS)
                break;
            displacement[pieces] = place[i];
            one[pieces++] = 1;
        }
        MPI_Datatype longer;
        rc = INNER(MPI_Type_create_hvector_c)(d->dim[i].extent, 1, d->dim[i].stride, row, &longer);
        if (rc == MPI_SUCCESS) {
            INNER(MPI_Type_free)(&row);
            row = longer;
        }
    }
    INNER(MPI_Type_free)(&row);
    /* What comes first in the array is in the last piece. */
    MPI_Datatype turned[MOST];
    MPI_Count from[MOST];
    for (int i = 0; i < pieces; i++) {
        turned[i] = piece[pieces - 1 - i];
        from[i] = displacement[pieces - 1 - i];
    }
    if (rc == MPI_SUCCESS)
        rc = INNER(MPI_Type_create_struct_c)(pieces, one, from, turned, made);
    for (int i = 0; i < pieces; i++)
        INNER(MPI_Type_free)(&piece[i]);
    return rc;
}

struct section section_of(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype)
{
    struct section s = {MPI_SUCCESS, d->base, 1, MPI_DATATYPE_NULL, 0};
    MPI_Datatype unit = MPI_DATATYPE_NULL;
    MPI_Count several = 1;
    if (count <= 0) { /* nothing, or what the library is to refuse */
        s.count = count;
        s.datatype = datatype;
        return s;
    }
    s.error = element(d->size, datatype, &several, &unit);
    if (s.error == MPI_SUCCESS && count % several != 0)
        s.error = MPI_ERR_BUFFER;
    if (s.error == MPI_SUCCESS)
        s.error = first_elements(d, count / several, unit, &s.datatype);
    if (s.error == MPI_SUCCESS) {
        s.made = 1;
        s.error = INNER(MPI_Type_commit)(&s.datatype);
    }
    if (unit != MPI_DATATYPE_NULL)
        INNER(MPI_Type_free)(&unit);
    return s;
}

/* ---- a section as a copy ---- */

/* Goes through the elements in order; to the copy, or back. */
static void move(const struct descriptor *d, char *copy, int back)
{
    ptrdiff_t index[MOST] = {0};
    char *at = d->base;
    for (int i = 0; i < d->rank;) {
        if (back)
            memcpy(at, copy, d->size);
        else
            memcpy(copy, at, d->size);
        copy += d->size;
        for (i = 0; i < d->rank; i++) {
            at += d->dim[i].stride;
            if (++index[i] < d->dim[i].extent)
                break;
            at -= d->dim[i].extent * d->dim[i].stride;
            index[i] = 0;
        }
    }
}

struct section copy_of(const struct descriptor *d)
{
    size_t bytes = d->size;
    for (int i = 0; i < d->rank; i++)
        bytes *= (size_t)d->dim[i].extent;
    struct section s = {MPI_SUCCESS, malloc(bytes), 0, MPI_DATATYPE_NULL, 1};
    if (s.buffer)
        move(d, s.buffer, 0);
    else
        s.error = MPI_ERR_NO_MEM;
    return s;
}

void copy_back(struct section *s, const struct descriptor *d, int written)
{
    if (written)
        move(d, s->buffer, 1);
    free(s->buffer);
}
