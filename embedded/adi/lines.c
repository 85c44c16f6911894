/*
 * The sender's side of a connection: its lines, its bytes, its lists, and the answers that a receiver sends. See shm.c for the
 * protocols. Lock: adi_out.lock.
 */
#include "data.h"
#include "request.h"
#include "rings.h"

/* ---- room ---- */

void adi_set_fast_limit(struct adi_out *out)
{
    out->fast_limit = out->known && !out->throttled && !out->pending ? out->limit : 0;
}

bool adi_look_for_lines(struct adi_state *st, struct adi_out *out, uint32_t lines)
{
    /* Acquire: the receiver's reads of the freed lines are over. */
    out->limit = atomic_load_explicit(&out->feedback->lines, memory_order_acquire) + out->mask + 1;
    out->throttled = atomic_load_explicit(&out->feedback->throttle, memory_order_relaxed);
    adi_set_fast_limit(out);
    return out->at + lines <= out->limit;
}

void adi_knock(struct adi_state *st, struct adi_out *out)
{
    atomic_fetch_or_explicit(&out->block->knockers[st->rank / 64], 1ull << st->rank % 64, memory_order_seq_cst);
    atomic_fetch_add_explicit(&out->block->knocks, 1, memory_order_seq_cst);
    out->known = true;
    adi_set_fast_limit(out);
}

char *adi_ring_reserve(struct adi_bytes *ring, atomic_ullong *position, uint64_t n)
{
    uint64_t need = (n + ADI_LINE - 1) / ADI_LINE * ADI_LINE, place = ring->at & (ring->size - 1);
    uint64_t at = place + need > ring->size ? ring->at + ring->size - place : ring->at;
    if (at + need - ring->freed > ring->size) {
        /* Acquire: the receiver's reads of the freed bytes are over. */
        ring->freed = atomic_load_explicit(position, memory_order_acquire);
        if (at + need - ring->freed > ring->size)
            return NULL;
    }
    ring->at = at + need;
    return ring->base + (at & (ring->size - 1));
}

/* ---- data and lists ---- */

void adi_copy_block(struct adi_state *st, const struct adi_data *data, int64_t at, char *dest, int64_t n, bool past)
{
    adi_copy_out_ring(data, at, dest, n, past && adi_may_go_past(st, n));
}

void adi_append_send(MPIR_SHANDLE ***end, MPIR_SHANDLE *s)
{
    s->device.next = NULL;
    **end = s;
    *end = &s->device.next;
}

void adi_set_busy(struct adi_state *st, struct adi_out *out)
{
    bool busy = out->pending || out->pushing || out->answers || out->direct.request;
    if (busy != out->busy) {
        out->busy = busy;
        atomic_fetch_add_explicit(&adi_shm_of(st)->busy, busy ? 1 : -1, memory_order_relaxed);
    }
}

/* ---- answers ---- */

bool adi_place_answer(struct adi_state *st, struct adi_out *out, MPIR_RHANDLE *r)
{
    struct adi_line *line = adi_next_line(out);
    bool is_last = r->device.answer != ADI_CTS || r->device.received == r->device.expected;
    line->sender = r->device.partner;
    line->bytes = r->device.expected;
    line->receiver = (uint64_t)(uintptr_t)r;
    line->flags = 0;
    if (r->device.answer == ADI_CTS && r->device.way == ADI_MEMORY) {
        const struct adi_direct *direct = &adi_in_of(st, out->rank)->direct;
        line->flags = (uint8_t)(ADI_DIRECT | (direct->back ? ADI_BACK : 0));
        line->into = (uint64_t)(uintptr_t)direct->mine;
        line->len = direct->number;
    } else if (r->device.answer == ADI_CTS && r->device.way & ADI_SENDER_PAST) {
        line->flags = ADI_PAST;
    }
    adi_put_line(st, out, line, r->device.answer);
    return is_last;
}

void adi_shm_answer(struct adi_state *st, MPIR_RHANDLE *r)
{
    struct adi_out *out = adi_out_of(st, r->device.from);
    bool ended = false;
    MPID_THREAD_DS_LOCK(out, st->threads);
    if (!out->known)
        adi_knock(st, out);
    if (!out->answers && adi_line_is_free(st, out)) {
        ended = adi_place_answer(st, out, r);
    } else {
        r->device.next = NULL;
        *out->answers_end = r;
        out->answers_end = &r->device.next;
        adi_set_busy(st, out);
    }
    MPID_THREAD_DS_UNLOCK(out, st->threads);
    if (ended)
        adi_complete_receive(st, r);
}

/* ---- debugging ---- */

void adi_debug_line(struct adi_state *st, const char *what, int rank, const struct adi_line *line)
{
    static const char *const kinds[] = {"nothing", "short", "eager", "request to send", "clear to send", "acknowledgement", "chunk", "lines", "written", "read"};
    const char *kind = line->kind < sizeof kinds / sizeof *kinds ? kinds[line->kind] : "unknown";
    FILE *file = st->debug ? st->debug : stderr;
    bool message = line->kind <= ADI_RTS || line->kind == ADI_LINES;
    fprintf(file, "rank %d: %s %s rank %d: context %d source %d tag %d bytes %lld flags %d\n", st->rank, kind, what, rank,
            message ? line->context : -1, message ? line->source : -1, message ? line->tag : -1,
            (long long)(line->kind == ADI_SHORT || line->kind == ADI_LINES || line->kind == ADI_EAGER ? line->len : line->kind == ADI_ACK ? 0 : line->bytes), message || line->kind == ADI_CTS ? line->flags : 0);
}
