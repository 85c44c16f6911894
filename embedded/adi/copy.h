/*
 * Copies into and out of the byte rings. memcpy is not made for memory that the other rank has
 * just read or written: on x86-64 the C library copies long blocks with one instruction, which
 * waits for one line of the other core after the other on most processors. State: adi_state.one_instruction. No
 * locks.
 *
 * Gives: adi_copy_init, adi_copy_to_ring, adi_copy_from_ring, adi_copy_out_ring, adi_copy_in_ring; adi_copy_small,
 * adi_copy_bytes, adi_copy_more for short messages.
 * Needs: adi_request.h, segment.h.
 */
#ifndef WI4GO_COPY_H
#define WI4GO_COPY_H

#include <stdint.h>

#include "adi_request.h"
#include "segment.h"

struct adi_state;

/* Finds out how this processor copies fast. */
void adi_copy_init(struct adi_state *st);

/* Copies n bytes to a ring, whose place begins on a line. past: past the caches, so that the lines
 * need not be fetched from the receiver's cache; the bytes are visible before any later store. */
void adi_copy_to_ring(char *dest, const char *src, int64_t n, int past);

/* How adi_copy_from_ring copies. */
enum adi_copy {
    ADI_COPY_PLAIN,
    ADI_COPY_GIVE, /* then stores to each line, so that it leaves the sender's cache; the sender gets a line that only one cache has faster than one that both have */
    ADI_COPY_PAST, /* past the caches, because dest is part of more memory than they hold: then its lines need not be read before */
};

/* Copies n bytes from a ring, whose place begins on a line. */
void adi_copy_from_ring(char *dest, char *src, int64_t n, enum adi_copy how);

/* Copy bytes of a message's stream to and from a byte ring, in the same ways. (data.c) */
void adi_copy_out_ring(const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past);
void adi_copy_in_ring(const struct adi_data *data, int64_t at, char *src, int64_t n, enum adi_copy how);

/* Copies up to 40 bytes without a call; src has exactly n. */
static inline void adi_copy_small(char *dest, const char *src, uint64_t n)
{
    if (n >= 16) {
        if (n > 32) {
            __builtin_memcpy(dest, src, 32);
            __builtin_memcpy(dest + n - 16, src + n - 16, 16);
        } else {
            char first[16], last[16];
            __builtin_memcpy(first, src, 16);
            __builtin_memcpy(last, src + n - 16, 16);
            __builtin_memcpy(dest, first, 16);
            __builtin_memcpy(dest + n - 16, last, 16);
        }
    } else if (n >= 8) {
        uint64_t first, last;
        __builtin_memcpy(&first, src, 8);
        __builtin_memcpy(&last, src + n - 8, 8);
        __builtin_memcpy(dest, &first, 8);
        __builtin_memcpy(dest + n - 8, &last, 8);
    } else if (n >= 4) {
        uint32_t first, last;
        __builtin_memcpy(&first, src, 4);
        __builtin_memcpy(&last, src + n - 4, 4);
        __builtin_memcpy(dest, &first, 4);
        __builtin_memcpy(dest + n - 4, &last, 4);
    } else {
        for (uint64_t i = 0; i < n; i++)
            dest[i] = src[i];
    }
}

/* Copies any number of bytes, few of them without a call. */
static inline void adi_copy_bytes(char *dest, const char *src, int64_t n)
{
    if (n <= ADI_SHORT_MAX)
        adi_copy_small(dest, src, (uint64_t)n);
    else
        __builtin_memcpy(dest, src, (size_t)n);
}

/* Copies 60 bytes without a call. */
static inline void adi_copy_more(char *dest, const char *src)
{
    char a[16], b[16], c[16], d[16];
    __builtin_memcpy(a, src, 16);
    __builtin_memcpy(b, src + 16, 16);
    __builtin_memcpy(c, src + 32, 16);
    __builtin_memcpy(d, src + 44, 16);
    __builtin_memcpy(dest, a, 16);
    __builtin_memcpy(dest + 16, b, 16);
    __builtin_memcpy(dest + 32, c, 16);
    __builtin_memcpy(dest + 44, d, 16);
}

#endif
