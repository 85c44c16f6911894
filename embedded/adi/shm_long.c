/*
 * The device shm: the sender's side of long messages. See shm.c for the protocols.
 *
 * A long message is WAITING until its receiver has answered, and then in adi_out.pushing. Lock:
 * adi_out.lock, which the caller of adi_put_first_part and adi_push_part holds.
 */
#include "request.h"
#include "rings.h"

/* Returns the largest part of a long message. The ring holds one of half its size wherever it begins. */
static int64_t largest_part(const struct adi_state *st, const struct adi_out *out)
{
    int64_t most = st->config.chunk < st->packet ? st->config.chunk : st->packet, half = (int64_t)out->chunk.size / 2;
    return most < half ? most : half;
}

int64_t adi_put_first_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, struct adi_line *line)
{
    int64_t n = out->throttled ? 0 : adi_first_part(st, &out->distance, s->device.data.len, largest_part(st, out));
    char *data = n > 0 ? adi_ring_reserve(&out->chunk, &out->feedback->chunk, (uint64_t)n) : NULL;
    if (!data)
        return 0;
    adi_copy_block(st, &s->device.data, 0, data, n, s->device.past);
    line->end = out->chunk.at;
    line->offset = (uint32_t)(data - out->chunk.base);
    return n;
}

static int64_t next_part(const struct adi_state *st, const struct adi_out *out, const MPIR_SHANDLE *s)
{
    return adi_next_part(s->device.sent, s->device.wanted, largest_part(st, out));
}

/* Copies the next part of a long message, which has n bytes. Returns its place, or NULL. */
static char *copy_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, int64_t n)
{
    char *data = adi_ring_reserve(&out->chunk, &out->feedback->chunk, (uint64_t)n);
    if (data)
        adi_copy_block(st, &s->device.data, s->device.sent, data, n, s->device.past);
    return data;
}

void adi_shm_prepare(struct adi_state *st, MPIR_SHANDLE *s)
{
    struct adi_out *out = adi_out_of(st, s->device.dest);
    MPID_THREAD_DS_LOCK(out, st->threads);
    uint64_t at = out->chunk.at;
    /* Only a long message has sent something; the lock protects its stage. */
    if (s->device.sent > 0 && s->device.stage == ADI_WAITING && !out->prepared.send && !out->pushing) {
        int64_t n = next_part(st, out, s);
        char *data = copy_part(st, out, s, n);
        if (data) {
            out->prepared.send = s;
            out->prepared.data = data;
            out->prepared.at = out->chunk.at;
            out->prepared.bytes = n;
        }
        out->chunk.at = at;
    }
    MPID_THREAD_DS_UNLOCK(out, st->threads);
}

/* Returns the place of the next part, which has n bytes, with its data, or NULL if there is no room. */
static char *fill_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, int64_t n)
{
    bool prepared = out->prepared.send == s && out->prepared.bytes == n;
    out->prepared.send = NULL;
    if (!prepared)
        return copy_part(st, out, s, n);
    out->chunk.at = out->prepared.at;
    return out->prepared.data;
}

bool adi_push_part(struct adi_state *st, struct adi_out *out)
{
    MPIR_SHANDLE *s = out->pushing;
    int64_t n = next_part(st, out, s);
    if (!adi_line_is_free(st, out))
        return false;
    char *data = fill_part(st, out, s, n);
    if (!data)
        return false;
    struct adi_line *line = adi_next_line(out);
    adi_put_data(line, &out->chunk, data, n);
    line->flags = s->device.past ? ADI_PAST : 0;
    line->receiver = s->device.partner;
    s->device.sent += n;
    adi_put_line(st, out, line, ADI_CHUNK);
    if (s->device.sent == s->device.wanted) {
        out->pushing = s->device.next;
        if (!out->pushing)
            out->pushing_end = &out->pushing;
        adi_complete_send(st, s, MPID_SUCCESS);
    }
    return true;
}

void adi_begin_pushing(struct adi_state *st, struct adi_out *out, const struct adi_line *answer)
{
    MPIR_SHANDLE *s = (MPIR_SHANDLE *)(uintptr_t)answer->sender;
    MPID_THREAD_DS_LOCK(out, st->threads);
    if (s->device.sent == 0)
        adi_note_distance(&out->distance, adi_now() - s->device.asked);
    s->device.partner = answer->receiver;
    s->device.wanted = answer->bytes;
    s->device.stage = ADI_PUSHING;
    if (answer->flags & ADI_DIRECT) {
        adi_send_direct(st, out, s, answer);
        MPID_THREAD_DS_UNLOCK(out, st->threads);
        return;
    }
    adi_end_direct(st, out, s); /* if it was begun so */
    if (adi_is_large(st, s->device.wanted))
        s->device.past = out->distance.large_past = answer->flags & ADI_PAST;
    if (s->device.sent >= s->device.wanted) {
        adi_complete_send(st, s, MPID_SUCCESS);
    } else {
        adi_append_send(&out->pushing_end, s);
        if (out->pushing == s)
            adi_push_part(st, out); /* the receiver waits for it */
        adi_set_busy(st, out);
    }
    MPID_THREAD_DS_UNLOCK(out, st->threads);
}
