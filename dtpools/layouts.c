/* The forty layouts, their functions, and the layouts that a program adds. The list of added layouts is the only state; it has no
 * lock, because programs add layouts before they use them. */
#include "layouts.h"

#include <limits.h>
#include <stdlib.h>

/* ---- blocks at equal distances, the kind of all forty ---- */

/* How elements form blocks: each alone, all in one, few large blocks, many small ones. */
enum { EACH, WHOLE, LARGE_BLOCK, LARGE_COUNT };
/* The stride. EVERY_OTHER is 2. */
enum { DENSE, EVERY_OTHER, BLKLEN_PLUS_1, BLKLEN_TIMES_2, COUNT_TIMES_2 };
/* The meaning of dtp_layout.rule. ARRAY: not 0 for a subarray in the middle of a two-dimensional array. */
enum { SPLIT, STRIDE, ARRAY };
/* The meaning of dtp_shape.own. ROWS: rows of the whole array, each of `stride` elements, or 0 if the buffer ends with the last
   element. FIRST: position of element 0. */
enum { ROWS, FIRST };

/* Fills in the shape by the rules of the layout. Returns DTP_ERR_SIZE if the buffer has more elements than an int counts, because
   the constructors have parameters of type int for displacements and lengths. */
static int set_blocks(const dtp_layout *layout, int n, dtp_shape *s)
{
    int small = dtp_small_of(n);
    s->count = n;
    s->blklen = 1;
    if (layout->rule[SPLIT] == WHOLE)
        s->count = 1, s->blklen = n;
    else if (layout->rule[SPLIT] == LARGE_BLOCK)
        s->count = small, s->blklen = n / small;
    else if (layout->rule[SPLIT] == LARGE_COUNT)
        s->count = n / small, s->blklen = small;
    switch (layout->rule[STRIDE]) {
    case DENSE: s->stride = s->blklen; break;
    case EVERY_OTHER: s->stride = 2; break;
    case BLKLEN_PLUS_1: s->stride = s->blklen + 1; break;
    case BLKLEN_TIMES_2: s->stride = s->blklen * 2; break;
    case COUNT_TIMES_2: s->stride = s->count * 2; break;
    }
    s->span = (s->count - 1) * s->stride + s->blklen;
    if (layout->rule[ARRAY]) {
        s->own[ROWS] = s->count + 2;
        s->own[FIRST] = s->stride + (s->stride - s->blklen) / 2;
        s->span = s->own[ROWS] * s->stride;
    }
    return (double)(s->own[ROWS] ? s->own[ROWS] : s->count) * (double)s->stride > INT_MAX ? DTP_ERR_SIZE : DTP_SUCCESS;
}

static MPI_Count place_in_block(const dtp_shape *s, MPI_Count i)
{
    return s->own[FIRST] + i / s->blklen * s->stride + i % s->blklen;
}

/* The constructors; see dtp_layout.make. */
static int basic(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    (void)size;
    *type = old;
    *count = (int)s->count;
    return MPI_SUCCESS;
}

static int contiguous(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    (void)size;
    *count = 1;
    return MPI_Type_contiguous((int)s->blklen, old, type);
}

static int vector(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    (void)size;
    *count = 1;
    return MPI_Type_vector((int)s->count, (int)s->blklen, (int)s->stride, old, type);
}

static int hvector(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    *count = 1;
    return MPI_Type_create_hvector((int)s->count, (int)s->blklen, (MPI_Aint)(s->stride * (MPI_Count)size), old, type);
}

/* The blocks of a shape. The arrays are one allocation, which free(blocks.bytes)
   frees. */
typedef struct {
    MPI_Aint *bytes;       /* displacements, in bytes */
    int *places, *lengths; /* displacements, and lengths, in elements */
} blocks;

/* Fills in the blocks of a shape. Returns MPI_SUCCESS or MPI_ERR_NO_MEM. */
static int blocks_of(const dtp_shape *s, size_t size, blocks *b)
{
    size_t n = (size_t)s->count;
    b->bytes = malloc(n * (sizeof *b->bytes + 2 * sizeof(int)));
    if (!b->bytes)
        return MPI_ERR_NO_MEM;
    b->places = (int *)(b->bytes + n);
    b->lengths = b->places + n;
    for (size_t i = 0; i < n; i++) {
        b->places[i] = (int)((MPI_Count)i * s->stride);
        b->bytes[i] = (MPI_Aint)((MPI_Count)i * s->stride * (MPI_Count)size);
        b->lengths[i] = (int)s->blklen;
    }
    return MPI_SUCCESS;
}

/* Defines a constructor that makes an indexed datatype by the call. */
#define OF_BLOCKS(name, call)                                                                             \
    static int name(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)    \
    {                                                                                                     \
        blocks b;                                                                                         \
        int rc = blocks_of(s, size, &b), n = (int)s->count, blklen = (int)s->blklen;                      \
        (void)blklen;                                                                                     \
        *count = 1;                                                                                       \
        if (rc != MPI_SUCCESS)                                                                            \
            return rc;                                                                                    \
        rc = call;                                                                                        \
        free(b.bytes);                                                                                    \
        return rc;                                                                                        \
    }

OF_BLOCKS(indexed, MPI_Type_indexed(n, b.lengths, b.places, old, type))
OF_BLOCKS(block_indexed, MPI_Type_create_indexed_block(n, blklen, b.places, old, type))
OF_BLOCKS(hindexed, MPI_Type_create_hindexed(n, b.lengths, b.bytes, old, type))
OF_BLOCKS(block_hindexed, MPI_Type_create_hindexed_block(n, blklen, b.bytes, old, type))

/* Makes a subarray. In Fortran order the dimensions change places. */
static int subarray(const dtp_shape *s, int order, MPI_Datatype old, MPI_Datatype *type)
{
    int row = order == MPI_ORDER_C ? 0 : 1, column = 1 - row;
    int sizes[2], subsizes[2], starts[2];
    sizes[row] = (int)s->own[ROWS];
    sizes[column] = (int)s->stride;
    subsizes[row] = (int)s->count;
    subsizes[column] = (int)s->blklen;
    starts[row] = (int)(s->own[FIRST] / s->stride);
    starts[column] = (int)(s->own[FIRST] % s->stride);
    return MPI_Type_create_subarray(2, sizes, subsizes, starts, order, old, type);
}

static int subarray_c(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    (void)size;
    *count = 1;
    return subarray(s, MPI_ORDER_C, old, type);
}

static int subarray_fortran(const dtp_shape *s, MPI_Datatype old, size_t size, MPI_Datatype *type, int *count)
{
    (void)size;
    *count = 1;
    return subarray(s, MPI_ORDER_FORTRAN, old, type);
}

/* An entry; the layouts of blocks at equal distances; BLOCKS also has the subarrays. */
#define ENTRY(group, name, make, ...) {group, name, set_blocks, place_in_block, make, {__VA_ARGS__}}
#define STRIDED(group, split, stride)                                                                            \
    ENTRY(group, "vector", vector, split, stride, 0), ENTRY(group, "indexed", indexed, split, stride, 0),         \
    ENTRY(group, "block-indexed", block_indexed, split, stride, 0),                                               \
    ENTRY(group, "hvector", hvector, split, stride, 0), ENTRY(group, "hindexed", hindexed, split, stride, 0),     \
    ENTRY(group, "block-hindexed", block_hindexed, split, stride, 0)
#define BLOCKS(group, split, stride)                                                                             \
    STRIDED(group, split, stride), ENTRY(group, "subarray C", subarray_c, split, stride, 1),                      \
    ENTRY(group, "subarray Fortran", subarray_fortran, split, stride, 1)

static const dtp_layout forty[] = {
    ENTRY("simple", "basic", basic, EACH, DENSE, 0),
    ENTRY("simple", "contiguous", contiguous, WHOLE, DENSE, 0),
    STRIDED("simple", EACH, EVERY_OTHER),
    BLOCKS("large block", LARGE_BLOCK, BLKLEN_PLUS_1),
    BLOCKS("large count", LARGE_COUNT, BLKLEN_PLUS_1),
    BLOCKS("large block, strided", LARGE_BLOCK, BLKLEN_TIMES_2),
    BLOCKS("large count, strided", LARGE_COUNT, COUNT_TIMES_2),
};
enum { FORTY = sizeof forty / sizeof *forty };

/* ---- added layouts ---- */

static const dtp_layout **added; /* pointers into the callers' tables; never freed */
static int num_added;

/* Adds all of the table or nothing. */
int DTP_layouts_add(const dtp_layout *table, int n)
{
    if (!table || n < 1 || n > INT_MAX - FORTY - num_added)
        return DTP_ERR_ARG;
    for (int i = 0; i < n; i++)
        if (!table[i].group || !table[i].name || !table[i].set || !table[i].place || !table[i].make)
            return DTP_ERR_ARG;
    const dtp_layout **more = realloc(added, ((size_t)num_added + (size_t)n) * sizeof *more);
    if (!more)
        return DTP_ERR_SIZE;
    added = more;
    for (int i = 0; i < n; i++)
        added[num_added++] = &table[i];
    return DTP_SUCCESS;
}

int dtp_num_layouts(void)
{
    return FORTY + num_added;
}

const dtp_layout *dtp_layout_at(int index)
{
    return index < FORTY ? &forty[index] : added[index - FORTY];
}
