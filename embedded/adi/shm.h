/*
 * Shared by the files of the sender's side of the device shm. All functions need adi_out.lock,
 * except adi_shm_prepare.
 *
 * Gives: adi_lines_are_free, adi_line_is_free, adi_next_line, adi_put_line, adi_put_data,
 * adi_ring_reserve, adi_copy_block, adi_append_send, adi_set_busy, adi_put_first_part,
 * adi_push_part, adi_shm_prepare.
 * Needs: internal.h.
 */
#ifndef WI4GO_SHM_H
#define WI4GO_SHM_H

#include "internal.h"

/* ---- lines.c ---- */

/* Reads how many lines the receiver has freed. Returns whether the next lines are free. */
bool adi_look_for_lines(struct adi_state *st, struct adi_out *out, uint32_t lines);
/* Reports whether the next lines are free. */
static inline bool adi_lines_are_free(struct adi_state *st, struct adi_out *out, uint32_t lines)
{
    return adi_likely(out->at + lines <= out->limit) || adi_look_for_lines(st, out, lines);
}
static inline bool adi_line_is_free(struct adi_state *st, struct adi_out *out) { return adi_lines_are_free(st, out, 1); }
static inline struct adi_line *adi_next_line(struct adi_out *out) { return &out->lines[out->at & out->mask]; }
/* Stores the kind of the next line, whose other fields are there, and makes it visible. */
static inline void adi_put_line(struct adi_state *st, struct adi_out *out, struct adi_line *line, enum adi_kind kind)
{
    line->kind = (uint8_t)kind;
    if (adi_unlikely(st->debug_flag))
        adi_debug(st, "to", out->rank, line);
    adi_publish(st, out, line, kind == ADI_LINES ? adi_more_lines(line->len) : 0);
}
/* Stores the place of data in a line. */
static inline void adi_put_data(struct adi_line *line, const struct adi_bytes *ring, const char *data, int64_t n)
{
    line->bytes = n;
    line->end = ring->at;
    line->offset = (uint32_t)(data - ring->base);
}
/* Returns n free bytes in one block, or NULL. n is at most half of the ring. */
char *adi_ring_reserve(struct adi_bytes *ring, atomic_ullong *position, uint64_t n);
/* Copies a block to a ring, past the caches if `past` is true and it is long enough for that. */
void adi_copy_block(struct adi_state *st, const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past);
void adi_append_send(MPIR_SHANDLE ***end, MPIR_SHANDLE *s);
/* Marks a connection whose lists must be examined by adi_poll. */
void adi_set_busy(struct adi_state *st, struct adi_out *out);
/* Makes the receiver poll this rank's lines. Sequentially consistent: a rank that sees the count
 * sees the bit. */
void adi_knock(struct adi_state *st, struct adi_out *out);
/* Writes a receive's answer. Returns whether the receive then is complete. */
bool adi_place_answer(struct adi_state *st, struct adi_out *out, MPIR_RHANDLE *r);

/* ---- shm_long.c ---- */

/* Copies the first part of a long message, at most half of it, so that both ranks copy at a time.
 * Returns its length; 0 if this message may only send its header. */
int64_t adi_put_first_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, struct adi_line *line);
/* Writes the next part of the first message in adi_out.pushing. Returns false if there is no room. */
bool adi_push_part(struct adi_state *st, struct adi_out *out);
/* The device's prepare. Takes the lock. It copies the part that follows the first one while the
 * receiver looks for a receive. The part takes no place in the ring before it is announced, so that
 * another message may be announced first, which then overwrites it. */
void adi_shm_prepare(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s);

#endif
