/*
 * The fast path of short messages, inlined into the functions of the interface: the one path that does not call a device by
 * its table. An indirect call and a request would cost a short message more than its copy.
 *
 * Gives: adi_send_fast.
 * Needs: rings.h, self.h.
 */
#ifndef WI4GO_FAST_H
#define WI4GO_FAST_H

#include "rings.h"
#include "self.h"

/* Writes a short message into the next lines if nothing else has to be examined. Another device than shm leaves
 * adi_out.fast_limit 0. Returns false if the message has to go the usual way. */
static inline __attribute__((always_inline)) bool adi_send_fast(struct adi_state *st, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest, int msgrep, int flags)
{
    if (adi_unlikely((uint64_t)len >= st->fast_short || (unsigned)dest >= (unsigned)st->size || (src_lrank | tag) < 0 || (!buf && len)))
        return false;
    if (adi_unlikely(dest == st->rank))
        return !st->threads && adi_send_own_fast(st, buf, len, src_lrank, tag, context_id, msgrep, flags);
    struct adi_out *out = adi_out_of(st, dest);
    __asm__("" : "+r"(out)); /* or GCC computes the address again for each field */
    uint32_t more = len > st->config.short_max ? adi_more_lines((uint64_t)len) : 0;
    MPID_THREAD_DS_LOCK(out, st->threads);
    if (adi_unlikely(out->at + more >= out->fast_limit)) {
        MPID_THREAD_DS_UNLOCK(out, st->threads);
        return false;
    }
    struct adi_line *line = &out->lines[out->at & out->mask];
    line->tag = tag;
    line->context = context_id;
    line->source = src_lrank;
    line->len = (uint32_t)len;
    line->flags = (uint8_t)flags;
    line->msgrep = (uint8_t)msgrep;
    if (adi_likely(!more)) {
        line->kind = ADI_SHORT;
        adi_copy_small(line->data, buf, (uint64_t)len);
    } else {
        line->kind = ADI_LINES;
        adi_put_lines(out, buf, (uint64_t)len);
    }
    adi_publish(st, out, line, more);
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    return true;
}

#endif
