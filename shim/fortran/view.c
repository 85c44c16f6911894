/*
 * Sections of arrays as choice buffers: as a datatype, or as a copy. Both belong to the struct
 * section of one call; nothing is shared or locked.
 */
#include <limits.h>
#include "view.h"

/* ---- a datatype ---- */

/* Makes *type, a datatype for the first m elements, in array order, of the first n dimensions:
   a vector of whole rows, followed by the rest, which is built in the same way. Returns an MPI
   error code. The caller frees *type. */
static int type_of(const struct view *v, int n, MPI_Count m, MPI_Datatype element, MPI_Datatype *type)
{
    if (n == 0)
        return INNER(MPI_Type_dup)(element, type);
    MPI_Count block = 1;
    for (int d = 0; d < n - 1; d++)
        block *= v->extent[d];
    const MPI_Count whole = m / block, rest = m % block;
    MPI_Datatype inner, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Aint at[2] = {0, (MPI_Aint)whole * v->stride[n - 1]};
    const int ones[2] = {1, 1};
    int rc = MPI_SUCCESS;
    if (whole > 0 && (rc = type_of(v, n - 1, block, element, &inner)) == MPI_SUCCESS) {
        rc = whole > INT_MAX ? INNER(MPI_Type_create_hvector_c)(whole, 1, v->stride[n - 1], inner, &parts[0])
                             : INNER(MPI_Type_create_hvector)((int)whole, 1, v->stride[n - 1], inner, &parts[0]);
        INNER(MPI_Type_free)(&inner);
    }
    if (rc == MPI_SUCCESS && rest > 0)
        rc = type_of(v, n - 1, rest, element, &parts[1]);
    if (rc == MPI_SUCCESS && whole > 0 && rest > 0)
        rc = INNER(MPI_Type_create_struct)(2, ones, at, parts, type);
    else if (rc == MPI_SUCCESS) {
        *type = whole > 0 ? parts[0] : parts[1];
        return rc;
    }
    for (int i = 0; i < 2; i++)
        if (parts[i] != MPI_DATATYPE_NULL)
            INNER(MPI_Type_free)(&parts[i]);
    return rc;
}

/* Returns the number of elements of a section. */
static MPI_Count elements_of(const struct view *v)
{
    MPI_Count n = 1;
    for (int d = 0; d < v->rank; d++)
        n *= v->extent[d];
    return n;
}

/* Returns the size of its elements. */
static MPI_Count bytes_in(const struct view *v) { return elements_of(v) * (MPI_Count)v->size; }

/* Makes *type, the datatype `element` m times: for the first m elements of the section. Returns an
   MPI error code. The caller frees *type, which is committed. */
static int committed(const struct view *v, MPI_Count m, MPI_Datatype element, MPI_Datatype *type)
{
    int rc = type_of(v, v->rank, m, element, type);
    if (rc == MPI_SUCCESS && (rc = INNER(MPI_Type_commit)(type)) != MPI_SUCCESS)
        INNER(MPI_Type_free)(type);
    return rc;
}

/* The memory of a datatype, in bytes: its bounds, and the first byte and the length of its data. */
struct span {
    MPI_Aint lower, extent, first, length;
};

/* Stores the span of a datatype. Returns an MPI error code. */
static int span_of(MPI_Datatype datatype, struct span *s)
{
    const int rc = INNER(MPI_Type_get_extent)(datatype, &s->lower, &s->extent);
    return rc != MPI_SUCCESS ? rc : INNER(MPI_Type_get_true_extent)(datatype, &s->first, &s->length);
}

/* Reports whether the data of count datatypes is within the first `bytes` bytes of the buffer. */
static int is_within(const struct span *s, MPI_Count count, MPI_Count bytes)
{
    const MPI_Count room = bytes - s->first - s->length;
    if (s->first < 0 || room < 0 || (s->extent < 0 && count > 1))
        return 0;
    return s->extent <= 0 || count - 1 <= room / s->extent;
}

/* Makes *s one element of a new datatype for `count` elements of `datatype`. There are three cases:
   a datatype is as large as an array element; several datatypes fill one array element; or one
   datatype covers several adjacent elements of the first dimension. Returns MPI_ERR_BUFFER if it
   is none of them. */
static int as_type(struct section *s, struct view v, const struct span *span, MPI_Count count, MPI_Datatype datatype)
{
    const MPI_Aint size = (MPI_Aint)v.size, extent = span->extent;
    MPI_Datatype element = datatype;
    int rc;
    if (span->lower != 0 || extent <= 0 || !is_within(span, 1, extent))
        return MPI_ERR_BUFFER; /* data of one datatype may lie among the next ones */
    const MPI_Aint some = extent < size ? size / extent : extent / size;
    if (extent < size) {
        if (size % extent != 0 || count % some != 0)
            return MPI_ERR_BUFFER;
        count /= some;
    } else if (extent > size) {
        if (extent % size != 0 || v.stride[0] != size || v.extent[0] % some != 0)
            return MPI_ERR_BUFFER;
        v.extent[0] /= some;
        v.stride[0] = extent;
    }
    if (count > elements_of(&v))
        return MPI_ERR_BUFFER;
    if (extent < size && (rc = INNER(MPI_Type_contiguous)((int)some, datatype, &element)) != MPI_SUCCESS)
        return rc;
    rc = committed(&v, count, element, &s->made);
    if (element != datatype)
        INNER(MPI_Type_free)(&element);
    if (rc == MPI_SUCCESS) {
        s->count = 1;
        s->type = s->made;
        s->is_made = 1;
    }
    return rc;
}

/* ---- a copy ---- */

/* Makes *s a copy of the section. The library packs it, because the array may be in the memory of
   a device, which only the library can read. Returns an MPI error code. */
static int as_copy(struct section *s, const struct view *v)
{
    MPI_Count at = 0;
    MPI_Datatype element;
    int rc = INNER(MPI_Type_contiguous)((int)v->size, MPI_BYTE, &element);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = committed(v, elements_of(v), element, &s->made);
    INNER(MPI_Type_free)(&element);
    if (rc != MPI_SUCCESS)
        return rc;
    s->bytes = bytes_in(v);
    s->copy = malloc((size_t)s->bytes);
    rc = s->copy ? INNER(MPI_Pack_c)(s->array, 1, s->made, s->copy, s->bytes, &at, MPI_COMM_SELF) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS) {
        s->address = s->copy;
        s->is_made = 1;
        return rc;
    }
    INNER(MPI_Type_free)(&s->made);
    free(s->copy);
    return rc;
}

/* Passes a section that count elements of the datatype describe. Returns an MPI error code. */
static int as_either(struct section *s, const struct view *v, MPI_Count count, MPI_Datatype datatype, int may_copy)
{
    struct span span;
    int rc = span_of(datatype, &span);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = as_type(s, *v, &span, count, datatype);
    if (rc != MPI_ERR_BUFFER || !may_copy || !is_within(&span, count, bytes_in(v)))
        return rc;
    return as_copy(s, v);
}

/* If the section can be passed neither as a datatype nor as a copy, the call fails: the error
   handler of MPI_COMM_WORLD is called. */
int section_pass(struct section *s, const struct view *v, MPI_Count count, MPI_Datatype datatype, int how)
{
    int rc = MPI_ERR_BUFFER;
    s->array = s->address;
    s->copy = NULL;
    s->is_out = how & WRITTEN_BACK;
    if (how & TYPED) {
        if (count <= 0)
            return MPI_SUCCESS; /* nothing to describe; the library rejects a negative count */
        rc = as_either(s, v, count, datatype, how & COPIED);
    } else if (how & COPIED)
        rc = as_copy(s, v);
    if (rc != MPI_SUCCESS)
        INNER(MPI_Comm_call_errhandler)(MPI_COMM_WORLD, rc);
    return rc;
}

void section_release(struct section *s)
{
    MPI_Count at = 0;
    if (s->copy && s->is_out)
        INNER(MPI_Unpack_c)(s->copy, s->bytes, &at, s->array, 1, s->made, MPI_COMM_SELF);
    INNER(MPI_Type_free)(&s->made);
    free(s->copy);
}
