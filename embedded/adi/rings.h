/*
 * Lines in the ring of a pair of ranks: written by the sender, read by the receiver.
 *
 * Gives: adi_lap, adi_give_line, adi_own_lines, adi_publish, adi_more_lines,
 * adi_put_line, adi_put_lines, adi_get_lines.
 * Needs: copy.h, shm.h, wake.h.
 */
#ifndef WI4GO_RINGS_H
#define WI4GO_RINGS_H

#include "copy.h"
#include "shm.h"
#include "wake.h"

/* The lap that makes the line of a position valid. */
static inline uint32_t adi_lap(uint64_t position, uint32_t line_bits) { return (uint32_t)(position >> line_bits) + 1; }

/* Stores to a line that carries nothing, so that it leaves the other rank's cache: a line that only
 * one cache has is faster to get than one that both have. */
static inline void adi_give_line(struct adi_line *line) { *(volatile uint8_t *)&line->given = 0; }

/* Takes the lines of the next message, which is likely to be as long as this one, from the
 * receiver's cache while the receiver is busy. Only a store does that: a line that both caches
 * have is not fetched by a prefetch. */
static inline void adi_own_lines(const struct adi_out *out, uint32_t more)
{
    for (uint64_t at = out->at; at <= out->at + more && at < out->limit; at++)
        adi_give_line(&out->lines[at & out->mask]);
}

/* Makes a written line visible with the lines that follow it, and wakes the receiver if it sleeps. */
static inline void adi_publish(struct adi_state *st, struct adi_out *out, struct adi_line *line, uint32_t more)
{
    /* Release: the rest of the line, and the bytes that it announces, come before. */
    atomic_store_explicit(&line->lap, adi_lap(out->at, out->line_bits), memory_order_release);
    bool sleeps = adi_sleeps(st, out->block);
    out->at += 1 + more;
    adi_own_lines(out, more);
    if (adi_unlikely(sleeps))
        adi_wake(out->block);
}

/* Returns the number of lines after the first one of a message of ADI_LINES. */
static inline uint32_t adi_more_lines(uint64_t len) { return (uint32_t)((len - ADI_SHORT_MAX + ADI_MORE - 1) / ADI_MORE); }

/* Stores the kind of the next line, whose other fields are there, and makes it visible. */
static inline void adi_put_line(struct adi_state *st, struct adi_out *out, struct adi_line *line, enum adi_kind kind)
{
    line->kind = (uint8_t)kind;
    if (adi_unlikely(st->debug_flag))
        adi_debug_line(st, "to", out->rank, line);
    adi_publish(st, out, line, kind == ADI_LINES ? adi_more_lines(line->len) : 0);
}

/* Writes the data of a message of ADI_LINES, which has more than 40 bytes, to the next lines. The
 * further lines have their laps too, so that no stale one is ever taken for a header; they are
 * visible when the first line is (adi_publish). */
static inline void adi_put_lines(struct adi_out *out, const char *src, uint64_t len)
{
    struct adi_line *line = &out->lines[out->at & out->mask];
    __builtin_memcpy(line->data, src, ADI_SHORT_MAX);
    src += ADI_SHORT_MAX;
    len -= ADI_SHORT_MAX;
    for (uint64_t at = out->at + 1; len > 0; at++) {
        line = &out->lines[at & out->mask];
        atomic_store_explicit(&line->lap, adi_lap(at, out->line_bits), memory_order_relaxed);
        if (len < ADI_MORE) {
            __builtin_memcpy((char *)line + sizeof line->lap, src, len);
            break;
        }
        adi_copy_more((char *)line + sizeof line->lap, src);
        src += ADI_MORE;
        len -= ADI_MORE;
    }
}

/* Copies the first n bytes of a message of ADI_LINES whose first line is the next one. */
static inline void adi_get_lines(const struct adi_in *in, char *dest, uint64_t n)
{
    uint64_t head = n < ADI_SHORT_MAX ? n : ADI_SHORT_MAX;
    __builtin_memcpy(dest, in->lines[in->at & in->mask].data, head);
    for (uint64_t at = in->at + 1; n > head; at++) {
        const struct adi_line *line = &in->lines[at & in->mask];
        dest += head;
        n -= head;
        head = n < ADI_MORE ? n : ADI_MORE;
        if (head == ADI_MORE)
            adi_copy_more(dest, (const char *)line + sizeof line->lap);
        else
            __builtin_memcpy(dest, (const char *)line + sizeof line->lap, head);
    }
}

#endif
