/* The layouts of a pool. A layout is an entry of a table: three functions, and a name. dtpools/layouts.c has the table of
 * forty; a program adds its own by DTP_layouts_add, and `wi4go verify --layouts FILE.so` adds the table of a library.
 * README.md shows one.
 *
 * Gives: dtp_layout, dtp_shape, DTP_layouts_add, the table of all layouts.
 * Needs: dtpools.h. */
#ifndef DTPOOLS_LAYOUTS_H
#define DTPOOLS_LAYOUTS_H

#include "dtpools.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The positions of the elements of one object in a layout. A position is a number of elements from the beginning of the
   buffer. */
typedef struct {
    MPI_Count span;                  /* the number of positions, with the gaps: the length of the buffer */
    MPI_Count count, blklen, stride; /* blocks; elements of a block; positions from block to block. For DTP_obj_describe */
    MPI_Count own[4];                /* further numbers that the functions of the layout need; 0 before `set` */
} dtp_shape;

/* A layout. DTP_obj_create calls `set`, then `place` for each element in the order of the type map, then `make`. */
typedef struct dtp_layout {
    const char *group, *name; /* as DTP_obj_describe writes them */
    /* Fills in the shape of n elements (n is 1 or more). Returns DTP_SUCCESS, or DTP_ERR_SIZE if the datatype of n elements cannot be
       made, because an argument of its constructor would not fit into an int. */
    int (*set)(const struct dtp_layout *layout, int n, dtp_shape *shape);
    /* Returns the position of element i, from 0 to span - 1. Two elements have different positions. The order of positions is
       free. */
    MPI_Count (*place)(const dtp_shape *shape, MPI_Count i);
    /* Makes the datatype of a shape of elements of `size` bytes; it is not committed, and the caller frees it unless it is `basic`. The
       buffer is *count of it. The lower bound is 0, and *count times the extent is `span` elements. Returns an MPI error code. */
    int (*make)(const dtp_shape *shape, MPI_Datatype basic, size_t size, MPI_Datatype *type, int *count);
    int rule[3]; /* for `set`, if several layouts share it; free in added layouts */
} dtp_layout;

/* Adds the n layouts of a table after those that exist. Pools that are created later have them. The table stays the caller's and must
   not change any more. Not to be called while another thread uses the pools. Errors: ARG if a table, a name or a function is NULL, SIZE
   if memory is exhausted. */
int DTP_layouts_add(const dtp_layout *table, int n);

/* The name of the table in a library for `wi4go verify --layouts`. An entry without a name ends it:

       const dtp_layout DTP_ADDED_LAYOUTS[] = {{"nested", "vector of vectors", set, place, make, {0}}, {0}};

   The number changes when dtp_layout does. */
#define DTP_ADDED_LAYOUTS dtp_added_layouts_1
extern const dtp_layout DTP_ADDED_LAYOUTS[];

/* The indices of the forty layouts, and their number, by which added layouts begin. */
enum {
    DTPI_OBJ_LAYOUT_SIMPLE__BASIC, DTPI_OBJ_LAYOUT_SIMPLE__CONTIG, DTPI_OBJ_LAYOUT_SIMPLE__VECTOR, DTPI_OBJ_LAYOUT_SIMPLE__INDEXED,
    DTPI_OBJ_LAYOUT_SIMPLE__BLOCK_INDEXED, DTPI_OBJ_LAYOUT_SIMPLE__HVECTOR, DTPI_OBJ_LAYOUT_SIMPLE__HINDEXED,
    DTPI_OBJ_LAYOUT_SIMPLE__BLOCK_HINDEXED,
    DTPI_OBJ_LAYOUT_LARGE_BLK__VECTOR, DTPI_OBJ_LAYOUT_LARGE_BLK__INDEXED, DTPI_OBJ_LAYOUT_LARGE_BLK__BLOCK_INDEXED,
    DTPI_OBJ_LAYOUT_LARGE_BLK__HVECTOR, DTPI_OBJ_LAYOUT_LARGE_BLK__HINDEXED, DTPI_OBJ_LAYOUT_LARGE_BLK__BLOCK_HINDEXED,
    DTPI_OBJ_LAYOUT_LARGE_BLK__SUBARRAY_C, DTPI_OBJ_LAYOUT_LARGE_BLK__SUBARRAY_F,
    DTPI_OBJ_LAYOUT_LARGE_CNT__VECTOR, DTPI_OBJ_LAYOUT_LARGE_CNT__INDEXED, DTPI_OBJ_LAYOUT_LARGE_CNT__BLOCK_INDEXED,
    DTPI_OBJ_LAYOUT_LARGE_CNT__HVECTOR, DTPI_OBJ_LAYOUT_LARGE_CNT__HINDEXED, DTPI_OBJ_LAYOUT_LARGE_CNT__BLOCK_HINDEXED,
    DTPI_OBJ_LAYOUT_LARGE_CNT__SUBARRAY_C, DTPI_OBJ_LAYOUT_LARGE_CNT__SUBARRAY_F,
    DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__VECTOR, DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__INDEXED, DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__BLOCK_INDEXED,
    DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__HVECTOR, DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__HINDEXED, DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__BLOCK_HINDEXED,
    DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__SUBARRAY_C, DTPI_OBJ_LAYOUT_LARGE_BLK_STRD__SUBARRAY_F,
    DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__VECTOR, DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__INDEXED, DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__BLOCK_INDEXED,
    DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__HVECTOR, DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__HINDEXED, DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__BLOCK_HINDEXED,
    DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__SUBARRAY_C, DTPI_OBJ_LAYOUT_LARGE_CNT_STRD__SUBARRAY_F,
    DTPI_OBJ_LAYOUTS
};

/* Returns the number of layouts, and the layout with an index. The objects of a pool have the same indices. */
int dtp_num_layouts(void);
const dtp_layout *dtp_layout_at(int index);

/* Returns the greatest divisor of n that is not above its square root, by which layouts split n into blocks: 64 is 8 × 8, 60 is
   6 × 10, a prime n is 1 × n. */
static inline int dtp_small_of(int n)
{
    int small = 1;
    for (int i = 2; i <= n / i; i++)
        if (n % i == 0)
            small = i;
    return small;
}

#ifdef __cplusplus
}
#endif

#endif
