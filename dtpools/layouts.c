/* The table of layouts, and the constructors in it. */
#include "layouts.h"

#include <stdlib.h>

/* The constructors; see dtp_layout. */
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
    sizes[row] = (int)s->rows;
    sizes[column] = (int)s->stride;
    subsizes[row] = (int)s->count;
    subsizes[column] = (int)s->blklen;
    starts[row] = (int)(s->first / s->stride);
    starts[column] = (int)(s->first % s->stride);
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

/* The layouts of blocks at equal distances; BLOCKS also has the subarrays. */
#define STRIDED(group, split, stride)                                                                     \
    {group, "vector", vector, split, stride, 0}, {group, "indexed", indexed, split, stride, 0},           \
    {group, "block-indexed", block_indexed, split, stride, 0},                                            \
    {group, "hvector", hvector, split, stride, 0}, {group, "hindexed", hindexed, split, stride, 0},       \
    {group, "block-hindexed", block_hindexed, split, stride, 0}
#define BLOCKS(group, split, stride)                                                                      \
    STRIDED(group, split, stride), {group, "subarray C", subarray_c, split, stride, 1},                   \
    {group, "subarray Fortran", subarray_fortran, split, stride, 1}

const dtp_layout dtp_layouts[] = {
    {"simple", "basic", basic, EACH, DENSE, 0},
    {"simple", "contiguous", contiguous, WHOLE, DENSE, 0},
    STRIDED("simple", EACH, EVERY_OTHER),
    BLOCKS("large block", LARGE_BLOCK, BLKLEN_PLUS_1),
    BLOCKS("large count", LARGE_COUNT, BLKLEN_PLUS_1),
    BLOCKS("large block, strided", LARGE_BLOCK, BLKLEN_TIMES_2),
    BLOCKS("large count, strided", LARGE_COUNT, COUNT_TIMES_2),
};
const int dtp_num_layouts = sizeof dtp_layouts / sizeof *dtp_layouts;

/* Returns the greatest divisor of n that is not above its square root: 64 is 8 × 8,
   60 is 6 × 10, a prime n is 1 × n. */
static int small_of(int n)
{
    int small = 1;
    for (int i = 2; i <= n / i; i++)
        if (n % i == 0)
            small = i;
    return small;
}

dtp_shape dtp_shape_of(const dtp_layout *layout, int n)
{
    int small = small_of(n);
    dtp_shape s = {n, 1, 1, 0, 0};
    if (layout->split == WHOLE)
        s.count = 1, s.blklen = n;
    else if (layout->split == LARGE_BLOCK)
        s.count = small, s.blklen = n / small;
    else if (layout->split == LARGE_COUNT)
        s.count = n / small, s.blklen = small;
    switch (layout->stride) {
    case DENSE: s.stride = s.blklen; break;
    case EVERY_OTHER: s.stride = 2; break;
    case BLKLEN_PLUS_1: s.stride = s.blklen + 1; break;
    case BLKLEN_TIMES_2: s.stride = s.blklen * 2; break;
    case COUNT_TIMES_2: s.stride = s.count * 2; break;
    }
    if (layout->array) {
        s.rows = s.count + 2;
        s.first = s.stride + (s.stride - s.blklen) / 2;
    }
    return s;
}
