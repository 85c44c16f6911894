/* Moves a box of elements from one memory to another. What is a line in both is copied line by line; a
 * transposition goes by tiles whose edges are whole cache lines on both sides. */
#include "internal.h"
#include <string.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WAY_EMPTY, WAY_RUNS, WAY_TILES, WAY_ELEMENTS };

int64_t dri_kernel_cache(void)
{
    static _Atomic int64_t cache;
    int64_t c = cache;
    if (!c) {
        c = sysconf(_SC_LEVEL2_CACHE_SIZE);
        cache = c = c > 0 ? c : 1 << 20;
    }
    return c;
}

/* ---- a move becomes a kernel ---- */

static bool before(const struct dimension *a, const struct dimension *b)
{
    return a->dst != b->dst ? a->dst > b->dst : a->src > b->src;
}

void dri_kernel_prepare(struct kernel *k, const struct move *m, const struct element *element, bool stream)
{
    *k = (struct kernel){.src = m->src, .dst = m->dst, .element = element, .way = WAY_RUNS};
    for (int i = 0; i < m->n; i++) {
        struct dimension d = m->dims[i];
        if (d.length == 0) {
            k->way = WAY_EMPTY;
            return;
        }
        if (d.length == 1)
            continue;
        int at = k->n++;
        for (; at > 0 && before(&d, &k->dims[at - 1]); at--)
            k->dims[at] = k->dims[at - 1];
        k->dims[at] = d;
    }
    /* Two dimensions are one where the outer goes on, in both memories, where the inner ends. */
    int n = 0;
    for (int i = 0; i < k->n; i++) {
        struct dimension d = k->dims[i];
        while (n > 0 && k->dims[n - 1].src == d.src * d.length && k->dims[n - 1].dst == d.dst * d.length) {
            n--;
            d.length *= k->dims[n].length;
        }
        k->dims[n++] = d;
    }
    k->n = n;
    /* The two inner dimensions are what a way does at once; there are always two. */
    while (k->n < 2) {
        memmove(&k->dims[1], &k->dims[0], k->n * sizeof *k->dims);
        k->dims[0] = (struct dimension){1, 0, 0};
        k->n++;
    }
    struct dimension *inner = &k->dims[k->n - 1];
    if (inner->dst == 1 && inner->src == 1)
        return;
    k->way = WAY_ELEMENTS;
    for (int i = k->n - 2; i >= 0; i--)
        if (inner->dst == 1 && k->dims[i].src == 1 && inner->src > 0) {
            struct dimension d = k->dims[i];
            memmove(&k->dims[i], &k->dims[i + 1], (k->n - 2 - i) * sizeof d);
            k->dims[k->n - 2] = d;
            k->way = WAY_TILES;
            break;
        }
    k->stream = stream && k->way == WAY_TILES;
}

MPI_Count dri_kernel_line(const struct kernel *k)
{
    return k->way == WAY_RUNS ? k->dims[k->n - 1].length : 0;
}

/* ---- the ways ---- */

static inline void copy_element(const struct element *e, char *dst, const char *src)
{
    for (int i = 0; i < e->n_runs; i++)
        memcpy(dst + e->runs[i].at, src + e->runs[i].at, e->runs[i].length);
}

static void runs(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *rows = &k->dims[k->n - 2], *line = &k->dims[k->n - 1];
    MPI_Aint extent = k->element->extent;
    for (MPI_Count i = 0; i < rows->length; i++, dst += rows->dst * extent, src += rows->src * extent)
        if (k->element->dense)
            memcpy(dst, src, line->length * extent);
        else
            for (MPI_Count j = 0; j < line->length; j++)
                copy_element(k->element, dst + j * extent, src + j * extent);
}

#define ELEMENTS(name, type) \
    static void name(const struct kernel *k, char *d, const char *s) \
    { \
        const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1]; \
        for (MPI_Count i = 0; i < a->length; i++) \
            for (MPI_Count j = 0; j < b->length; j++) \
                memcpy(d + (i * a->dst + j * b->dst) * sizeof(type), s + (i * a->src + j * b->src) * sizeof(type), sizeof(type)); \
    }
/* Lines of dst are a->length, each of b->length elements that lie apart in src. */
#define TILES(name, type) \
    static void name(const struct kernel *k, char *dst, const char *src) \
    { \
        enum { EDGE = 64 / sizeof(type) < 8 ? 8 : 64 / sizeof(type) }; \
        const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1]; \
        const MPI_Count in = b->src * sizeof(type), out = a->dst * sizeof(type); \
        for (MPI_Count j = 0; j < b->length; j += EDGE) { \
            MPI_Count jn = b->length - j < EDGE ? b->length - j : EDGE; \
            for (MPI_Count i = 0; i < a->length; i += EDGE) { \
                MPI_Count rows = a->length - i < EDGE ? a->length - i : EDGE; \
                const char *s = src + j * in + i * sizeof(type); \
                char *d = dst + i * out + j * sizeof(type); \
                for (MPI_Count x = 0; x < rows; x++) \
                    for (MPI_Count y = 0; y < jn; y++) \
                        memcpy(d + x * out + y * sizeof(type), s + y * in + x * sizeof(type), sizeof(type)); \
            } \
        } \
    }
struct sixteen {
    uint64_t half[2];
};
ELEMENTS(bytes_1, uint8_t)
ELEMENTS(bytes_2, uint16_t)
ELEMENTS(bytes_4, uint32_t)
ELEMENTS(bytes_8, uint64_t)
ELEMENTS(bytes_16, struct sixteen)
TILES(tiles_1, uint8_t)
TILES(tiles_2, uint16_t)
TILES(tiles_4, uint32_t)
TILES(tiles_16, struct sixteen)

static void elements(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    MPI_Aint extent = k->element->extent;
    for (MPI_Count i = 0; i < a->length; i++)
        for (MPI_Count j = 0; j < b->length; j++)
            copy_element(k->element, dst + (i * a->dst + j * b->dst) * extent, src + (i * a->src + j * b->src) * extent);
}

#ifdef __SSE2__
/* Eight lines of eight elements, in pairs, become eight whole lines. */
static inline void tile_8x8(char *d, MPI_Count out, const char *s, MPI_Count in, bool stream)
{
    for (int x = 0; x < 8; x += 2) {
        char *to = d + x * out;
        __m128i low[4], high[4];
        for (int y = 0; y < 4; y++) {
            __m128i p = _mm_loadu_si128((const void *)(s + 2 * y * in + x * 8)), q = _mm_loadu_si128((const void *)(s + (2 * y + 1) * in + x * 8));
            low[y] = _mm_unpacklo_epi64(p, q);
            high[y] = _mm_unpackhi_epi64(p, q);
        }
        if (stream) {
            for (int y = 0; y < 4; y++)
                _mm_stream_si128((void *)(to + 16 * y), low[y]);
            for (int y = 0; y < 4; y++)
                _mm_stream_si128((void *)(to + out + 16 * y), high[y]);
        } else {
            for (int y = 0; y < 4; y++)
                _mm_storeu_si128((void *)(to + 16 * y), low[y]);
            for (int y = 0; y < 4; y++)
                _mm_storeu_si128((void *)(to + out + 16 * y), high[y]);
        }
    }
}

/* Tiles of eight in blocks of 32: a block's lines stay in the first cache, and its pages in the TLB. What is left
 * at the end of a line is done one by one, as is what comes before the first whole cache line of dst. */
static void tiles_8(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    const MPI_Count in = b->src * 8, out = a->dst * 8;
    MPI_Count head = 0;
    if (out % LINE == 0 && (uintptr_t)dst % 8 == 0)
        head = (LINE - (uintptr_t)dst % LINE) % LINE / 8;
    bool stream = k->stream && out % LINE == 0 && (uintptr_t)dst % 8 == 0;
    head = head < b->length ? head : b->length;
    MPI_Count lines = (b->length - head) / 8 * 8, rows = a->length / 8 * 8;
    for (MPI_Count j = head; j < head + lines; j += 32)
        for (MPI_Count i = 0; i < rows; i += 32)
            for (MPI_Count y = j; y < j + 32 && y < head + lines; y += 8)
                for (MPI_Count x = i; x < i + 32 && x < rows; x += 8)
                    tile_8x8(dst + x * out + y * 8, out, src + y * in + x * 8, in, stream);
    for (MPI_Count x = 0; x < a->length; x++)
        for (MPI_Count y = 0; y < b->length; y++) {
            if (x < rows && y == head)
                y += lines;
            if (y < b->length)
                memcpy(dst + x * out + y * 8, src + y * in + x * 8, 8);
        }
    if (stream)
        _mm_sfence();
}
#else
TILES(tiles_8, uint64_t)
#endif

typedef void way(const struct kernel *, char *, const char *);

static way *choose(const struct kernel *k)
{
    if (k->way == WAY_RUNS)
        return runs;
    if (!k->element->dense)
        return elements;
    bool tiles = k->way == WAY_TILES;
    switch (k->element->extent) {
    case 1: return tiles ? tiles_1 : bytes_1;
    case 2: return tiles ? tiles_2 : bytes_2;
    case 4: return tiles ? tiles_4 : bytes_4;
    case 8: return tiles ? tiles_8 : bytes_8;
    case 16: return tiles ? tiles_16 : bytes_16;
    }
    return elements;
}

/* For each index of the outer dimensions, the first one slowest. */
static void each(const struct kernel *k, int d, char *dst, const char *src, way *inner)
{
    if (d == k->n - 2) {
        inner(k, dst, src);
        return;
    }
    MPI_Aint extent = k->element->extent;
    for (MPI_Count i = 0; i < k->dims[d].length; i++)
        each(k, d + 1, dst + i * k->dims[d].dst * extent, src + i * k->dims[d].src * extent, inner);
}

void dri_kernel_run(const struct kernel *k, char *dst, const char *src)
{
    if (k->way != WAY_EMPTY)
        each(k, 0, dst + k->dst * k->element->extent, src + k->src * k->element->extent, choose(k));
}

static void zero(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    const struct element *e = k->element;
    for (MPI_Count i = 0; i < a->length; i++)
        for (MPI_Count j = 0; j < b->length; j++)
            for (int r = 0; r < e->n_runs; r++)
                memset(dst + (i * a->dst + j * b->dst) * e->extent + e->runs[r].at, 0, e->runs[r].length);
}

void dri_kernel_zero(const struct kernel *k, char *dst)
{
    if (k->way != WAY_EMPTY)
        each(k, 0, dst + k->dst * k->element->extent, NULL, zero);
}
