/* Computes the positions of the elements of a part in a buffer. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* Writes the indices of a range that are in the buffer: its own, and with `overlap` also its overlap, which ends at the edge
 * of D with DRI_EDGE_TRUNCATE. */
static void buffer_window(const struct dri_gdo *gdo, const struct cut *cut, int d, const DRI_part_tuple *t, bool overlap, MPI_Count *lo,
                          MPI_Count *length)
{
    *lo = t->left_x;
    MPI_Count hi = t->right_x;
    if (overlap && hi >= *lo) {
        *lo -= t->left_v;
        hi += t->right_v;
        if (cut->edge[d] == DRI_EDGE_TRUNCATE) {
            *lo = *lo < gdo->lo[d] ? gdo->lo[d] : *lo;
            hi = hi > gdo->hi[d] ? gdo->hi[d] : hi;
        }
    }
    *length = hi - *lo + 1;
}

/* Fills in the ranges of all dimensions, and writes the length of the longest range of each. */
static int windows(struct place *p, const struct dri_gdo *gdo, const struct cut *cut, bool overlap, MPI_Count longest[])
{
    for (int d = 0; d < p->n; d++) {
        int count = cut->count[d];
        MPI_Count *memory = calloc(3 * count + 1, sizeof *memory);
        if (!memory)
            return dri_fail(DRI_ERR_NOMEM, "no memory for %d ranges", count);
        p->count[d] = count;
        p->lo[d] = memory;
        p->length[d] = memory + count;
        p->before[d] = memory + 2 * count;
        longest[d] = 0;
        for (int i = 0; i < count; i++) {
            buffer_window(gdo, cut, d, &cut->ranges[d][i], overlap, &p->lo[d][i], &p->length[d][i]);
            p->before[d][i] = p->total[d];
            p->total[d] += p->length[d][i];
            if (p->length[d][i] > longest[d])
                longest[d] = p->length[d][i];
        }
    }
    return DRI_SUCCESS;
}

/* Returns the error for an overflow. */
static int too_large(void)
{
    return dri_fail(DRI_ERR_NOMEM, "the buffer would be larger than the address space");
}

/* Computes the size of a buffer with strides. Two elements of a block cannot have the same position if each stride is at
 * least the span of the dimensions with smaller strides; otherwise returns DRI_ERR_LAYOUT. */
static int strides(struct place *p, const MPI_Count longest[])
{
    MPI_Count span = 1, blocks = 1;
    for (int i = 0; i < p->n; i++) {
        int d = p->order[i];
        if (longest[d] > 1 && p->strides[d] < span)
            return dri_fail(DRI_ERR_LAYOUT, "dimension %d has stride %lld, but the dimensions of smaller strides take %lld elements", d,
                            (long long)p->strides[d], (long long)span);
        MPI_Count more;
        if (longest[d] > 1 && (__builtin_mul_overflow(longest[d] - 1, p->strides[d], &more) || __builtin_add_overflow(span, more, &span)))
            return too_large();
    }
    bool empty = false;
    for (int d = 0; d < p->n; d++) {
        empty |= p->total[d] == 0;
        if (__builtin_mul_overflow(blocks, (MPI_Count)p->count[d], &blocks))
            return too_large();
    }
    p->span = span;
    if (__builtin_mul_overflow(span, empty ? 0 : blocks, &p->elements))
        return too_large();
    return DRI_SUCCESS;
}

/* Fails if the layout does not fit the data object, or if the block exceeds the address space. */
int dri_place_create(struct place *p, const struct dri_gdo *gdo, const struct cut *cut, bool overlap, const struct dri_layout *layout)
{
    memset(p, 0, sizeof *p);
    if (layout->n != gdo->n)
        return dri_fail(DRI_ERR_DIMS, "the layout has %d dimensions, the global data object %d", layout->n, gdo->n);
    p->n = gdo->n;
    memcpy(p->order, layout->order, sizeof p->order);
    memcpy(p->strides, layout->strides, sizeof p->strides);
    MPI_Count longest[DRI_MAX_DIMS], bytes;
    int class = windows(p, gdo, cut, overlap, longest);
    if (!class && p->strides[0])
        class = strides(p, longest);
    else if (!class) {
        bool over = false, empty = false;
        p->elements = 1;
        for (int d = 0; d < p->n; d++) {
            empty |= p->total[d] == 0;
            over |= __builtin_mul_overflow(p->elements, p->total[d] ? p->total[d] : 1, &p->elements);
        }
        if (empty)
            p->elements = 0;
        if (over)
            class = too_large();
    }
    if (!class && __builtin_mul_overflow(p->elements, (MPI_Count)gdo->element.extent, &bytes))
        class = too_large();
    if (class)
        dri_place_free(p);
    return class;
}

void dri_place_free(struct place *p)
{
    for (int d = 0; d < p->n; d++)
        free(p->lo[d]);
    memset(p, 0, sizeof *p);
}

MPI_Count dri_place_block(const struct place *p, const int block[], MPI_Count strides[])
{
    MPI_Count at = 0;
    /* With strides, each block has `span` elements. */
    if (p->strides[0]) {
        for (int d = 0; d < p->n; d++)
            at = at * p->count[d] + block[d];
        memcpy(strides, p->strides, p->n * sizeof *strides);
        return at * p->span;
    }
    /* Packed: the blocks follow each other, and each one has its own strides. The blocks before this one differ from it
     * first in some dimension d: they have the same ranges before d, an earlier one in d, and any after it. */
    MPI_Count next = 1, behind[DRI_MAX_DIMS + 1] = {0}, within = 1;
    for (int i = 0; i < p->n; i++) {
        strides[p->order[i]] = next;
        next *= p->length[p->order[i]][block[p->order[i]]];
    }
    behind[p->n] = 1;
    for (int d = p->n - 1; d >= 0; d--)
        behind[d] = behind[d + 1] * p->total[d];
    for (int d = 0; d < p->n; d++) {
        at += within * p->before[d][block[d]] * behind[d + 1];
        within *= p->length[d][block[d]];
    }
    return at;
}
