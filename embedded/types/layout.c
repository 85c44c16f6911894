/*
 * The constructors of layouts. A layout does not change after its creation, and is freed with its last reference, so there
 * are no locks.
 */
#include "layout.h"
#include "../base/errors.h"

#include <stdlib.h>
#include <string.h>

static const struct layout empty_layout = {.kind = BASIC, .dense = true};

/* Nothing changes a layout, or counts references of this one. */
static struct layout *nothing_layout(void) { return (struct layout *)(uintptr_t)&empty_layout; }

int em_type_no_memory(void) { return em_error(MPI_ERR_NO_MEM, "no memory for a datatype"); }

static int layout_too_large(void) { return em_error(MPI_ERR_VALUE_TOO_LARGE, "the datatype has sizes or displacements that exceed 64 bits"); }

/* Returns a layout with one reference and all measures 0, or NULL without memory. */
static struct layout *new_layout(enum layout_kind kind, int64_t count)
{
    struct layout *layout = calloc(1, sizeof *layout);
    if (layout) {
        atomic_init(&layout->references, 1);
        layout->kind = kind;
        layout->count = count;
    }
    return layout;
}

/* Frees the arrays, not the children. An array that was never allocated is NULL. */
static void free_layout(struct layout *layout)
{
    free(layout->displacement);
    free(layout->before);
    free(layout->part);
    for (int m = 0; m < MEASURES; m++)
        free(layout->sums[m]);
    free(layout->run_at);
    free(layout->run_before);
    free(layout);
}

void em_layout_release(struct layout *layout)
{
    /* Acquire and release: the last one sees the end of all uses. */
    if (!layout || layout->kind == BASIC || atomic_fetch_sub_explicit(&layout->references, 1, memory_order_acq_rel) > 1)
        return;
    em_layout_release(layout->child);
    for (int64_t i = 0; layout->part && i < layout->count; i++)
        em_layout_release(layout->part[i]);
    free_layout(layout);
}

/* Returns the new layout, or frees it and returns an error. */
static int give_layout(struct layout *layout, bool overflow, struct layout **result)
{
    if (overflow) {
        em_layout_release(layout);
        return layout_too_large();
    }
    *result = layout;
    return MPI_SUCCESS;
}

static int64_t lower(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t higher(int64_t a, int64_t b) { return a > b ? a : b; }

/* Returns a layout of count instances that begin at `at`: one loop for a loop of loops at equal
 * distances. Its parent holds the reference to the innermost instance. */
static struct layout *new_loop(int64_t at, int64_t count, int64_t stride, struct layout *child, bool *overflow)
{
    bool single = child->kind == LOOP && child->count == 1;
    bool flat = child->kind == LOOP && !single && (count == 1 || stride == em_times(child->count, child->stride, overflow));
    struct layout *loop = new_layout(LOOP, count);
    if (!loop)
        return NULL;
    loop->at = at;
    loop->stride = stride;
    loop->child = em_layout_retain(child);
    if (flat || single) {
        loop->at = em_sum(at, child->at, overflow);
        loop->count = count * child->count;
        if (flat)
            loop->stride = child->stride;
        loop->child = em_layout_retain(child->child);
        em_layout_release(child);
    }
    return loop;
}

/* Returns an existing layout if it suffices: the empty one, or the child itself for one instance at 0. */
int em_layout_loop(int64_t at, int64_t count, int64_t stride, struct layout *child, struct layout **result)
{
    bool overflow = false;
    if (count == 0 || child->size[NATIVE] == 0) {
        *result = nothing_layout();
        return MPI_SUCCESS;
    }
    if (count == 1 && at == 0) {
        *result = em_layout_retain(child);
        return MPI_SUCCESS;
    }
    for (int m = 0; m < MEASURES; m++)
        em_times(count, child->size[m], &overflow);
    if (overflow)
        return layout_too_large();
    struct layout *loop = new_loop(at, count, stride, child, &overflow);
    if (!loop)
        return em_type_no_memory();
    for (int m = 0; m < MEASURES; m++)
        loop->size[m] = count * child->size[m];
    int64_t last = em_times(count - 1, stride, &overflow);
    loop->low = em_sum(em_sum(at, lower(0, last), &overflow), child->low, &overflow);
    loop->high = em_sum(em_sum(at, higher(0, last), &overflow), child->high, &overflow);
    loop->dense = child->dense && (count == 1 || stride == child->size[NATIVE]);
    return give_layout(loop, overflow, result);
}

/* ---- blocks ---- */

/* Stores the blocks that are not empty, joined where one begins at the end of another. Returns their
 * number; length[i] is the length of block i. */
static int64_t join_blocks(int64_t n, struct counts lengths, int64_t same, struct counts displacements, int64_t unit, int64_t stride, int64_t *displacement, int64_t *length, bool *overflow)
{
    int64_t joined = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t instances = lengths.narrow || lengths.wide ? count_at(lengths, i) : same;
        int64_t at = em_times(count_at(displacements, i), unit, overflow);
        if (instances == 0)
            continue;
        if (joined && at == em_sum(displacement[joined - 1], em_times(length[joined - 1], stride, overflow), overflow)) {
            length[joined - 1] = em_sum(length[joined - 1], instances, overflow);
            continue;
        }
        displacement[joined] = at;
        length[joined++] = instances;
    }
    return joined;
}

/* Reports whether the blocks have one length, and whether they have one distance. */
static void compare_blocks(int64_t n, const int64_t *displacement, const int64_t *length, bool *lengths_equal, bool *distances_equal)
{
    *lengths_equal = *distances_equal = true;
    for (int64_t i = 1; i < n; i++) {
        *lengths_equal &= length[i] == length[0];
        *distances_equal &= displacement[i] - displacement[i - 1] == displacement[1] - displacement[0];
    }
}

/* Fills sizes and bounds of BLOCKS; length becomes the sums if lengths differ. */
static void fill_blocks(struct layout *blocks, int64_t *length, bool *overflow)
{
    struct layout *child = blocks->child;
    int64_t total = 0;
    for (int64_t i = 0; i < blocks->count; i++) {
        int64_t at = blocks->displacement[i], instances = length[i], last = em_times(instances - 1, blocks->stride, overflow);
        int64_t low = em_sum(em_sum(at, lower(0, last), overflow), child->low, overflow);
        int64_t high = em_sum(em_sum(at, higher(0, last), overflow), child->high, overflow);
        blocks->low = i ? lower(blocks->low, low) : low;
        blocks->high = i ? higher(blocks->high, high) : high;
        length[i] = total;
        total = em_sum(total, instances, overflow);
    }
    length[blocks->count] = total;
    for (int m = 0; m < MEASURES; m++)
        blocks->size[m] = em_times(total, child->size[m], overflow);
}

/* Makes a layout of n joined blocks. Takes the arrays. */
static int layout_of_blocks(int64_t n, int64_t *displacement, int64_t *length, int64_t stride, struct layout *child, struct layout **result)
{
    bool lengths_equal, distances_equal, overflow = false;
    compare_blocks(n, displacement, length, &lengths_equal, &distances_equal);
    if (lengths_equal && distances_equal) {
        struct layout *block;
        int err = em_layout_loop(0, length[0], stride, child, &block);
        if (err == MPI_SUCCESS) {
            err = em_layout_loop(displacement[0], n, n > 1 ? displacement[1] - displacement[0] : 0, block, result);
            em_layout_release(block);
        }
        free(displacement);
        free(length);
        return err;
    }
    struct layout *blocks = new_layout(BLOCKS, n);
    if (!blocks) {
        free(displacement);
        free(length);
        return em_type_no_memory();
    }
    blocks->stride = stride;
    blocks->length = length[0];
    blocks->displacement = displacement;
    blocks->before = length;
    blocks->child = em_layout_retain(child);
    fill_blocks(blocks, length, &overflow);
    if (lengths_equal) {
        free(blocks->before);
        blocks->before = NULL;
    }
    return give_layout(blocks, overflow, result);
}

/* Joins adjacent blocks first, because fewer and longer copies are faster. */
int em_layout_blocks(int64_t n, struct counts lengths, int64_t length, struct counts displacements, int64_t unit, int64_t stride, struct layout *child, struct layout **result)
{
    bool overflow = false;
    *result = nothing_layout();
    if (n == 0 || child->size[NATIVE] == 0)
        return MPI_SUCCESS;
    int64_t *displacement = malloc(((size_t)n + 1) * sizeof *displacement), *joined = malloc(((size_t)n + 1) * sizeof *joined);
    int64_t count = displacement && joined ? join_blocks(n, lengths, length, displacements, unit, stride, displacement, joined, &overflow) : -1;
    if (count > 0 && !overflow)
        return layout_of_blocks(count, displacement, joined, stride, child, result);
    free(displacement);
    free(joined);
    return count < 0 ? em_type_no_memory() : overflow ? layout_too_large() : MPI_SUCCESS;
}

/* ---- parts ---- */

/* Fills the list of blocks of bytes. Leaves it empty if a part is not dense. */
static void join_runs(struct layout *parts)
{
    for (int64_t i = 0; i < parts->count; i++)
        if (!parts->part[i]->dense)
            return;
    int64_t runs = 0, end = 0;
    for (int64_t i = 0; i < parts->count; i++) {
        int64_t at = parts->displacement[i] + parts->part[i]->low, bytes = parts->part[i]->size[NATIVE];
        if (!runs || at != end) {
            parts->run_at[runs] = at;
            parts->run_before[runs++] = parts->sums[NATIVE][i];
        }
        end = at + bytes;
    }
    parts->run_before[runs] = parts->size[NATIVE];
    parts->runs = runs;
    parts->dense = runs == 1;
}

/* Fills in bounds, sizes and the sums of sizes before each part, by which a position in the stream is found. */
static void fill_parts(struct layout *parts, bool *overflow)
{
    for (int64_t i = 0; i < parts->count; i++) {
        struct layout *part = parts->part[i];
        int64_t low = em_sum(parts->displacement[i], part->low, overflow), high = em_sum(parts->displacement[i], part->high, overflow);
        parts->low = i ? lower(parts->low, low) : low;
        parts->high = i ? higher(parts->high, high) : high;
        for (int m = 0; m < MEASURES; m++) {
            parts->sums[m][i] = parts->size[m];
            parts->size[m] = em_sum(parts->size[m], part->size[m], overflow);
        }
    }
    for (int m = 0; m < MEASURES; m++)
        parts->sums[m][parts->count] = parts->size[m];
}

/* Returns a layout of n parts with arrays to be filled, or NULL. */
static struct layout *new_parts(int64_t n)
{
    struct layout *parts = new_layout(PARTS, n);
    if (!parts)
        return NULL;
    int64_t **arrays[] = {&parts->displacement, &parts->run_at, &parts->run_before, &parts->sums[0], &parts->sums[1], &parts->sums[2], &parts->sums[3]};
    bool complete = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        complete &= (*arrays[i] = malloc(((size_t)n + 1) * sizeof(int64_t))) != NULL;
    parts->part = malloc((size_t)n * sizeof *parts->part);
    if (complete && parts->part)
        return parts;
    free_layout(parts);
    return NULL;
}

/* Takes over the references of all parts. Leaves empty ones out, and a single remaining part becomes a loop of one
 * instance. */
int em_layout_parts(int64_t n, const int64_t *displacement, struct layout **part, struct layout **result)
{
    int64_t full = 0, first = 0;
    bool overflow = false;
    for (int64_t i = n; i-- > 0;)
        if (part[i]->size[NATIVE]) {
            full++;
            first = i;
        }
    *result = nothing_layout();
    if (full == 0)
        return MPI_SUCCESS;
    if (full == 1) {
        int err = em_layout_loop(displacement[first], 1, 0, part[first], result);
        em_layout_release(part[first]);
        return err;
    }
    struct layout *parts = new_parts(full);
    if (!parts) {
        for (int64_t i = 0; i < n; i++)
            em_layout_release(part[i]);
        return em_type_no_memory();
    }
    full = 0;
    for (int64_t i = 0; i < n; i++)
        if (part[i]->size[NATIVE]) {
            parts->displacement[full] = displacement[i];
            parts->part[full++] = part[i];
        }
    fill_parts(parts, &overflow);
    if (!overflow)
        join_runs(parts);
    return give_layout(parts, overflow, result);
}

/* ---- measures ---- */

/* Descends into the tree along the one child that the amount ends in, so the cost is its depth and not its size. */
int64_t em_measure(const struct layout *layout, enum measure by, int64_t amount, int64_t total[MEASURES])
{
    while (amount) {
        if (amount >= layout->size[by]) {
            for (int m = 0; m < MEASURES; m++)
                total[m] += layout->size[m];
            return amount - layout->size[by];
        }
        if (layout->kind == BASIC)
            return amount;
        if (layout->kind == PARTS) {
            int64_t i = em_block_at(layout->sums[by], layout->count, amount);
            for (int m = 0; m < MEASURES; m++)
                total[m] += layout->sums[m][i];
            amount -= layout->sums[by][i];
            layout = layout->part[i];
            continue;
        }
        int64_t whole = amount / layout->child->size[by];
        for (int m = 0; m < MEASURES; m++)
            total[m] += whole * layout->child->size[m];
        amount -= whole * layout->child->size[by];
        layout = layout->child;
    }
    return 0;
}
