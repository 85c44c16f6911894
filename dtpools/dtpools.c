/* Pools, objects, values and checks. The layouts are in layouts.c, the basic types in types.c. There is no state but in the pools. */
#include "dtpools.h"
#include "layouts.h"
#include "types.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

/* Stores the number of objects of a pool. Returns DTP_ERR_ENV if DTP_NUM_OBJS is not a
   valid number. */
static int number_of_objects(int *n)
{
    const char *set = getenv("DTP_NUM_OBJS");
    char *end = NULL;
    *n = dtp_num_layouts();
    if (!set)
        return DTP_SUCCESS;
    errno = 0;
    long most = strtol(set, &end, 10);
    if (end == set || *end || errno || most == 0 || most < -1)
        return DTP_ERR_ENV;
    if (most > 0 && most < *n)
        *n = (int)most;
    return DTP_SUCCESS;
}

/* A member of a struct, or the only one of another signature. */
typedef struct {
    MPI_Datatype type;
    const dtp_kind *kind;
    int count; /* elements */
} member;

/* The signature of a pool. */
struct DTP_private {
    int members, elements; /* elements: of all members */
    int is_struct;         /* made by DTP_pool_create_struct */
    member member[];
};

/* GUARD: the bytes before and after each buffer that must not change. GAP: the least
   number of such bytes between the members of a struct. ALIGN: of a member. */
enum { GUARD = 64, ALIGN = 16, GAP = 16 };

/* Returns the value of a byte that must not change, by its offset from the first guard
   byte. */
static unsigned char pattern(size_t at)
{
    return (unsigned char)(0xA5 + at * 7);
}

/* Makes a pool with n members. */
static int pool_create(int n, const MPI_Datatype *types, const int *counts, int is_struct, DTP_t *dtp)
{
    int objects, rc;
    if (dtp)
        *dtp = NULL;
    if (!dtp || n < 1 || !types || !counts)
        return DTP_ERR_ARG;
    if ((rc = number_of_objects(&objects)) != DTP_SUCCESS)
        return rc;
    DTP_t pool = calloc(1, sizeof *pool);
    struct DTP_private *p = calloc(1, sizeof *p + (size_t)n * sizeof *p->member);
    DTP_obj_t *array = calloc((size_t)objects, sizeof *array);
    if (!pool || !p || !array)
        rc = DTP_ERR_SIZE;
    for (int i = 0; rc == DTP_SUCCESS && i < n; i++) {
        const dtp_kind *k = dtp_kind_of(types[i]);
        if (counts[i] < 1)
            rc = DTP_ERR_ARG;
        else if (!k)
            rc = DTP_ERR_TYPE;
        else if (counts[i] > INT_MAX - p->elements)
            rc = DTP_ERR_SIZE;
        else {
            p->member[i] = (member){types[i], k, counts[i]};
            p->elements += counts[i];
        }
    }
    if (rc != DTP_SUCCESS) {
        free(pool);
        free(p);
        free(array);
        return rc;
    }
    p->members = n;
    p->is_struct = is_struct;
    for (int i = 0; i < objects; i++)
        array[i].DTP_obj_type = MPI_DATATYPE_NULL;
    *pool = (struct DTP){objects, array, p};
    *dtp = pool;
    return DTP_SUCCESS;
}

int DTP_pool_create(MPI_Datatype basic_type, int basic_count, DTP_t *dtp)
{
    return pool_create(1, &basic_type, &basic_count, 0, dtp);
}

int DTP_pool_create_struct(int n, MPI_Datatype *basic_types, int *basic_counts, DTP_t *dtp)
{
    return pool_create(n, basic_types, basic_counts, 1, dtp);
}

/* Frees the remaining objects. Returns DTP_ERR_MPI if one of them failed, after freeing all. */
int DTP_pool_free(DTP_t dtp)
{
    int rc = DTP_SUCCESS;
    if (!dtp)
        return DTP_ERR_ARG;
    for (int i = 0; i < dtp->DTP_num_objs; i++)
        if (dtp->DTP_obj_array[i].DTP_obj_private && DTP_obj_free(dtp, i) != DTP_SUCCESS)
            rc = DTP_ERR_MPI;
    free(dtp->DTP_obj_array);
    free(dtp->DTP_private);
    free(dtp);
    return rc;
}

int DTP_pool_elements(DTP_t dtp)
{
    return dtp ? dtp->DTP_private->elements : 0;
}

/* ---- objects ---- */

/* The positions of the elements of one member in an object. */
typedef struct {
    dtp_shape shape;
    const dtp_layout *layout;
    size_t offset, bytes; /* from the beginning of the buffer; in all */
} part;

/* The internal data of an object. */
typedef struct {
    unsigned char *memory; /* guard, buffer, guard, then for each byte of these 1 if it belongs to an element, else 0; owned */
    part part[];           /* one for each member */
} private;

/* Returns DTP_ERR_ARG or DTP_ERR_INDEX unless the object is in the pool. */
static int check_index(DTP_t dtp, int obj_idx)
{
    if (!dtp)
        return DTP_ERR_ARG;
    return obj_idx < 0 || obj_idx >= dtp->DTP_num_objs ? DTP_ERR_INDEX : DTP_SUCCESS;
}

int DTP_obj_describe(DTP_t dtp, int obj_idx, char *text, size_t size)
{
    int rc = check_index(dtp, obj_idx);
    if (rc == DTP_SUCCESS && !text)
        rc = DTP_ERR_ARG;
    if (rc != DTP_SUCCESS)
        return rc;
    const dtp_layout *l = dtp_layout_at(obj_idx);
    const struct DTP_private *p = dtp->DTP_private;
    int at = snprintf(text, size, "%s, %s", l->group, l->name);
    for (int i = 0; i < p->members && at > 0 && (size_t)at < size; i++) {
        dtp_shape s = {0};
        l->set(l, p->member[i].count, &s);
        at += snprintf(text + at, size - (size_t)at, "%s count %lld, blklen %lld, stride %lld", i ? ";" : ":", (long long)s.count,
                       (long long)s.blklen, (long long)s.stride);
    }
    return DTP_SUCCESS;
}

/* Computes the positions of all members' elements in a layout, and the size of the buffer in bytes. Returns DTP_ERR_SIZE if that
   is too large. */
static int lay_out(const struct DTP_private *p, const dtp_layout *layout, part *parts, size_t *bytes)
{
    size_t end = 0;
    for (int i = 0; i < p->members; i++) {
        dtp_shape s = {0};
        size_t size = p->member[i].kind->size;
        int rc = layout->set(layout, p->member[i].count, &s);
        if (rc != DTP_SUCCESS)
            return rc;
        if (s.span < p->member[i].count)
            return DTP_ERR_LAYOUT;
        if ((size_t)s.span > SIZE_MAX / 4 / size - end)
            return DTP_ERR_SIZE;
        size_t offset = i == 0 ? 0 : (end + GAP + ALIGN - 1) / ALIGN * ALIGN;
        parts[i] = (part){s, layout, offset, (size_t)s.span * size};
        end = offset + parts[i].bytes;
    }
    *bytes = end;
    return DTP_SUCCESS;
}

/* Returns the address of element k of member i. */
static unsigned char *element_address(const DTP_obj_t *o, const struct DTP_private *p, int i, int k)
{
    const part *at = &((private *)o->DTP_obj_private)->part[i];
    return (unsigned char *)o->DTP_obj_buf + at->offset + (size_t)at->layout->place(&at->shape, k) * p->member[i].kind->size;
}

/* Marks the bytes of all elements of an object. Returns DTP_ERR_LAYOUT if an element is outside its member's part of the buffer,
   or two are at one position. */
static int mark_elements(const DTP_obj_t *o, const struct DTP_private *p)
{
    private *own = o->DTP_obj_private;
    unsigned char *marks = own->memory + o->DTP_obj_bufsize + 2 * GUARD;
    memset(marks, 0, o->DTP_obj_bufsize + 2 * GUARD);
    for (int i = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count; k++) {
            const part *at = &own->part[i];
            MPI_Count place = at->layout->place(&at->shape, k);
            if (place < 0 || place >= at->shape.span)
                return DTP_ERR_LAYOUT;
            unsigned char *mark = marks + (element_address(o, p, i, k) - own->memory);
            if (*mark)
                return DTP_ERR_LAYOUT;
            memset(mark, 1, p->member[i].kind->size);
        }
    return DTP_SUCCESS;
}

/* Returns the value of element i, wrapping around on overflow. */
static int element_value(int start, int stride, int i)
{
    return (int)((unsigned)start + (unsigned)stride * (unsigned)i);
}

/* Makes the datatype of a struct of the members' datatypes. Returns an MPI error code. */
static int make_struct(const struct DTP_private *p, const dtp_layout *layout, const part *parts, MPI_Datatype *type)
{
    size_t n = (size_t)p->members;
    MPI_Datatype *types = malloc(n * sizeof *types);
    MPI_Aint *places = malloc(n * sizeof *places);
    int *counts = malloc(n * sizeof *counts), made = 0, rc = types && places && counts ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (; rc == MPI_SUCCESS && made < p->members; made++) {
        const member *m = &p->member[made];
        places[made] = (MPI_Aint)parts[made].offset;
        rc = layout->make(&parts[made].shape, m->type, m->kind->size, &types[made], &counts[made]);
    }
    if (rc == MPI_SUCCESS)
        rc = MPI_Type_create_struct(p->members, counts, places, types, type);
    else if (made > 0)
        made--;
    while (made-- > 0)
        if (types[made] != p->member[made].type)
            MPI_Type_free(&types[made]);
    free(types);
    free(places);
    free(counts);
    return rc;
}

/* Makes and commits the datatype of an object, and sets its count. Returns DTP_ERR_MPI if an MPI function fails. */
static int make_type(const struct DTP_private *p, const dtp_layout *layout, const part *parts, DTP_obj_t *o)
{
    const member *only = p->member;
    int rc = p->is_struct ? make_struct(p, layout, parts, &o->DTP_obj_type)
                          : layout->make(&parts->shape, only->type, only->kind->size, &o->DTP_obj_type, &o->DTP_obj_count);
    if (rc == MPI_SUCCESS && o->DTP_obj_type != only->type)
        rc = MPI_Type_commit(&o->DTP_obj_type);
    return rc == MPI_SUCCESS ? DTP_SUCCESS : DTP_ERR_MPI;
}

int DTP_obj_create(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    const struct DTP_private *p = dtp->DTP_private;
    const dtp_layout *layout = dtp_layout_at(obj_idx);
    DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    if (val_count < 0 || val_count > p->elements)
        return DTP_ERR_ARG;
    if (o->DTP_obj_private)
        return DTP_ERR_STATE;

    private *own = malloc(sizeof *own + (size_t)p->members * sizeof *own->part);
    size_t bytes = 0;
    rc = own ? lay_out(p, layout, own->part, &bytes) : DTP_ERR_SIZE;
    if (rc == DTP_SUCCESS && !(own->memory = malloc(2 * (bytes + 2 * GUARD))))
        rc = DTP_ERR_SIZE;
    if (rc != DTP_SUCCESS) {
        free(own);
        return rc;
    }
    DTP_obj_t object = {own->memory + GUARD, 1, MPI_DATATYPE_NULL, bytes, own};
    rc = mark_elements(&object, p);
    if (rc == DTP_SUCCESS)
        rc = make_type(p, layout, own->part, &object);
    if (rc != DTP_SUCCESS) {
        free(own->memory);
        free(own);
        return rc;
    }
    for (size_t i = 0; i < bytes + 2 * GUARD; i++)
        own->memory[i] = pattern(i);
    *o = object;
    for (int i = 0, n = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count && n < val_count; k++, n++)
            p->member[i].kind->put(element_address(o, p, i, k), element_value(val_start, val_stride, n));
    return DTP_SUCCESS;
}

/* Frees the datatype and the buffer. The object can be created again. */
int DTP_obj_free(DTP_t dtp, int obj_idx)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    private *own = o->DTP_obj_private;
    if (!own)
        return DTP_ERR_STATE;
    if (!dtp_kind_of(o->DTP_obj_type) && MPI_Type_free(&o->DTP_obj_type) != MPI_SUCCESS)
        rc = DTP_ERR_MPI;
    free(own->memory);
    free(own);
    *o = (DTP_obj_t){.DTP_obj_type = MPI_DATATYPE_NULL};
    return rc;
}

/* ---- checks ---- */

/* Writes a description of element n of the object, element k of member i, which should
   have the value. */
static void report_element(const DTP_obj_t *o, const struct DTP_private *p, int i, int k, int n, int value, char *text, size_t size)
{
    const member *m = &p->member[i];
    unsigned char right[sizeof(long double _Complex)] = {0};
    char expected[96], there[96], in[48] = "";
    unsigned char *at = element_address(o, p, i, k);
    m->kind->put(right, value);
    m->kind->show(right, expected, sizeof expected);
    m->kind->show(at, there, sizeof there);
    if (p->is_struct)
        snprintf(in, sizeof in, "element %d of member %d, ", k, i);
    snprintf(text, size, "element %d of %d (%s%s, at byte %zu) is %s, expected %s", n, p->elements, in, m->kind->name,
             (size_t)(at - (unsigned char *)o->DTP_obj_buf), there, expected);
}

/* Checks the bytes of an object that belong to no element, and the guards. Returns DTP_SUCCESS, or DTP_ERR_GAP or DTP_ERR_GUARD with a
   description of the first byte that has changed. */
static int check_gaps(const DTP_obj_t *o, char *text, size_t size)
{
    const unsigned char *memory = ((private *)o->DTP_obj_private)->memory;
    size_t end = o->DTP_obj_bufsize + 2 * GUARD;
    for (size_t at = 0; at < end; at++) {
        if (memory[at] == pattern(at) || memory[end + at])
            continue;
        int in = at >= GUARD && at < GUARD + o->DTP_obj_bufsize;
        snprintf(text, size, "byte %lld of the buffer of %zu, %s, was written to: it is 0x%02x, expected 0x%02x",
                 (long long)at - GUARD, o->DTP_obj_bufsize, in ? "between elements" : "outside it", memory[at], pattern(at));
        return in ? DTP_ERR_GAP : DTP_ERR_GUARD;
    }
    return DTP_SUCCESS;
}

/* Returns DTP_SUCCESS if the object exists, n is a number of its elements, and there is room for a text of `size` bytes, to which it
   then writes an empty one. */
static int begin_check(DTP_t dtp, int obj_idx, int n, char *text, size_t size)
{
    int rc = check_index(dtp, obj_idx);
    if (rc != DTP_SUCCESS)
        return rc;
    if (n < 0 || n > dtp->DTP_private->elements || (!text && size > 0))
        return DTP_ERR_ARG;
    if (!dtp->DTP_obj_array[obj_idx].DTP_obj_private)
        return DTP_ERR_STATE;
    if (size > 0)
        *text = 0;
    return DTP_SUCCESS;
}

int DTP_obj_buf_check_report(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count, char *text, size_t size)
{
    int rc = begin_check(dtp, obj_idx, val_count, text, size);
    if (rc != DTP_SUCCESS)
        return rc;
    const struct DTP_private *p = dtp->DTP_private;
    const DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    for (int i = 0, n = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count && n < val_count; k++, n++)
            if (!p->member[i].kind->same(element_address(o, p, i, k), element_value(val_start, val_stride, n))) {
                report_element(o, p, i, k, n, element_value(val_start, val_stride, n), text, size);
                return DTP_ERR_ELEMENT;
            }
    return check_gaps(o, text, size);
}

/* Compares all bytes, also the padding inside basic types, because none of them may change. */
int DTP_obj_rest_check_report(DTP_t dtp, int obj_idx, int from, char *text, size_t size)
{
    int rc = begin_check(dtp, obj_idx, from, text, size);
    if (rc != DTP_SUCCESS)
        return rc;
    const struct DTP_private *p = dtp->DTP_private;
    const DTP_obj_t *o = &dtp->DTP_obj_array[obj_idx];
    const unsigned char *memory = ((private *)o->DTP_obj_private)->memory;
    for (int i = 0, n = 0; i < p->members; i++)
        for (int k = 0; k < p->member[i].count; k++, n++) {
            size_t first = (size_t)(element_address(o, p, i, k) - memory);
            for (size_t at = first; n >= from && at < first + p->member[i].kind->size; at++)
                if (memory[at] != pattern(at)) {
                    snprintf(text, size, "element %d of %d (%s, at byte %zu), past the %d that were sent, was written to", n, p->elements,
                             p->member[i].kind->name, first - GUARD, from);
                    return DTP_ERR_ELEMENT;
                }
        }
    return check_gaps(o, text, size);
}

int DTP_obj_buf_check(DTP_t dtp, int obj_idx, int val_start, int val_stride, int val_count)
{
    return DTP_obj_buf_check_report(dtp, obj_idx, val_start, val_stride, val_count, NULL, 0);
}

const char *DTP_error_string(int code)
{
    static const char *const words[] = {
        [DTP_SUCCESS] = "no error",
        [DTP_ERR_ARG] = "an argument is NULL, less than 1, or more than the pool has",
        [DTP_ERR_TYPE] = "the type is not one of the basic types",
        [DTP_ERR_INDEX] = "the pool has no object with that index",
        [DTP_ERR_STATE] = "the object exists already, or does not exist yet",
        [DTP_ERR_ENV] = "DTP_NUM_OBJS (-1, or at least 1), DTP_RUNTIME_TYPES or DTP_DATATYPE_FILE is invalid",
        [DTP_ERR_SIZE] = "the layout needs more memory than is available, or more than an int can count",
        [DTP_ERR_MPI] = "an MPI function failed",
        [DTP_ERR_ELEMENT] = "an element has a wrong value",
        [DTP_ERR_GAP] = "a byte between the elements was written to",
        [DTP_ERR_GUARD] = "a byte outside the buffer was written to",
        [DTP_ERR_LAYOUT] = "a layout places an element outside the buffer, or two at one position: correct its functions set and place",
    };
    return code < 0 || code > DTP_ERR_LAYOUT ? "not an error code of the datatype pools" : words[code];
}
