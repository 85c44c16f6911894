/*
 * Packing and unpacking with conversion to XDR and external32 (MPI-5.0, 14.5.2): components are
 * big-endian, long double is an IEEE quadruple number, and in external32 long has 4 bytes and
 * wchar_t 2. An element may be split between two calls at any byte. No state.
 */
#include "layout.h"

#include <string.h>

typedef uint16_t __attribute__((aligned(1), may_alias)) any_two;
typedef uint32_t __attribute__((aligned(1), may_alias)) any_four;
typedef uint64_t __attribute__((aligned(1), may_alias)) any_eight;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BIG16(value) __builtin_bswap16(value)
#define BIG32(value) __builtin_bswap32(value)
#define BIG64(value) __builtin_bswap64(value)
#define HIGH_HALF 1 /* the high half of 16 bytes in memory */
#else
#define BIG16(value) (value)
#define BIG32(value) (value)
#define BIG64(value) (value)
#define HIGH_HALF 0
#endif

/* ---- components of the same size: the order of their bytes is changed, in either direction ---- */

/* Copies n values of a width in bytes, and changes between this host's order of bytes and the big-endian one. */
static void convert_order(char *to, const char *from, int64_t n, int width)
{
    switch (width) {
    case 1:
        memcpy(to, from, (size_t)n);
        break;
    case 2:
        for (int64_t i = 0; i < n; i++)
            ((any_two *)to)[i] = BIG16(((const any_two *)from)[i]);
        break;
    case 4:
        for (int64_t i = 0; i < n; i++)
            ((any_four *)to)[i] = BIG32(((const any_four *)from)[i]);
        break;
    case 8:
        for (int64_t i = 0; i < n; i++)
            ((any_eight *)to)[i] = BIG64(((const any_eight *)from)[i]);
        break;
    case 16:
        for (int64_t i = 0; i < n; i++) {
            uint64_t first = ((const any_eight *)from)[2 * i], second = ((const any_eight *)from)[2 * i + 1];
            ((any_eight *)to)[2 * i + 1 - HIGH_HALF] = BIG64(HIGH_HALF ? second : first);
            ((any_eight *)to)[2 * i + HIGH_HALF] = BIG64(HIGH_HALF ? first : second);
        }
        break;
    }
}

/* ---- components that are shorter in the representation ---- */

/* Converts integers to a representation of half the width, big-endian. The upper half is lost. */
static void shorten(char *to, const char *from, int64_t n, int width)
{
    for (int64_t i = 0; i < n; i++)
        if (width == 8)
            ((any_four *)to)[i] = BIG32((uint32_t)((const any_eight *)from)[i]);
        else
            ((any_two *)to)[i] = BIG16((uint16_t)((const any_four *)from)[i]);
}

/* Converts big-endian integers to twice the width, with the sign if the type has one. */
static void lengthen(char *to, const char *from, int64_t n, int width, bool is_signed)
{
    for (int64_t i = 0; i < n; i++) {
        if (width == 8) {
            uint32_t value = BIG32(((const any_four *)from)[i]);
            ((any_eight *)to)[i] = is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
        } else {
            ((any_four *)to)[i] = BIG16(((const any_two *)from)[i]);
        }
    }
}

/* ---- x87's numbers of 80 bits: sign and exponent as in quadruple numbers, 63 bits of fraction after
 * an explicit leading bit ---- */

/* Converts x87 numbers to IEEE quadruple. The leading bit of the mantissa is implicit there; sign and exponent are
 * alike. */
static void extended_to_quadruple(char *to, const char *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t mantissa = ((const any_eight *)from)[2 * i], fraction = mantissa << 1;
        uint16_t head = ((const any_two *)from)[8 * i + 4];
        ((any_eight *)to)[2 * i] = BIG64((uint64_t)head << 48 | fraction >> 16);
        ((any_eight *)to)[2 * i + 1] = BIG64(fraction << 48);
    }
}

/* Converts IEEE quadruple to x87 numbers and cuts the mantissa. Sets the explicit leading bit unless the exponent is
 * 0. */
static void quadruple_to_extended(char *to, const char *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t first = BIG64(((const any_eight *)from)[2 * i]), second = BIG64(((const any_eight *)from)[2 * i + 1]);
        uint64_t fraction = first << 16 | second >> 48, leading = first >> 48 & 0x7fff ? 1ull << 63 : 0;
        ((any_eight *)to)[2 * i] = fraction >> 1 | leading;
        ((any_eight *)to)[2 * i + 1] = first >> 48;
    }
}

/* Converts n adjacent elements to the representation. */
static void convert_out(const struct basic *basic, int to, char *stream, const char *memory, int64_t n)
{
    int width = basic->width[NATIVE];
    n *= basic->components;
    if (basic->form == FORM_EXTENDED)
        extended_to_quadruple(stream, memory, n);
    else if (basic->width[to] < width)
        shorten(stream, memory, n, width);
    else
        convert_order(stream, memory, n, width);
}

/* Converts n adjacent elements from the representation. */
static void convert_in(const struct basic *basic, int from, char *memory, const char *stream, int64_t n)
{
    int width = basic->width[NATIVE];
    n *= basic->components;
    if (basic->form == FORM_EXTENDED)
        quadruple_to_extended(memory, stream, n);
    else if (basic->width[from] < width)
        lengthen(memory, stream, n, width, basic->form == FORM_SIGNED);
    else
        convert_order(memory, stream, n, width);
}

/* ---- the stream ---- */

static const struct basic *basic_of(const struct layout *layout) { return &em_basics[layout->element - TYPES_FIRST]; }

/* Converts a part of one element: the stream's bytes from cursor->skip on. */
static void convert_part(struct cursor *c, const struct layout *layout, char *memory)
{
    enum { LONGEST = 32 };
    char whole[LONGEST];
    int64_t n = layout->size[c->to] - c->skip < c->left ? layout->size[c->to] - c->skip : c->left;
    convert_out(basic_of(layout), c->to, whole, memory, 1); /* unpacking: keeps the bytes that have arrived before */
    memcpy(c->pack ? c->stream : whole + c->skip, c->pack ? whole + c->skip : c->stream, (size_t)n);
    if (!c->pack)
        convert_in(basic_of(layout), c->to, memory, whole, 1);
    c->stream += n;
    c->left -= n;
    c->skip = 0;
}

/* Converts n whole elements. */
static void convert_basic_elements(struct cursor *c, int64_t n, int64_t stride, const struct layout *layout, char *memory)
{
    const struct basic *basic = basic_of(layout);
    int64_t calls = 1;
    if (stride != layout->size[NATIVE]) {
        calls = n;
        n = 1;
    }
    for (int64_t i = 0; i < calls; i++) {
        if (c->pack)
            convert_out(basic, c->to, c->stream, em_plus(memory, i * stride), n);
        else
            convert_in(basic, c->to, em_plus(memory, i * stride), c->stream, n);
        c->stream += n * layout->size[c->to];
        c->left -= n * layout->size[c->to];
    }
}

static void convert_some(struct cursor *c, const struct layout *layout, char *memory);

/* Converts the bytes that the cursor selects of n instances. */
static void convert_instances(struct cursor *c, int64_t n, int64_t stride, const struct layout *child, char *memory)
{
    int64_t size = child->size[c->to], i = c->skip / size;
    c->skip -= i * size;
    if (c->skip)
        convert_some(c, child, em_plus(memory, i++ * stride));
    if (child->kind == BASIC && i < n) {
        int64_t whole = c->left / size < n - i ? c->left / size : n - i;
        if (whole)
            convert_basic_elements(c, whole, stride, child, em_plus(memory, i * stride));
        i += whole;
    }
    for (; i < n && c->left; i++)
        convert_some(c, child, em_plus(memory, i * stride));
}

/* Converts from the block that contains the cursor's first byte on, which is found by arithmetic or by binary search. */
static void convert_blocks(struct cursor *c, const struct layout *blocks, char *memory)
{
    int64_t size = blocks->child->size[c->to], first = c->skip / size;
    int64_t i = blocks->before ? em_block_at(blocks->before, blocks->count, first) : first / blocks->length;
    c->skip -= size * (blocks->before ? blocks->before[i] : i * blocks->length);
    for (; i < blocks->count && c->left; i++) {
        int64_t n = blocks->before ? blocks->before[i + 1] - blocks->before[i] : blocks->length;
        convert_instances(c, n, blocks->stride, blocks->child, em_plus(memory, blocks->displacement[i]));
    }
}

/* Converts from the part that contains the cursor's first byte on. The parts have sums of sizes for each
 * representation. */
static void convert_parts(struct cursor *c, const struct layout *parts, char *memory)
{
    int64_t i = em_block_at(parts->sums[c->to], parts->count, c->skip);
    c->skip -= parts->sums[c->to][i];
    for (; i < parts->count && c->left; i++)
        convert_some(c, parts->part[i], em_plus(memory, parts->displacement[i]));
}

/* Converts the bytes that the cursor selects of one instance. */
static void convert_some(struct cursor *c, const struct layout *layout, char *memory)
{
    switch (layout->kind) {
    case BASIC:
        if (c->skip == 0 && c->left >= layout->size[c->to])
            convert_basic_elements(c, 1, layout->size[NATIVE], layout, memory);
        else
            convert_part(c, layout, memory);
        break;
    case LOOP:
        convert_instances(c, layout->count, layout->stride, layout->child, em_plus(memory, layout->at));
        break;
    case BLOCKS:
        convert_blocks(c, layout, memory);
        break;
    case PARTS:
        convert_parts(c, layout, memory);
        break;
    }
}

/* The entry of this file. An empty datatype converts nothing, and its sizes must not be divisors. */
void em_pack_converted(struct cursor *cursor, int64_t count, int64_t extent, const struct layout *layout, void *memory)
{
    if (cursor->left && layout->size[NATIVE])
        convert_instances(cursor, count, extent, layout, memory);
}
