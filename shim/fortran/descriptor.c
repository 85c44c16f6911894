/*
 * Choice buffers of mpi_f08 that are not contiguous, in interface mode: as a datatype, or as
 * a copy. Both belong to the struct section of one call; nothing is shared or locked.
 */
#include "descriptor.h"

#define MOST 15 /* the most dimensions that an array can have */

/* ---- a section as a datatype ---- */

/* Makes *made, the datatype of one array element, and stores in *several how many of the
   program's datatype fill it. Returns MPI_ERR_BUFFER if the datatype has gaps or does not
   divide the element. The caller frees *made. */
static int element_type(size_t size, MPI_Datatype datatype, MPI_Count *several, MPI_Datatype *made)
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

/* Makes *made, a datatype for the first `elements` elements of a section in array order. A row
   of dimension k is a vector of rows of dimension k-1. The elements are a number of whole rows
   of the last dimension, followed by a number of whole rows of the dimension before it, and so
   on; *made is a struct of these blocks. Returns MPI_ERR_BUFFER if the section has fewer
   elements. */
static int first_elements(const struct descriptor *d, MPI_Count elements, MPI_Datatype row, MPI_Datatype *made)
{
    MPI_Count in_row[MOST + 1] = {1}, block[MOST], place[MOST], at = 0;
    MPI_Datatype piece[MOST];
    int rc = MPI_SUCCESS, pieces = 0;
    for (int i = 0; i < d->rank; i++)
        in_row[i + 1] = in_row[i] * d->dim[i].extent;
    if (elements > in_row[d->rank])
        return MPI_ERR_BUFFER;
    for (int i = d->rank - 1; i >= 0; i--) { /* how many rows of each dimension, and their offset */
        place[i] = at;
        block[i] = elements / in_row[i];
        elements -= block[i] * in_row[i];
        at += block[i] * d->dim[i].stride;
    }
    MPI_Count displacement[MOST], one[MOST];
    if ((rc = INNER(MPI_Type_dup)(row, &row)) != MPI_SUCCESS)
        return rc; /* row is the caller's */
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
    /* The pieces are in reverse array order, because the last dimension comes first. */
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

/* Returns the arguments for count elements of the datatype in a section: one element of a new,
   committed datatype, which the section owns; or an error. */
struct section section_of(const struct descriptor *d, MPI_Count count, MPI_Datatype datatype)
{
    struct section s = {MPI_SUCCESS, d->base, 1, MPI_DATATYPE_NULL, 0};
    MPI_Datatype unit = MPI_DATATYPE_NULL;
    MPI_Count several = 1;
    if (count <= 0) { /* nothing to describe; the library rejects a negative count */
        s.count = count;
        s.datatype = datatype;
        return s;
    }
    s.error = element_type(d->size, datatype, &several, &unit);
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

/* The library packs and unpacks the copy, because the array may be in the memory of a device,
   which only the library can read and write. */

/* Returns the size of all elements of an array, in bytes. */
static MPI_Count all_bytes(const struct descriptor *d)
{
    MPI_Count bytes = (MPI_Count)d->size;
    for (int i = 0; i < d->rank; i++)
        bytes *= d->dim[i].extent;
    return bytes;
}

/* Returns a buffer with a copy of the array's elements, and their datatype in the array, both of
   which the section owns; or an error. No extent is 0. */
struct section copy_of(const struct descriptor *d)
{
    const MPI_Count bytes = all_bytes(d);
    struct section s = section_of(d, bytes, MPI_BYTE);
    MPI_Count at = 0;
    if (s.error != MPI_SUCCESS || !s.made) {
        done(&s);
        s.made = 0;
        return s;
    }
    s.buffer = malloc((size_t)bytes);
    s.error = s.buffer ? INNER(MPI_Pack_c)(d->base, 1, s.datatype, s.buffer, bytes, &at, MPI_COMM_SELF) : MPI_ERR_NO_MEM;
    if (s.error != MPI_SUCCESS) {
        copy_back(&s, d, 0);
        s.made = 0;
    }
    return s;
}

/* Frees the copy. If `written`, writes it back to the array first. */
void copy_back(struct section *s, const struct descriptor *d, int written)
{
    MPI_Count at = 0;
    if (written)
        INNER(MPI_Unpack_c)(s->buffer, all_bytes(d), &at, d->base, 1, s->datatype, MPI_COMM_SELF);
    INNER(MPI_Type_free)(&s->datatype);
    free(s->buffer);
}
