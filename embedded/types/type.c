/*
 * Datatype objects: their life, and queries. The lock of em->properties guards names; nothing else of a datatype changes but its
 * attributes (base/attributes.c).
 */
#include "layout.h"
#include "functions.h"
#include "../base/attributes.h"
#include "../base/errors.h"
#include "../base/handles.h"
#include "../base/pool.h"

#include <stdlib.h>
#include <string.h>

/* ---- the device's operations ---- */

/* Writes n bytes of the stream from `at` on. A contiguous datatype is one memcpy. */
static void pack_stream(const MPIR_DATATYPE *device, const void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, void *dest, int64_t n)
{
    struct cursor cursor = {.pack = true, .to = act == MPID_MSG_XDR ? XDR : NATIVE, .stream = dest, .skip = at, .left = n};
    if (act == MPID_MSG_XDR)
        em_pack_converted(&cursor, count, device->extent, ((const struct type *)device)->layout, (void *)(uintptr_t)buf);
    else if (!device->is_contig)
        em_pack_native(&cursor, count, device->extent, ((const struct type *)device)->layout, (void *)(uintptr_t)buf);
    else if (n)
        memcpy(dest, em_plus(buf, device->true_lb + at), (size_t)n);
}

/* Stores n bytes of the stream from `at` on. The cursor only reads src, although its pointer is not const. */
static void unpack_stream(const MPIR_DATATYPE *device, void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, const void *src, int64_t n)
{
    struct cursor cursor = {.to = act == MPID_MSG_XDR ? XDR : NATIVE, .stream = (char *)(uintptr_t)src, .skip = at, .left = n};
    if (act == MPID_MSG_XDR)
        em_pack_converted(&cursor, count, device->extent, ((const struct type *)device)->layout, buf);
    else if (!device->is_contig)
        em_pack_native(&cursor, count, device->extent, ((const struct type *)device)->layout, buf);
    else if (n)
        memcpy(em_plus(buf, device->true_lb + at), src, (size_t)n);
}

/* Returns the bytes in memory of n bytes of XDR. Whole elements are counted by division, and only the last one is
 * walked through. */
static int64_t native_bytes(const MPIR_DATATYPE *device, int64_t n)
{
    int64_t total[MEASURES] = {0};
    if (device->xdr_size == 0)
        return 0;
    em_measure(((const struct type *)device)->layout, XDR, n % device->xdr_size, total);
    return n / device->xdr_size * device->size + total[NATIVE];
}

static void retain_type(MPIR_DATATYPE *device) { em_retain(&((struct type *)device)->head); }
static void release_type(MPIR_DATATYPE *device) { em_type_release((struct type *)device); }

const struct MPID_Type_ops em_type_ops = {pack_stream, unpack_stream, native_bytes, retain_type, release_type};

/* ---- contents: the arguments that a datatype was made with ---- */

/* One block of memory holds the arrays, those of 8 bytes first, so that all are aligned. */
struct contents *em_contents_new(int combiner, int64_t integers, int64_t addresses, int64_t counts, int64_t types)
{
    /* Arrays of 8 bytes first. */
    struct contents *contents = calloc(1, sizeof *contents + (size_t)(addresses + counts) * sizeof(int64_t) + (size_t)types * sizeof(struct type *) + (size_t)integers * sizeof(int));
    if (!contents)
        return NULL;
    atomic_init(&contents->references, 1);
    contents->combiner = combiner;
    contents->integers = integers;
    contents->addresses = addresses;
    contents->counts = counts;
    contents->types = types;
    contents->address = (int64_t *)(contents + 1);
    contents->count = contents->address + addresses;
    contents->type = (struct type **)(contents->count + counts);
    contents->integer = (int *)(contents->type + types);
    return contents;
}

void em_contents_release(struct contents *contents)
{
    if (!contents || atomic_fetch_sub_explicit(&contents->references, 1, memory_order_acq_rel) > 1)
        return;
    for (int64_t i = 0; i < contents->types; i++)
        em_type_release(contents->type[i]);
    free(contents);
}

/* ---- life ---- */

/*
 * Reports whether messages are in a forced representation, even if the data is one block. MPI_PACKED is what em_Pack has
 * converted.
 */
static bool is_converted_in_messages(const struct layout *layout)
{
    bool is_packed = layout->kind == BASIC && layout->element == (int)(uintptr_t)MPI_PACKED;
    return em->converts && (layout->size[NATIVE] > 1 || is_packed);
}

/* Copies the measures of the layout into the fields that the device and the fast paths read. */
void em_type_fill(struct type *type, int64_t lb, int64_t extent)
{
    const struct layout *layout = type->layout;
    type->lb = lb;
    type->true_extent = layout->high - layout->low;
    type->elements = layout->size[ELEMENTS];
    type->device.self = type;
    type->device.size = layout->size[NATIVE];
    type->device.xdr_size = layout->size[XDR];
    type->device.extent = extent;
    type->device.true_lb = layout->low;
    type->device.is_contig = layout->dense && extent == layout->size[NATIVE] && !is_converted_in_messages(layout);
}

/* Returns a new datatype that shares the layout and the contents of type, without its name and attributes, or NULL. */
struct type *em_type_equal(struct type *type)
{
    struct type *copy = em_new(TYPE);
    if (!copy)
        return NULL;
    copy->device.ops = &em_type_ops;
    copy->device.is_absolute = type->device.is_absolute;
    copy->committed = type->committed;
    copy->bounded = type->bounded;
    copy->align = type->align;
    copy->element = type->element;
    copy->layout = em_layout_retain(type->layout);
    copy->contents = type->contents;
    if (copy->contents)
        atomic_fetch_add_explicit(&copy->contents->references, 1, memory_order_relaxed);
    em_type_fill(copy, type->lb, type->device.extent);
    return copy;
}

void em_type_release(struct type *type)
{
    if (!type || !em_drop(&type->head))
        return;
    em_layout_release(type->layout);
    em_contents_release(type->contents);
    em_attributes_forget(&type->attributes);
    em_delete(TYPE, type);
}

int em_Type_commit(MPI_Datatype *datatype)
{
    struct type *type = em_type_of(*datatype);
    if (!type)
        return em_error(MPI_ERR_TYPE, "datatype is not a valid datatype");
    type->committed = true; /* the layout was reduced when the datatype was made */
    return MPI_SUCCESS;
}

/* Calls the delete callbacks first; if one fails, the datatype stays. Running operations and derived datatypes hold
 * references. */
int em_Type_free(MPI_Datatype *datatype)
{
    struct type *type = em_type_of(*datatype);
    if (!type)
        return em_error(MPI_ERR_TYPE, "datatype is not a valid datatype");
    if (type->head.predefined)
        return em_error(MPI_ERR_TYPE, "%s is predefined and cannot be freed", *type->name ? type->name : "the datatype");
    int err = em_attributes_delete(TYPE, type, &type->attributes);
    if (err != MPI_SUCCESS)
        return err;
    em_type_release(type);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* Copies attributes by their callbacks. The duplicate shares the layout and is committed if oldtype is. */
int em_Type_dup(struct type *oldtype, MPI_Datatype *newtype)
{
    struct type *type = em_type_equal(oldtype);
    struct contents *contents = em_contents_new(MPI_COMBINER_DUP, 0, 0, 0, 1);
    *newtype = MPI_DATATYPE_NULL;
    if (!type || !contents) {
        em_type_release(type);
        em_contents_release(contents);
        return em_type_no_memory();
    }
    em_contents_release(type->contents);
    em_retain(&oldtype->head);
    contents->type[0] = oldtype;
    type->contents = contents;
    int err = em_attributes_copy(TYPE, oldtype, oldtype->attributes, type, &type->attributes);
    if (err == MPI_SUCCESS)
        *newtype = em_type_handle(type);
    else
        em_type_release(type);
    return err;
}

/* ---- queries ---- */

int em_Type_size(struct type *datatype, int64_t *size)
{
    *size = datatype->device.size;
    return MPI_SUCCESS;
}

int em_Type_size_x(struct type *datatype, MPI_Count *size) { return em_Type_size(datatype, size); }

int em_Type_get_extent(struct type *datatype, int64_t *lb, int64_t *extent)
{
    *lb = datatype->lb;
    *extent = datatype->device.extent;
    return MPI_SUCCESS;
}

int em_Type_get_extent_x(struct type *datatype, MPI_Count *lb, MPI_Count *extent) { return em_Type_get_extent(datatype, lb, extent); }

/* The bounds in the functions that MPI-3.0 removed. */
int em_Type_extent(struct type *datatype, MPI_Aint *extent)
{
    *extent = datatype->device.extent;
    return MPI_SUCCESS;
}

int em_Type_lb(struct type *datatype, MPI_Aint *displacement)
{
    *displacement = datatype->lb;
    return MPI_SUCCESS;
}

int em_Type_ub(struct type *datatype, MPI_Aint *displacement)
{
    *displacement = datatype->lb + datatype->device.extent;
    return MPI_SUCCESS;
}

int em_Type_get_true_extent(struct type *datatype, int64_t *true_lb, int64_t *true_extent)
{
    *true_lb = datatype->device.true_lb;
    *true_extent = datatype->true_extent;
    return MPI_SUCCESS;
}

int em_Type_get_true_extent_x(struct type *datatype, MPI_Count *true_lb, MPI_Count *true_extent)
{
    return em_Type_get_true_extent(datatype, true_lb, true_extent);
}

/* Copies the name under the lock, because another thread may set it meanwhile. */
int em_Type_get_name(struct type *datatype, char *type_name, int *resultlen)
{
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    *resultlen = (int)strlen(datatype->name);
    memcpy(type_name, datatype->name, (size_t)*resultlen + 1);
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    return MPI_SUCCESS;
}

int em_Type_set_name(struct type *datatype, const char *type_name)
{
    size_t length = strnlen(type_name, MPI_MAX_OBJECT_NAME - 1); /* a longer name is cut (MPI-5.0, 7.8) */
    MPID_THREAD_DS_LOCK(&em->properties, em->threads);
    memcpy(datatype->name, type_name, length);
    datatype->name[length] = '\0';
    MPID_THREAD_DS_UNLOCK(&em->properties, em->threads);
    return MPI_SUCCESS;
}

/* Returns an error if no type of the class has this size. The results are predefined and must not be freed. */
int em_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    static const struct {
        int class, size;
        MPI_Datatype type;
    } matches[] = {
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1}, {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2}, {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},
        {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8}, {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16},
        {MPI_TYPECLASS_REAL, 2, MPI_REAL2}, {MPI_TYPECLASS_REAL, 4, MPI_REAL4}, {MPI_TYPECLASS_REAL, 8, MPI_REAL8}, {MPI_TYPECLASS_REAL, 16, MPI_REAL16},
        {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4}, {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8}, {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16}, {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32},
        {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1}, {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2}, {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
        {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8}, {MPIX_TYPECLASS_LOGICAL, 16, MPI_LOGICAL16},
    };
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
        if (matches[i].class == typeclass && matches[i].size == size) {
            *datatype = matches[i].type;
            return MPI_SUCCESS;
        }
    return em_error(MPI_ERR_ARG, "no datatype of typeclass %d has %d bytes", typeclass, size);
}

/* ---- addresses ---- */

int em_Get_address(const void *location, MPI_Aint *address)
{
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

MPI_Aint em_Aint_add(MPI_Aint base, MPI_Aint disp) { return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp); }
MPI_Aint em_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2); }
