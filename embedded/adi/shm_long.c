/*
 * The device shm: the sender's side of long messages. See shm.c for the protocols.
 *
 * A long message is WAITING until its receiver has answered, and then in adi_out.pushing. Lock:
 * adi_out.lock, which the caller of adi_put_first_part and adi_push_part holds.
 */
#include "shm.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Returns the largest part of a long message. The ring holds one of half its size wherever it begins. */
static int64_t largest_part(const struct adi_state *st, const struct adi_out *out)
{
    return least(least(st->config.chunk, st->packet), (int64_t)out->chunk.size / 2);
}

int64_t adi_put_first_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, struct adi_line *line)
{
    enum { MEASURED = 16 }; /* one message of so many goes without a first part: see note_distance */
    int64_t n = least(least(st->config.first_max, largest_part(st, out)), s->device.data.len / 2);
    bool only_header = out->throttled || out->long_messages++ % MEASURED == 0 || n <= 0;
    char *data = only_header ? NULL : adi_ring_reserve(&out->chunk, &out->feedback->chunk, (uint64_t)n);
    if (!data)
        return 0;
    adi_copy_block(st, &s->device.data, 0, data, n, s->device.past);
    line->end = out->chunk.at;
    line->offset = (uint32_t)(data - out->chunk.base);
    return n;
}

enum { FIRST_CHUNK = 2048, SMALLEST_CHUNK = 4096 };

/* Returns the length of the next part of a long message: a short one first, so that the receiver
 * begins early, then a quarter of the message. */
static int64_t next_chunk(const struct adi_state *st, const struct adi_out *out, const MPIR_SHANDLE *s)
{
    int64_t left = s->device.wanted - s->device.sent, quarter = s->device.wanted / 4;
    int64_t n = s->device.sent == 0 ? FIRST_CHUNK : quarter > SMALLEST_CHUNK ? quarter : SMALLEST_CHUNK;
    return least(n, least(left, largest_part(st, out)));
}

/* Copies the next part of a long message, which has n bytes. Returns its place, or NULL. */
static char *copy_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, int64_t n)
{
    char *data = adi_ring_reserve(&out->chunk, &out->feedback->chunk, (uint64_t)n);
    if (data)
        adi_copy_block(st, &s->device.data, s->device.sent, data, n, s->device.past);
    return data;
}

void adi_shm_prepare(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s)
{
    MPID_THREAD_DS_LOCK(out, st->threads);
    uint64_t at = out->chunk.at;
    /* Only a long message has sent something; the lock protects its stage. */
    if (s->device.sent > 0 && s->device.stage == ADI_WAITING && !out->prepared.send && !out->pushing) {
        int64_t n = next_chunk(st, out, s);
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
static char *next_part(struct adi_state *st, struct adi_out *out, const MPIR_SHANDLE *s, int64_t n)
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
    int64_t n = next_chunk(st, out, s);
    if (!adi_line_is_free(st, out))
        return false;
    char *data = next_part(st, out, s, n);
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

/* Decides how blocks are copied, by the time from a header without data to its answer. (choose_way decides for large messages.) Through the
 * caches is faster if the two cores share one, else past them; which is the case may change while the
 * job runs, because a virtual machine moves its cores. Only headers without data count, because a
 * copy on the same core delays the line. The quickest of the last answers decides. */
static void note_distance(struct adi_out *out, int64_t ns)
{
    enum { FAR_NS = 300, ANSWERS = 4 };
    if (ns < out->quickest)
        out->quickest = ns;
    if (++out->answered >= ANSWERS) {
        out->quickest_before = out->quickest;
        out->quickest = ns;
        out->answered = 0;
    }
    out->past = out->quickest > FAR_NS && out->quickest_before > FAR_NS;
}

void adi_begin_pushing(struct adi_state *st, struct adi_out *out, const struct adi_line *answer)
{
    MPIR_SHANDLE *s = (MPIR_SHANDLE *)(uintptr_t)answer->sender;
    MPID_THREAD_DS_LOCK(out, st->threads);
    if (s->device.sent == 0)
        note_distance(out, adi_now() - s->device.asked);
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
        s->device.past = out->large_past = answer->flags & ADI_PAST;
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
