/*
 * Copies into and out of the byte rings. memcpy is not made for memory that the other rank has
 * just read or written: on x86-64 the C library copies long blocks with one instruction, which
 * waits for one line of the other core after the other. No state, no locks.
 *
 * Gives: adi_copy_to_ring, adi_copy_from_ring.
 * Needs: nothing.
 */
#ifndef WI4GO_COPY_H
#define WI4GO_COPY_H

#include <stdint.h>

/* Copies n bytes to a ring, whose place begins on a line. stream: past the caches, so that the lines
 * need not be fetched from the receiver's cache; the bytes are visible before any later store. */
void adi_copy_to_ring(char *dest, const char *src, int64_t n, int stream);

/* Copies n bytes from a ring, whose place begins on a line. give: then stores to each line, so that
 * it leaves the sender's cache; the sender gets a line that only one cache has faster than one
 * that both have. */
void adi_copy_from_ring(char *dest, char *src, int64_t n, int give);

#endif
