/*
 * Choice buffers of mpi_f08 that are sections of arrays, as gfortran describes them: passed
 * as a datatype, or as a copy. Both belong to the struct section of one call; nothing is
 * shared or locked.
 */
#include <limits.h>
#include "sections.h"

/* The parts of a descriptor that a copy or a datatype needs. */
struct view {
    int rank;
    size_t size;          /* of an element, in bytes */
    MPI_Aint stride[16];  /* in bytes */
    MPI_Count extent[16]; /* elements of each dimension */
};

/* Returns the view of an array. */
static struct view view_of(const struct array *a)
{
    struct view v = {.rank = a->rank, .size = a->size};
    for (int d = 0; d < a->rank; d++) {
        v.stride[d] = a->dim[d].stride * a->span;
        v.extent[d] = a->dim[d].upper - a->dim[d].lower + 1;
    }
    return v;
}

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

/* Reports whether the datatype is a predefined one without gaps. */
static int is_dense(MPI_Datatype datatype, MPI_Aint extent)
{
    int integers, addresses, datatypes, combiner = 0;
    MPI_Count size = 0;
    return INNER(MPI_Type_get_envelope)(datatype, &integers, &addresses, &datatypes, &combiner) == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED &&
           INNER(MPI_Type_size_x)(datatype, &size) == MPI_SUCCESS && size == extent;
}

/* Builds a committed datatype for `count` elements of `datatype` in the section, and makes *s
   one element of it. There are three cases: a datatype is as large as an array element; several
   datatypes fill one array element; or one datatype covers several adjacent elements of the
   first dimension. Returns MPI_SUCCESS, or an error that no error handler has seen yet. */
static int section_as_type(struct section *s, struct view v, MPI_Count count, MPI_Datatype datatype)
{
    MPI_Aint lb = 0, extent = 0;
    int rc = INNER(MPI_Type_get_extent)(datatype, &lb, &extent);
    if (rc != MPI_SUCCESS || lb != 0 || extent <= 0)
        return MPI_ERR_TYPE;
    const MPI_Aint size = (MPI_Aint)v.size, some = extent < size ? size / extent : extent / size;
    MPI_Datatype element = datatype, type;
    if (extent < size) {
        if (size % extent != 0 || count % some != 0 || !is_dense(datatype, extent))
            return MPI_ERR_TYPE;
        if ((rc = INNER(MPI_Type_contiguous)((int)some, datatype, &element)) != MPI_SUCCESS)
            return rc;
        count /= some;
    } else if (extent > size) {
        if (extent % size != 0 || v.stride[0] != size || v.extent[0] % some != 0)
            return MPI_ERR_TYPE;
        v.extent[0] /= some;
        v.stride[0] = extent;
    }
    rc = type_of(&v, v.rank, count, element, &type);
    if (element != datatype)
        INNER(MPI_Type_free)(&element);
    if (rc == MPI_SUCCESS) {
        rc = INNER(MPI_Type_commit)(&type);
        s->count = 1;
        s->datatype = INNER(MPI_Type_c2f)(type);
        s->is_made = 1;
    }
    return rc;
}

/* ---- a copy ---- */

/* Makes *type, a committed datatype of all elements of an array, as bytes, and stores their size
   in *bytes. Returns an MPI error code. The caller frees *type. */
static int all_of(const struct view *v, MPI_Datatype *type, MPI_Count *bytes)
{
    MPI_Count n = 1;
    MPI_Datatype element;
    for (int d = 0; d < v->rank; d++)
        n *= v->extent[d];
    *bytes = n * (MPI_Count)v->size;
    int rc = INNER(MPI_Type_contiguous)((int)v->size, MPI_BYTE, &element);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = type_of(v, v->rank, n, element, type);
    INNER(MPI_Type_free)(&element);
    return rc != MPI_SUCCESS ? rc : INNER(MPI_Type_commit)(type);
}

/* Makes *s a copy of the section. The library packs it, because the array may be in the memory of
   a device, which only the library can read. Returns an MPI error code. */
static int section_as_copy(struct section *s, const struct view *v)
{
    MPI_Count at = 0;
    int rc = all_of(v, &s->whole, &s->bytes);
    if (rc != MPI_SUCCESS)
        return rc;
    s->copy = malloc((size_t)s->bytes);
    rc = s->copy ? INNER(MPI_Pack_c)(s->address, 1, s->whole, s->copy, s->bytes, &at, MPI_COMM_SELF) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS) {
        s->address = s->copy;
        return rc;
    }
    INNER(MPI_Type_free)(&s->whole);
    free(s->copy);
    s->copy = NULL;
    return rc;
}

/* If the section can be passed neither as a datatype nor as a copy, the call fails: the error
   handler of MPI_COMM_WORLD is called. */
int section_begin(struct section *s, const struct array *a, MPI_Count count, MPI_Fint datatype, int how)
{
    *s = (struct section){.address = a->base, .count = count, .datatype = datatype, .array = a, .is_out = how & WRITTEN_BACK};
    if (!is_section(a))
        return MPI_SUCCESS;
    const struct view v = view_of(a);
    int rc = MPI_ERR_BUFFER;
    if (how & TYPED) {
        if (count <= 0)
            return MPI_SUCCESS;
        rc = section_as_type(s, v, count, INNER(MPI_Type_f2c)(datatype));
    }
    if (rc != MPI_SUCCESS && how & COPIED)
        rc = section_as_copy(s, &v);
    if (rc != MPI_SUCCESS)
        INNER(MPI_Comm_call_errhandler)(MPI_COMM_WORLD, rc);
    return rc;
}

void section_end(struct section *s)
{
    if (s->is_made) {
        MPI_Datatype type = INNER(MPI_Type_f2c)(s->datatype);
        INNER(MPI_Type_free)(&type);
    }
    if (s->copy) {
        MPI_Count at = 0;
        if (s->is_out)
            INNER(MPI_Unpack_c)(s->copy, s->bytes, &at, s->array->base, 1, s->whole, MPI_COMM_SELF);
        INNER(MPI_Type_free)(&s->whole);
        free(s->copy);
    }
}

/* ---- procedures of mpi_f08 whose buffers are not messages ---- */

/* Does nothing. A compiler must assume that the call changes buf, and that is its only purpose
   (MPI-5.0, 19.1.17). */
void mpi_f_sync_reg_f08ts_(const struct array *buf) { (void)buf; }
NAME(PROFILING(f_sync_reg_f08ts_), mpi_f_sync_reg_f08ts_)

/* Frees memory. MPICH passes its address since 4.1, and a descriptor before. */
extern void mpi_free_mem_(void *base, MPI_Fint *ierror);
void mpi_free_mem_f08ts_(const struct array *base, MPI_Fint *ierror) { mpi_free_mem_(base->base, ierror); }
NAME(PROFILING(free_mem_f08ts_), mpi_free_mem_f08ts_)
