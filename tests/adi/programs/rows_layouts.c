/*
 * A small engine of datatypes: trees of basic types, vectors, indexed types and structs, whose
 * stream can be copied from any byte to any other.
 *
 * There is no stored position: a copy finds its first element by division or, in indexed types and
 * structs, by binary search in sums, so resuming costs the depth of the tree. Types are constant
 * after their construction, except for the number of references. No locks.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rows_layouts.h"
#include "rows_xdr.h"

enum kind { BASIC, VECTOR, INDEXED, STRUCT };

struct type {
    MPIR_DATATYPE base; /* first, so that a pointer to it is a pointer to the type */
    atomic_int references;
    enum kind kind;
    enum basic_type basic;
    int64_t count;         /* blocks */
    int64_t blocklength;   /* vector: elements of a block */
    int64_t stride;        /* vector: distance of blocks, in bytes */
    struct type *old;      /* vector, indexed */
    struct type **types;   /* struct: of each block, after the type */
    int64_t *lengths, *displacements; /* of each block, after the type */
    int64_t *size_before, *xdr_before; /* bytes of the stream before each block; count + 1 sums */
};

/* One copy. The stream's first `skip` bytes are passed over, then `left` bytes are copied. */
struct cursor {
    enum { PACK, UNPACK, MEASURE } work;
    bool xdr;
    int64_t skip, left;
    char *stream;
    int64_t native; /* MEASURE: bytes in this host's representation */
};

/* Returns the address n bytes after one, which may be NULL in a type of absolute addresses. */
static char *plus(const char *memory, int64_t n) { return (char *)((uintptr_t)memory + (uintptr_t)n); }

static int64_t size_of(const struct type *t, bool xdr) { return xdr ? t->base.xdr_size : t->base.size; }

static void copy_bytes(struct cursor *c, char *memory, int64_t n)
{
    if (c->work == PACK)
        memcpy(c->stream, memory, (size_t)n);
    else if (c->work == UNPACK)
        memcpy(memory, c->stream, (size_t)n);
    else
        c->native += n;
    c->stream += n;
    c->left -= n;
}

/* Copies n bytes of one element's XDR, from byte `from` on. */
static void convert_elements(struct cursor *c, enum basic_type basic, char *memory, int64_t from, int64_t n)
{
    unsigned char xdr[XDR_MAX];
    if (c->work == MEASURE) {
        c->native += from + n == xdr_size(basic) ? basic_size(basic) : 0;
    } else {
        if (c->work == PACK || n < xdr_size(basic))
            to_xdr(basic, memory, xdr); /* UNPACK: keeps the bytes that have arrived before */
        if (c->work == PACK)
            memcpy(c->stream, xdr + from, (size_t)n);
        else
            memcpy(xdr + from, c->stream, (size_t)n);
        if (c->work == UNPACK)
            from_xdr(basic, xdr, memory);
    }
    c->stream += n;
    c->left -= n;
}

static void copy_basics(struct cursor *c, const struct type *t, char *memory, int64_t count)
{
    int64_t size = size_of(t, c->xdr), skip = c->skip;
    c->skip = 0;
    if (!c->xdr) {
        int64_t n = count * size - skip;
        copy_bytes(c, plus(memory, skip), n < c->left ? n : c->left);
        return;
    }
    int64_t from = skip % size;
    for (int64_t i = skip / size; i < count && c->left; i++, from = 0)
        convert_elements(c, t->basic, plus(memory, i * t->base.size), from, size - from < c->left ? size - from : c->left);
}

/* Returns the block of which byte `at` of the stream is a part. */
static int64_t block_at(const int64_t *before, int64_t count, int64_t at)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(before[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

static void copy(struct cursor *c, const struct type *t, char *memory, int64_t count);

static void copy_vector(struct cursor *c, const struct type *t, char *memory)
{
    int64_t bytes = t->blocklength * size_of(t->old, c->xdr);
    int64_t i = bytes ? c->skip / bytes : t->count;
    c->skip -= bytes * i;
    if (c->skip) {
        copy(c, t->old, plus(memory, i * t->stride), t->blocklength);
        i++;
    }
    for (; i < t->count && c->left; i++)
        copy(c, t->old, plus(memory, i * t->stride), t->blocklength);
}

/* Copies an indexed type or a struct. */
static void copy_blocks(struct cursor *c, const struct type *t, char *memory)
{
    const int64_t *before = c->xdr ? t->xdr_before : t->size_before;
    int64_t i = block_at(before, t->count, c->skip);
    c->skip -= before[i];
    for (; i < t->count && c->left; i++)
        copy(c, t->kind == STRUCT ? t->types[i] : t->old, plus(memory, t->displacements[i]), t->lengths[i]);
}

/* Copies the bytes of count elements that the cursor selects. */
static void copy(struct cursor *c, const struct type *t, char *memory, int64_t count)
{
    int64_t size = size_of(t, c->xdr);
    if (size == 0 || count == 0)
        return;
    if (t->kind == BASIC) {
        copy_basics(c, t, memory, count);
        return;
    }
    if (t->base.is_contig && !c->xdr) {
        int64_t n = count * size - c->skip, skip = c->skip;
        c->skip = 0;
        copy_bytes(c, plus(memory, t->base.true_lb + skip), n < c->left ? n : c->left);
        return;
    }
    int64_t i = c->skip / size;
    c->skip -= i * size;
    for (; i < count && c->left; i++) {
        if (t->kind == VECTOR)
            copy_vector(c, t, plus(memory, i * t->base.extent));
        else
            copy_blocks(c, t, plus(memory, i * t->base.extent));
    }
}

/* ---- the operations of the device ---- */

static void pack_elements(const MPIR_DATATYPE *type, const void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, void *dest, int64_t n)
{
    struct cursor c = {.work = PACK, .xdr = act == MPID_MSG_XDR, .skip = at, .left = n, .stream = dest};
    copy(&c, (const struct type *)type, (char *)(uintptr_t)buf, count);
}

static void unpack(const MPIR_DATATYPE *type, void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, const void *src, int64_t n)
{
    struct cursor c = {.work = UNPACK, .xdr = act == MPID_MSG_XDR, .skip = at, .left = n, .stream = (char *)(uintptr_t)src};
    copy(&c, (const struct type *)type, buf, count);
}

static int64_t native(const MPIR_DATATYPE *type, int64_t n)
{
    char nothing[XDR_MAX];
    if (type->xdr_size == 0)
        return 0;
    struct cursor c = {.work = MEASURE, .xdr = true, .left = n % type->xdr_size, .stream = nothing};
    copy(&c, (const struct type *)type, nothing, 1);
    return n / type->xdr_size * type->size + c.native;
}

static void retain(MPIR_DATATYPE *type)
{
    struct type *t = (struct type *)type;
    if (t->kind != BASIC) /* relaxed: the caller has a reference already */
        atomic_fetch_add_explicit(&t->references, 1, memory_order_relaxed);
}

static void release(MPIR_DATATYPE *type)
{
    struct type *t = (struct type *)type;
    /* Acquire and release: the last one sees the end of all uses. */
    if (t->kind == BASIC || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) > 1)
        return;
    if (t->old)
        release(&t->old->base);
    for (int64_t i = 0; t->types && i < t->count; i++)
        release(&t->types[i]->base);
    free(t);
}

static const struct MPID_Type_ops operations = {pack_elements, unpack, native, retain, release};

/* ---- constructors ---- */

MPIR_DATATYPE *layout_basic(enum basic_type basic)
{
#define BASIC_TYPE(name, ctype, xdr) \
    [name] = {{&operations, sizeof(ctype), xdr, sizeof(ctype), 0, true, false, NULL}, 1, BASIC, name, 1, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL}
    static const struct type types[BASICS] = {
        BASIC_TYPE(BASIC_BYTE, char, 1), BASIC_TYPE(BASIC_CHAR, char, 1),
        BASIC_TYPE(BASIC_SHORT, short, 4), BASIC_TYPE(BASIC_INT, int, 4), BASIC_TYPE(BASIC_LONG, long, 8),
        BASIC_TYPE(BASIC_FLOAT, float, 4), BASIC_TYPE(BASIC_DOUBLE, double, 8), BASIC_TYPE(BASIC_LONG_DOUBLE, long double, 16),
        BASIC_TYPE(BASIC_UNSIGNED_SHORT, short, 4), BASIC_TYPE(BASIC_UNSIGNED, int, 4), BASIC_TYPE(BASIC_UNSIGNED_LONG, long, 8),
    };
    return basic < BASICS ? (MPIR_DATATYPE *)(uintptr_t)&types[basic].base : NULL;
}

/* Returns a type with room for tables of a number of blocks, or NULL. */
static struct type *new_type(enum kind kind, int64_t count, int64_t tables)
{
    int64_t words = tables ? 4 * count + 2 + (tables > 4 ? count : 0) : 0;
    struct type *t = calloc(1, sizeof *t + (size_t)words * sizeof(int64_t));
    if (!t)
        return NULL;
    t->base.ops = &operations;
    atomic_init(&t->references, 1);
    t->kind = kind;
    t->count = count;
    if (!tables)
        return t;
    t->lengths = (int64_t *)(t + 1);
    t->displacements = t->lengths + count;
    t->size_before = t->displacements + count;
    t->xdr_before = t->size_before + count + 1;
    if (tables > 4)
        t->types = (struct type **)(t->xdr_before + count + 1);
    return t;
}

MPIR_DATATYPE *layout_contiguous(int64_t count, MPIR_DATATYPE *old) { return layout_vector(1, count, 0, old); }

MPIR_DATATYPE *layout_vector(int64_t count, int64_t blocklength, int64_t stride, MPIR_DATATYPE *old)
{
    struct type *t = new_type(VECTOR, count, 0);
    if (!t)
        return NULL;
    retain(old);
    t->old = (struct type *)old;
    t->blocklength = blocklength;
    t->stride = stride;
    t->base.size = count * blocklength * old->size;
    t->base.xdr_size = count * blocklength * old->xdr_size;
    t->base.extent = count > 0 && blocklength > 0 ? (count - 1) * stride + blocklength * old->extent : 0;
    t->base.true_lb = old->true_lb;
    t->base.is_contig = old->is_contig && (count <= 1 || stride == blocklength * old->extent);
    return &t->base;
}

/* Computes sums, extent and contiguity from the blocks. */
static void sum_up(struct type *t)
{
    int64_t end = 0;
    bool is_contig = true;
    for (int64_t i = 0; i < t->count; i++) {
        const MPIR_DATATYPE *old = &(t->kind == STRUCT ? t->types[i] : t->old)->base;
        int64_t last = t->displacements[i] + t->lengths[i] * old->extent;
        t->size_before[i + 1] = t->size_before[i] + t->lengths[i] * old->size;
        t->xdr_before[i + 1] = t->xdr_before[i] + t->lengths[i] * old->xdr_size;
        is_contig = is_contig && old->is_contig && old->true_lb == 0 && t->displacements[i] == t->displacements[0] + t->size_before[i];
        if (last > end && t->lengths[i])
            end = last;
    }
    t->base.size = t->size_before[t->count];
    t->base.xdr_size = t->xdr_before[t->count];
    t->base.extent = end;
    t->base.true_lb = t->count ? t->displacements[0] : 0;
    t->base.is_contig = is_contig && t->base.size == t->base.extent;
}

MPIR_DATATYPE *layout_indexed(int64_t count, const int64_t blocklengths[], const int64_t displacements[], MPIR_DATATYPE *old)
{
    struct type *t = new_type(INDEXED, count, 4);
    if (!t)
        return NULL;
    retain(old);
    t->old = (struct type *)old;
    memcpy(t->lengths, blocklengths, (size_t)count * sizeof *blocklengths);
    memcpy(t->displacements, displacements, (size_t)count * sizeof *displacements);
    sum_up(t);
    return &t->base;
}

MPIR_DATATYPE *layout_struct(int64_t count, const int64_t blocklengths[], const int64_t displacements[], MPIR_DATATYPE *const types[])
{
    struct type *t = new_type(STRUCT, count, 5);
    if (!t)
        return NULL;
    memcpy(t->lengths, blocklengths, (size_t)count * sizeof *blocklengths);
    memcpy(t->displacements, displacements, (size_t)count * sizeof *displacements);
    for (int64_t i = 0; i < count; i++) {
        retain(types[i]);
        t->types[i] = (struct type *)types[i];
    }
    sum_up(t);
    return &t->base;
}

void layout_free(MPIR_DATATYPE *type)
{
    if (type)
        release(type);
}
