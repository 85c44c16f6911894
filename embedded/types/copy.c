/*
 * Packing and unpacking of bytes as they are in memory. Whole instances go through loops without
 * a test for the end of the stream; only the first and the last one may be a part. No state.
 */
#include "layout.h"

#include <string.h>

/* Elements at any address. */
typedef uint16_t __attribute__((aligned(1), may_alias)) two_bytes;
typedef uint32_t __attribute__((aligned(1), may_alias)) four_bytes;
typedef uint64_t __attribute__((aligned(1), may_alias)) eight_bytes;
typedef long long __attribute__((vector_size(16), aligned(1), may_alias)) sixteen_bytes;

/* A block of bytes by two accesses of one type, which may overlap. */
#define COPY_ENDS(type)                                                                                        \
    do {                                                                                                       \
        const type first = *(const type *)from, last = *(const type *)(from + bytes - (int64_t)sizeof(type)); \
        *(type *)to = first;                                                                                   \
        *(type *)(to + bytes - (int64_t)sizeof(type)) = last;                                                  \
    } while (0)

/* Copies a block of 1 to 32 bytes. */
static inline void copy_short(char *to, const char *from, int64_t bytes)
{
    if (bytes >= 16)
        COPY_ENDS(sixteen_bytes);
    else if (bytes >= 8)
        COPY_ENDS(eight_bytes);
    else if (bytes >= 4)
        COPY_ENDS(four_bytes);
    else if (bytes >= 2)
        COPY_ENDS(two_bytes);
    else
        *to = *from;
}

/* Copies one contiguous run in the direction of the cursor. A short run is copied inline, without a call of memcpy. */
static inline void copy_run(struct cursor *c, char *memory, int64_t bytes)
{
    char *to = c->pack ? c->stream : memory, *from = c->pack ? memory : c->stream;
    if (bytes <= 32)
        copy_short(to, from, bytes);
    else
        memcpy(to, from, (size_t)bytes);
    c->stream += bytes;
}

/* Copies n blocks of bytes; those of the stream are at distances of `spacing` bytes. */
static void copy_column(struct cursor *c, int64_t n, int64_t stride, int64_t bytes, char *memory, char *stream, int64_t spacing)
{
    char *to = c->pack ? stream : memory;
    const char *from = c->pack ? memory : stream;
    const int64_t to_next = c->pack ? spacing : stride, from_next = c->pack ? stride : spacing;
#define EACH(copy)                                                    \
    for (int64_t i = 0; i < n; i++, to += to_next, from += from_next) \
        copy
    switch (bytes) {
    case 1:
        EACH(*to = *from);
        break;
    case 4:
        EACH(*(four_bytes *)to = *(const four_bytes *)from);
        break;
    case 8:
        EACH(*(eight_bytes *)to = *(const eight_bytes *)from);
        break;
    case 16:
        EACH(*(sixteen_bytes *)to = *(const sixteen_bytes *)from);
        break;
    default:
        if (bytes > 32)
            EACH(memcpy(to, from, (size_t)bytes));
        else if (bytes > 16)
            EACH(COPY_ENDS(sixteen_bytes));
        else if (bytes > 8)
            EACH(COPY_ENDS(eight_bytes));
        else if (bytes > 4)
            EACH(COPY_ENDS(four_bytes));
        else
            EACH(COPY_ENDS(two_bytes));
    }
}

/* Copies n blocks of bytes at equal distances. */
static void copy_strided(struct cursor *c, int64_t n, int64_t stride, int64_t bytes, char *memory)
{
    if (stride == bytes || n == 1) {
        copy_run(c, memory, n * bytes);
        return;
    }
    copy_column(c, n, stride, bytes, memory, c->stream, bytes);
    c->stream += n * bytes;
}

/* Copies n blocks of bytes at displacements from memory. */
#define COPY_SCATTERED(type)                                              \
    if (c->pack)                                                          \
        for (int64_t i = 0; i < n; i++)                                   \
            ((type *)stream)[i] = *(const type *)(memory + displacement[i]); \
    else                                                                  \
        for (int64_t i = 0; i < n; i++)                                   \
            *(type *)(memory + displacement[i]) = ((const type *)stream)[i]
/* Copies n blocks of the same length between the stream and memory. The cursor has room for all of them. */
static void copy_scattered(struct cursor *c, int64_t n, const int64_t *displacement, int64_t bytes, char *memory)
{
    char *stream = c->stream;
    switch (bytes) {
    case 4:
        COPY_SCATTERED(four_bytes);
        break;
    case 8:
        COPY_SCATTERED(eight_bytes);
        break;
    case 16:
        COPY_SCATTERED(sixteen_bytes);
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            copy_run(c, memory + displacement[i], bytes);
        return;
    }
    c->stream += n * bytes;
}

/* ---- whole instances ---- */

static void copy_whole(struct cursor *c, const struct layout *layout, char *memory);

/* Copies n instances of a layout that is a list of blocks of bytes: one block of many instances
 * after the other. */
static void copy_run_columns(struct cursor *c, int64_t n, int64_t stride, const struct layout *parts, char *memory)
{
    enum { TOGETHER = 64 }; /* instances, so that they stay in the cache */
    for (int64_t at = 0; at < n; at += TOGETHER) {
        int64_t together = n - at < TOGETHER ? n - at : TOGETHER;
        for (int64_t i = 0; i < parts->runs; i++)
            copy_column(c, together, stride, parts->run_before[i + 1] - parts->run_before[i], em_plus(memory, at * stride + parts->run_at[i]),
                        c->stream + parts->run_before[i], parts->size[NATIVE]);
        c->stream += together * parts->size[NATIVE];
    }
}

/* Copies whole elements. Dense elements are one strided copy, and several structs of runs are copied column by column. */
static void copy_instances(struct cursor *c, int64_t n, int64_t stride, const struct layout *child, char *memory)
{
    if (child->dense) {
        copy_strided(c, n, stride, child->size[NATIVE], em_plus(memory, child->low));
        return;
    }
    if (child->kind == PARTS && child->runs && n > 3) {
        copy_run_columns(c, n, stride, child, memory);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        copy_whole(c, child, em_plus(memory, i * stride));
}

/* Returns the number of instances in a block. */
static inline int64_t instances_in(const struct layout *blocks, int64_t i)
{
    return blocks->before ? blocks->before[i + 1] - blocks->before[i] : blocks->length;
}

static void copy_whole_blocks(struct cursor *c, const struct layout *blocks, char *memory)
{
    const struct layout *child = blocks->child;
    bool runs = child->dense && (blocks->stride == child->size[NATIVE] || (!blocks->before && blocks->length == 1));
    if (runs && !blocks->before) {
        copy_scattered(c, blocks->count, blocks->displacement, blocks->length * child->size[NATIVE], em_plus(memory, child->low));
        return;
    }
    for (int64_t i = 0; i < blocks->count; i++)
        copy_instances(c, instances_in(blocks, i), blocks->stride, child, em_plus(memory, blocks->displacement[i]));
}

/* Copies one instance of a layout between the stream and memory. The cursor has room for all of it. */
static void copy_whole(struct cursor *c, const struct layout *layout, char *memory)
{
    if (layout->dense) {
        copy_run(c, em_plus(memory, layout->low), layout->size[NATIVE]);
        return;
    }
    switch (layout->kind) {
    case LOOP:
        copy_instances(c, layout->count, layout->stride, layout->child, em_plus(memory, layout->at));
        break;
    case BLOCKS:
        copy_whole_blocks(c, layout, memory);
        break;
    case PARTS:
        for (int64_t i = 0; i < layout->runs; i++)
            copy_run(c, em_plus(memory, layout->run_at[i]), layout->run_before[i + 1] - layout->run_before[i]);
        for (int64_t i = 0; !layout->runs && i < layout->count; i++)
            copy_whole(c, layout->part[i], em_plus(memory, layout->displacement[i]));
        break;
    case BASIC:
        break;
    }
}

/* ---- parts of the stream ---- */

/* Copies the bytes that the cursor selects of a block of bytes. */
static void copy_some_bytes(struct cursor *c, char *memory, int64_t bytes)
{
    int64_t n = bytes - c->skip < c->left ? bytes - c->skip : c->left;
    if (n > 0)
        copy_run(c, em_plus(memory, c->skip), n);
    c->skip = 0;
    c->left -= n;
}

static void copy_some(struct cursor *c, const struct layout *layout, char *memory);

/* Copies the bytes that the cursor selects of n instances. */
static void copy_some_instances(struct cursor *c, int64_t n, int64_t stride, const struct layout *child, char *memory)
{
    int64_t size = child->size[NATIVE], i = 0;
    if (child->dense && stride == size) {
        copy_some_bytes(c, em_plus(memory, child->low), n * size);
        return;
    }
    if (c->skip) {
        i = c->skip / size;
        c->skip -= i * size;
        if (c->skip)
            copy_some(c, child, em_plus(memory, i++ * stride));
    }
    int64_t whole = n - i;
    if (c->left / size < whole)
        whole = c->left / size;
    if (whole > 0) {
        copy_instances(c, whole, stride, child, em_plus(memory, i * stride));
        c->left -= whole * size;
        i += whole;
    }
    if (i < n && c->left)
        copy_some(c, child, em_plus(memory, i * stride));
}

static void copy_some_blocks(struct cursor *c, const struct layout *blocks, char *memory)
{
    int64_t size = blocks->child->size[NATIVE], first = c->skip / size;
    int64_t i = blocks->before ? em_block_at(blocks->before, blocks->count, first) : first / blocks->length;
    c->skip -= size * (blocks->before ? blocks->before[i] : i * blocks->length);
    for (; i < blocks->count && c->left; i++)
        copy_some_instances(c, instances_in(blocks, i), blocks->stride, blocks->child, em_plus(memory, blocks->displacement[i]));
}

static void copy_some_parts(struct cursor *c, const struct layout *parts, char *memory)
{
    int64_t count = parts->runs ? parts->runs : parts->count;
    const int64_t *before = parts->runs ? parts->run_before : parts->sums[NATIVE];
    int64_t i = em_block_at(before, count, c->skip);
    c->skip -= before[i];
    for (; i < count && c->left; i++)
        if (parts->runs)
            copy_some_bytes(c, em_plus(memory, parts->run_at[i]), before[i + 1] - before[i]);
        else
            copy_some(c, parts->part[i], em_plus(memory, parts->displacement[i]));
}

/* Copies the bytes that the cursor selects of one instance. */
static void copy_some(struct cursor *c, const struct layout *layout, char *memory)
{
    if (c->skip == 0 && c->left >= layout->size[NATIVE]) {
        copy_whole(c, layout, memory);
        c->left -= layout->size[NATIVE];
    } else if (layout->dense) {
        copy_some_bytes(c, em_plus(memory, layout->low), layout->size[NATIVE]);
    } else if (layout->kind == LOOP) {
        copy_some_instances(c, layout->count, layout->stride, layout->child, em_plus(memory, layout->at));
    } else if (layout->kind == BLOCKS) {
        copy_some_blocks(c, layout, memory);
    } else if (layout->kind == PARTS) {
        copy_some_parts(c, layout, memory);
    }
}

/* The entry of this file. The data is not converted, so only blocks of bytes are moved. */
void em_pack_native(struct cursor *cursor, int64_t count, int64_t extent, const struct layout *layout, void *memory)
{
    if (cursor->left == 0 || layout->size[NATIVE] == 0)
        return;
    if (count == 1)
        copy_some(cursor, layout, memory);
    else
        copy_some_instances(cursor, count, extent, layout, memory);
}
