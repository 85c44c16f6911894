/* Copies a box of elements from one memory to another. Elements that are adjacent in both memories are copied line by
 * line. A transposition is done in tiles, whose edges are whole cache lines on both sides. A prepared kernel is constant,
 * so threads may share it. */
#include "internal.h"
#include <string.h>
#include <unistd.h>
#ifdef __SSE2__
#include <immintrin.h>
#define FENCE() _mm_sfence()
#define AVX2 __attribute__((target("avx2")))
#else
#define FENCE()
#endif
#define INLINE static inline __attribute__((always_inline))

/* The methods: an empty box; lines of adjacent elements; a transposition; one element at a time. */
enum { COPY_NOTHING, COPY_RUNS, COPY_TILES, COPY_ELEMENTS };

/* Returns the size of the second-level cache, or 1 MB if it is unknown. Threads may find it at once: all store one
 * value. */
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

/* Reports whether dimension a is slower than b, by its stride in the destination, then in the source. */
static bool before(const struct dimension *a, const struct dimension *b)
{
    return a->dst != b->dst ? a->dst > b->dst : a->src > b->src;
}

void dri_kernel_prepare(struct kernel *k, const struct move *m, const struct element *element, bool stream)
{
    *k = (struct kernel){.src = m->src, .dst = m->dst, .element = element, .method = COPY_RUNS};
    for (int i = 0; i < m->n; i++) {
        struct dimension d = m->dims[i];
        if (d.length == 0) {
            k->method = COPY_NOTHING;
            return;
        }
        if (d.length == 1)
            continue;
        int at = k->n++;
        for (; at > 0 && before(&d, &k->dims[at - 1]); at--)
            k->dims[at] = k->dims[at - 1];
        k->dims[at] = d;
    }
    /* Merge two dimensions if, in both memories, a step of the outer one continues at the end of the inner one. */
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
    /* A method handles the two innermost dimensions at once, so there must be at least two. */
    while (k->n < 2) {
        memmove(&k->dims[1], &k->dims[0], k->n * sizeof *k->dims);
        k->dims[0] = (struct dimension){1, 0, 0};
        k->n++;
    }
    struct dimension *inner = &k->dims[k->n - 1];
    if (inner->dst == 1 && inner->src == 1)
        return;
    k->method = COPY_ELEMENTS;
    for (int i = k->n - 2; i >= 0; i--)
        if (inner->dst == 1 && k->dims[i].src == 1 && inner->src > 0) {
            struct dimension d = k->dims[i];
            memmove(&k->dims[i], &k->dims[i + 1], (k->n - 2 - i) * sizeof d);
            k->dims[k->n - 2] = d;
            k->method = COPY_TILES;
            break;
        }
    k->stream = stream && k->method == COPY_TILES;
}

MPI_Count dri_kernel_line(const struct kernel *k)
{
    return k->method == COPY_RUNS ? k->dims[k->n - 1].length : 0;
}

/* ---- the methods ---- */

/* Copies the data of one element, without its holes. */
static inline void copy_element(const struct element *e, char *dst, const char *src)
{
    for (int i = 0; i < e->n_runs; i++)
        memcpy(dst + e->runs[i].at, src + e->runs[i].at, e->runs[i].length);
}

/* Copies lines of elements that are adjacent in both memories. */
static void copy_runs(const struct kernel *k, char *dst, const char *src)
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

/* Copies the two innermost dimensions of a kernel. */
typedef void copier(const struct kernel *, char *, const char *);

/* Transposes element by element: element y of line x of dst is element x of line y of src. `out` and `in` are the distances
 * of two lines in dst and in src, in bytes. */
INLINE void one_by_one(char *dst, MPI_Count out, const char *src, MPI_Count in, MPI_Count rows, MPI_Count columns, int size)
{
    for (MPI_Count x = 0; x < rows; x++)
        for (MPI_Count y = 0; y < columns; y++)
            memcpy(dst + x * out + y * size, src + x * size + y * in, size);
}

/* Defines a copier of single elements of a constant size without holes. */
#define ELEMENTS(size) \
    static void elements_##size(const struct kernel *k, char *d, const char *s) \
    { \
        const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1]; \
        for (MPI_Count i = 0; i < a->length; i++) \
            for (MPI_Count j = 0; j < b->length; j++) \
                memcpy(d + (i * a->dst + j * b->dst) * size, s + (i * a->src + j * b->src) * size, size); \
    }
ELEMENTS(1)
ELEMENTS(2)
ELEMENTS(4)
ELEMENTS(8)
ELEMENTS(16)

/* Copies single elements of any size, with holes. */
static void copy_single_elements(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    MPI_Aint extent = k->element->extent;
    for (MPI_Count i = 0; i < a->length; i++)
        for (MPI_Count j = 0; j < b->length; j++)
            copy_element(k->element, dst + (i * a->dst + j * b->dst) * extent, src + (i * a->src + j * b->src) * extent);
}

/* ---- transposing ---- */

/* Transposes one tile, which has as many elements in both directions as a cache line. dst and src are its first elements;
 * `out` and `in` are the distances of two lines, in bytes. */
typedef void tile(char *dst, MPI_Count out, const char *src, MPI_Count in, bool stream);

/* Transposes a rectangle of whole tiles, in blocks of 16 x 16 tiles, whose pages stay in the TLB. With streaming stores,
 * which bypass the cache, the tiles of a block follow the lines of src; else they follow the lines of dst, which then
 * stay in the cache. The next tile of src is prefetched. */
INLINE void tiles(char *dst, MPI_Count out, const char *src, MPI_Count in, MPI_Count rows, MPI_Count columns, int size, bool stream, tile *move)
{
    const MPI_Count edge = LINE / size, block = 16 * edge;
    for (MPI_Count j = 0; j < columns; j += block)
        for (MPI_Count i = 0; i < rows; i += block) {
            MPI_Count height = rows - i < block ? rows - i : block, width = columns - j < block ? columns - j : block;
            for (MPI_Count u = 0; u < (stream ? width : height); u += edge)
                for (MPI_Count v = 0; v < (stream ? height : width); v += edge) {
                    MPI_Count x = i + (stream ? v : u), y = j + (stream ? u : v);
                    const char *from = src + x * size + y * in;
                    for (int line = 0; line < edge; line++)
                        __builtin_prefetch(from + line * in + (stream ? LINE : edge * in));
                    move(dst + x * out + y * size, out, from, in, stream);
                }
        }
}

/* Transposes the two innermost dimensions. Elements before the first whole cache line of dst, and the ones that do not fill a
 * tile at the ends, are copied one by one. */
INLINE void transpose(const struct kernel *k, char *dst, const char *src, int size, tile *move)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    const MPI_Count edge = LINE / size, in = b->src * size, out = a->dst * size;
    bool lines = out % LINE == 0 && (uintptr_t)dst % size == 0 && b->length >= 4 * edge;
    MPI_Count head = lines ? -(uintptr_t)dst % LINE / size : 0;
    MPI_Count rows = a->length / edge * edge, columns = (b->length - head) / edge * edge, end = head + columns;
    if (lines && k->stream) {
        tiles(dst + head * size, out, src + head * in, in, rows, columns, size, true, move);
        FENCE();
    } else
        tiles(dst + head * size, out, src + head * in, in, rows, columns, size, false, move);
    one_by_one(dst, out, src, in, a->length, head, size);
    one_by_one(dst + end * size, out, src + end * in, in, a->length, b->length - end, size);
    one_by_one(dst + rows * out + head * size, out, src + rows * size + head * in, in, a->length - rows, columns, size);
}

/* Defines a copier that transposes elements of one size with vectors of one width. */
#define TRANSPOSE(size, width, target) \
    target static void transpose_##size##_##width(const struct kernel *k, char *dst, const char *src) \
    { \
        transpose(k, dst, src, size, tile_##size##_##width); \
    }

#define SIZES(width) {transpose_1_##width, transpose_2_##width, transpose_4_##width, transpose_8_##width, transpose_16_##width}

#ifdef __SSE2__
/* Load a vector. Each of its lanes of 16 bytes holds a piece of another line of src, and the lines are `apart` bytes apart. */
INLINE __m128i load_128(const char *s, MPI_Count apart)
{
    (void)apart;
    return _mm_loadu_si128((const void *)s);
}

AVX2 INLINE __m256i load_256(const char *s, MPI_Count apart)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_128(s, 0)), load_128(s + apart, 0), 1);
}

/* One step of an in-register transposition. log2 N steps transpose N vectors, which have N x N elements in each lane.
 * Vectors of 64 bytes (AVX-512) were tried too, and were no faster. */
#define STEP(step, unit, mm) \
    if (step <= N) { \
        _Pragma("GCC unroll 8") \
        for (int i = 0; i < N / 2; i++) { \
            to[2 * i] = mm##_unpacklo_##unit(v[i], v[i + N / 2]); \
            to[2 * i + 1] = mm##_unpackhi_##unit(v[i], v[i + N / 2]); \
        } \
        memcpy(v, to, sizeof v); \
    }
/* Defines a tile function. It keeps the parts of a line in registers and stores the line at once, because interleaved
 * stores to several lines would reach memory in parts of cache lines. */
#define TILE(size, unit, width, mm, target) \
    target INLINE void tile_##size##_##width(char *dst, MPI_Count out, const char *src, MPI_Count in, bool stream) \
    { \
        enum { N = 16 / size, PARTS = 8 * LINE / width, ELEMENTS = width / 8 / size }; \
        for (int x = 0; x < LINE / size; x += N) { \
            __m##width##i line[N][PARTS]; \
            _Pragma("GCC unroll 4") \
            for (int part = 0; part < PARTS; part++) { \
                __m##width##i v[N], to[N]; \
                _Pragma("GCC unroll 16") \
                for (int i = 0; i < N; i++) \
                    v[i] = load_##width(src + (part * ELEMENTS + i) * in + x * size, N * in); \
                STEP(2, unit, mm) \
                STEP(4, unit, mm) \
                STEP(8, unit, mm) \
                STEP(16, unit, mm) \
                _Pragma("GCC unroll 16") \
                for (int i = 0; i < N; i++) \
                    line[i][part] = v[i]; \
            } \
            _Pragma("GCC unroll 16") \
            for (int i = 0; i < N; i++) \
                _Pragma("GCC unroll 4") \
                for (int part = 0; part < PARTS; part++) { \
                    void *to = dst + (x + i) * out + part * (width / 8); \
                    if (stream) \
                        mm##_stream_si##width(to, line[i][part]); \
                    else \
                        mm##_storeu_si##width(to, line[i][part]); \
                } \
        } \
    } \
    TRANSPOSE(size, width, target)
#define TILES(width, mm, target) \
    TILE(1, epi8, width, mm, target) \
    TILE(2, epi16, width, mm, target) \
    TILE(4, epi32, width, mm, target) \
    TILE(8, epi64, width, mm, target) \
    TILE(16, epi64, width, mm, target)
TILES(128, _mm, )
TILES(256, _mm256, AVX2)
static copier *const transposes[][5] = {SIZES(128), SIZES(256)};

/* Returns the number of vector widths that the processor supports. */
static int widths(void)
{
    return __builtin_cpu_supports("avx2") ? 2 : 1;
}
#else
/* Without vectors, a tile is transposed element by element. */
#define TILE(size) \
    INLINE void tile_##size##_any(char *dst, MPI_Count out, const char *src, MPI_Count in, bool stream) \
    { \
        (void)stream; \
        one_by_one(dst, out, src, in, LINE / size, LINE / size, size); \
    } \
    TRANSPOSE(size, any, )
TILE(1)
TILE(2)
TILE(4)
TILE(8)
TILE(16)

static copier *const transposes[][5] = {SIZES(any)};

static int widths(void)
{
    return 1;
}
#endif

/* Returns the copier for a kernel and the size of its elements. */
static copier *choose(const struct kernel *k)
{
    static copier *const one_by_one[] = {elements_1, elements_2, elements_4, elements_8, elements_16};
    MPI_Aint size = k->element->extent;
    if (k->method == COPY_RUNS)
        return copy_runs;
    if (!k->element->dense || size > 16 || size & (size - 1))
        return copy_single_elements;
    int i = __builtin_ctz(size);
    return k->method == COPY_TILES ? transposes[widths() - 1][i] : one_by_one[i];
}

/* Calls `inner` for each combination of indices of the outer dimensions, from d on. The first dimension is the slowest. */
static void for_each_line(const struct kernel *k, int d, char *dst, const char *src, copier *inner)
{
    if (d == k->n - 2) {
        inner(k, dst, src);
        return;
    }
    MPI_Aint extent = k->element->extent;
    for (MPI_Count i = 0; i < k->dims[d].length; i++)
        for_each_line(k, d + 1, dst + i * k->dims[d].dst * extent, src + i * k->dims[d].src * extent, inner);
}

void dri_kernel_run(const struct kernel *k, char *dst, const char *src)
{
    if (k->method != COPY_NOTHING)
        for_each_line(k, 0, dst + k->dst * k->element->extent, src + k->src * k->element->extent, choose(k));
}

/* Zeroes the data of the two innermost dimensions. */
static void zero(const struct kernel *k, char *dst, const char *src)
{
    const struct dimension *a = &k->dims[k->n - 2], *b = &k->dims[k->n - 1];
    const struct element *e = k->element;
    (void)src;
    for (MPI_Count i = 0; i < a->length; i++)
        for (MPI_Count j = 0; j < b->length; j++)
            for (int r = 0; r < e->n_runs; r++)
                memset(dst + (i * a->dst + j * b->dst) * e->extent + e->runs[r].at, 0, e->runs[r].length);
}

void dri_kernel_zero(const struct kernel *k, char *dst)
{
    if (k->method != COPY_NOTHING)
        for_each_line(k, 0, dst + k->dst * k->element->extent, NULL, zero);
}
