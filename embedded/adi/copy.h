/*
 * Copies into and out of the byte rings. memcpy is not made for memory that the other rank has
 * just read or written: on x86-64 the C library copies long blocks with one instruction, which
 * waits for one line of the other core after the other.
 *
 * Gives: adi_copy_to_ring, adi_copy_from_ring.
 * Needs: nothing.
 */
#ifndef WI4GO_COPY_H
#define WI4GO_COPY_H

#include <stdint.h>
#include <string.h>

#if defined __x86_64__ && !defined __SANITIZE_THREAD__ /* which does not see these accesses */
#define ADI_COPIES 1
#include <emmintrin.h>
#endif

/* Copies n bytes to a ring, whose place begins on a line. stream: past the caches, so that the lines
 * need not be fetched from the receiver's cache; the bytes are visible before any later store. */
static inline void adi_copy_to_ring(char *dest, const char *src, int64_t n, int stream)
{
#ifdef ADI_COPIES
    int64_t i = 0;
    if (stream) {
        for (; i + 64 <= n; i += 64) {
            __m128i a = _mm_loadu_si128((const __m128i *)(src + i)), b = _mm_loadu_si128((const __m128i *)(src + i + 16));
            __m128i c = _mm_loadu_si128((const __m128i *)(src + i + 32)), d = _mm_loadu_si128((const __m128i *)(src + i + 48));
            _mm_stream_si128((__m128i *)(dest + i), a);
            _mm_stream_si128((__m128i *)(dest + i + 16), b);
            _mm_stream_si128((__m128i *)(dest + i + 32), c);
            _mm_stream_si128((__m128i *)(dest + i + 48), d);
        }
        _mm_sfence();
    }
    memcpy(dest + i, src + i, (size_t)(n - i));
#else
    (void)stream;
    memcpy(dest, src, (size_t)n);
#endif
}

/* Copies n bytes from a ring, whose place begins on a line. give: then stores to each line, so that
 * it leaves the sender's cache; the sender gets a line that only one cache has faster than one
 * that both have. */
static inline void adi_copy_from_ring(char *dest, char *src, int64_t n, int give)
{
#ifdef ADI_COPIES
    enum { AHEAD = 256, LATER = 2048 };
    int64_t i = 0;
    for (; i < AHEAD && i < n; i += 64)
        _mm_prefetch(src + i, _MM_HINT_T0);
    for (i = 0; i + 64 <= n; i += 64) {
        _mm_prefetch(src + i + AHEAD, _MM_HINT_T0);
        if (give && i >= LATER)
            *(volatile char *)(src + i - LATER) = 0;
        __m128i a = _mm_load_si128((const __m128i *)(src + i)), b = _mm_load_si128((const __m128i *)(src + i + 16));
        __m128i c = _mm_load_si128((const __m128i *)(src + i + 32)), d = _mm_load_si128((const __m128i *)(src + i + 48));
        _mm_storeu_si128((__m128i *)(dest + i), a);
        _mm_storeu_si128((__m128i *)(dest + i + 16), b);
        _mm_storeu_si128((__m128i *)(dest + i + 32), c);
        _mm_storeu_si128((__m128i *)(dest + i + 48), d);
    }
    memcpy(dest + i, src + i, (size_t)(n - i));
#else
    (void)give;
    memcpy(dest, src, (size_t)n);
#endif
}

#endif
