/*
 * The device shm: the sender's side. See shm.c for the protocols. State: adi_out. Lock: adi_out.lock.
 */
#include "data.h"
#include "request.h"
#include "rings.h"

/* Reads the receiver's flag. Only the receiver sets it, when its memory for unexpected messages is used up. */
static void look_at_throttle(struct adi_out *out)
{
    if (out->throttled && !atomic_load_explicit(&out->feedback->throttle, memory_order_relaxed)) {
        out->throttled = false;
        adi_set_fast_limit(out);
    }
}

/* Returns the largest eager message. At most three eighths of the ring: a message may need twice its
 * length, because it is not split at the ring's end, and the receiver may keep up to a quarter of
 * the ring to itself before it publishes what it has freed. */
static int64_t largest_eager(const struct adi_state *st, const struct adi_out *out)
{
    int64_t largest = st->config.eager_max < st->packet ? st->config.eager_max : st->packet, ring = (int64_t)out->eager.size / 8 * 3;
    return largest < ring ? largest : ring;
}

/* Takes the eager bytes of the next message, as adi_own_lines takes its lines. */
static void own_next_bytes(const struct adi_out *out, int64_t len)
{
    enum { MOST = 4096 };
    uint64_t place = out->eager.at & (out->eager.size - 1);
    if (len > MOST)
        len = MOST;
    if (place + (uint64_t)len > out->eager.size || out->eager.at + (uint64_t)len - out->eager.freed > out->eager.size)
        return; /* not known to be free */
    for (volatile char *next = out->eager.base + place, *end = next + len; next < end; next += ADI_LINE)
        *next = 0;
}

enum placed { NO_ROOM, PLACED, NEEDS_MATCH };

/* Writes the first line of a message. now: only if the send is complete with it; else writes nothing and returns
 * NEEDS_MATCH. This is the one place that decides whether a standard send waits for its receive. */
static enum placed place(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s, bool now)
{
    if (!out->known)
        adi_knock(st, out);
    if (!adi_line_is_free(st, out))
        return NO_ROOM;
    look_at_throttle(out);
    int64_t len = s->device.data.len;
    bool sync = s->device.mode == ADI_SYNCHRONOUS || out->throttled;
    struct adi_line *line = adi_next_line(out);
    enum adi_kind kind = ADI_RTS;
    if (now && sync)
        return NEEDS_MATCH;
    if (len <= st->config.short_max && len <= ADI_SHORT_MAX - 8 * sync) {
        kind = ADI_SHORT;
        adi_copy_out(&s->device.data, 0, sync ? line->sync_data : line->data, len);
    } else if (len <= adi_shm_of(st)->lines_max && !sync) {
        char data[ADI_LINES_MAX];
        const struct adi_data *from = &s->device.data;
        kind = ADI_LINES;
        if (!adi_lines_are_free(st, out, 1 + adi_more_lines((uint64_t)len)))
            return NO_ROOM;
        if (from->type)
            adi_copy_out(from, 0, data, len);
        adi_put_lines(out, from->type ? data : from->buf, (uint64_t)len);
    } else if (len <= largest_eager(st, out) && !out->throttled) {
        kind = ADI_EAGER;
        char *data = adi_ring_reserve(&out->eager, &out->feedback->eager, (uint64_t)len);
        if (!data)
            return NO_ROOM;
        adi_copy_block(st, &s->device.data, 0, data, len, out->distance.past);
        adi_put_data(line, &out->eager, data, len);
    } else {
        if (now)
            return NEEDS_MATCH;
        line->bytes = len;
        char *block = adi_block_of_data(&s->device.data);
        line->from = (uint64_t)(uintptr_t)block;
        line->rims = adi_use_buffer(st, out->buffers, block, len);
        s->device.past = adi_choose_past(st, &out->distance, len);
        s->device.sent = adi_put_first_part(st, out, s, line);
        s->device.wanted = len; /* less if the receiver takes less */
        out->prepared.send = NULL;
        if (s->device.sent == 0) /* see adi_note_distance */
            s->device.asked = adi_now();
    }
    if (sync || kind == ADI_RTS) {
        line->sender = (uint64_t)(uintptr_t)s;
        s->device.stage = ADI_WAITING; /* before the line, whose answer may be handled by another thread */
    }
    line->tag = s->device.tag;
    line->context = s->device.context;
    line->source = s->device.source;
    line->len = (uint32_t)(kind == ADI_RTS ? s->device.sent : len);
    bool past = kind == ADI_RTS && s->device.past;
    line->flags = (uint8_t)((sync ? ADI_SYNC : 0) | (s->device.mode == ADI_READY_MODE ? ADI_READY : 0) | (past ? ADI_PAST : 0));
    line->msgrep = s->device.msgrep;
    adi_put_line(st, out, line, kind);
    if (kind == ADI_EAGER && !out->distance.past)
        own_next_bytes(out, len);
    return sync || kind == ADI_RTS ? NEEDS_MATCH : PLACED;
}

/* A message must not overtake pending ones, so it joins their list even if there is room. */
void adi_shm_send(struct adi_state *st, MPIR_SHANDLE *s)
{
    struct adi_out *out = adi_out_of(st, s->device.dest);
    MPID_THREAD_DS_LOCK(out, st->threads);
    enum placed placed = out->pending ? NO_ROOM : place(st, out, s, false);
    if (placed == NO_ROOM) {
        s->device.stage = ADI_PENDING;
        adi_append_send(&out->pending_end, s);
        adi_set_fast_limit(out);
        adi_set_busy(st, out);
    }
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    if (placed == PLACED)
        adi_complete_send(st, s, MPID_SUCCESS);
}

int adi_shm_send_now(struct adi_state *st, MPIR_SHANDLE *s)
{
    struct adi_out *out = adi_out_of(st, s->device.dest);
    MPID_THREAD_DS_LOCK(out, st->threads);
    enum placed placed = out->pending ? NO_ROOM : place(st, out, s, true);
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    if (placed != PLACED)
        return MPIR_ERR_MAY_BLOCK;
    adi_complete_send(st, s, MPID_SUCCESS);
    return MPID_SUCCESS;
}

/* Cancels a send that still waits for room, of which the receiver has seen nothing. */
bool adi_shm_withdraw(struct adi_state *st, MPIR_SHANDLE *s)
{
    struct adi_out *out = adi_out_of(st, s->device.dest);
    bool found = false;
    MPID_THREAD_DS_LOCK(out, st->threads);
    for (MPIR_SHANDLE **at = &out->pending; *at; at = &(*at)->device.next)
        if (*at == s) {
            *at = s->device.next;
            if (!*at)
                out->pending_end = at;
            found = true;
            break;
        }
    adi_set_busy(st, out);
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    return found;
}

/* ---- the sender's side: lists ---- */

bool adi_push(struct adi_state *st, struct adi_out *out)
{
    enum { PARTS = 4 };
    bool any = false;
    while (out->answers && adi_line_is_free(st, out)) {
        MPIR_RHANDLE *r = out->answers;
        out->answers = r->device.next;
        if (!out->answers)
            out->answers_end = &out->answers;
        if (adi_place_answer(st, out, r))
            adi_complete_receive(st, r);
        any = true;
    }
    if (out->direct.request)
        any |= adi_write_piece(st, out);
    /* A few parts for each poll, so that this rank receives in between. */
    for (int i = 0; i < PARTS && out->pushing && adi_push_part(st, out); i++)
        any = true;
    while (out->pending) {
        MPIR_SHANDLE *s = out->pending, *next = s->device.next;
        enum placed placed = place(st, out, s, false);
        if (placed == NO_ROOM)
            break;
        out->pending = next;
        if (!next)
            out->pending_end = &out->pending;
        adi_set_fast_limit(out);
        if (placed == PLACED)
            adi_complete_send(st, s, MPID_SUCCESS);
        any = true;
    }
    adi_set_busy(st, out);
    return any;
}
