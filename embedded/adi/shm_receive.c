/*
 * The receiver's side of the device shm: lines that have arrived. See shm.c for the protocols.
 *
 * Locks: the caller of adi_drain holds adi_in.lock. A receive that has been taken out of the
 * queues belongs to the thread that drains its sender.
 */
#include "internal.h"

void adi_publish_feedback(struct adi_state *st, struct adi_in *in)
{
    struct adi_feedback *feedback = in->feedback;
    in->published = in->at;
    in->eager.freed = in->eager.at;
    in->chunk.freed = in->chunk.at;
    /* Release: this rank's reads of the freed lines and bytes are over. */
    atomic_store_explicit(&feedback->eager, in->eager.at, memory_order_release);
    atomic_store_explicit(&feedback->chunk, in->chunk.at, memory_order_release);
    atomic_store_explicit(&feedback->lines, in->at, memory_order_release);
    struct adi_block *sender = st->out[in->rank].block;
    if (adi_sleeps(st, sender))
        adi_wake(sender);
}

/* Stores a message for a later receive. Returns false if memory is lacking. Needs the queues' lock. */
static bool keep(struct adi_state *st, struct adi_in *in, const struct adi_line *line, const char *data)
{
    int64_t bytes = (int64_t)line->len;
    struct adi_entry *entry = adi_new_entry(st, bytes);
    if (!entry)
        return false;
    if (line->kind == ADI_LINES)
        adi_get_lines(in, entry->data, (uint64_t)bytes);
    else if (bytes <= ADI_SHORT_MAX)
        adi_copy_small(entry->data, data, (uint64_t)bytes);
    else
        __builtin_memcpy(entry->data, data, (size_t)bytes);
    entry->context = line->context;
    entry->source = line->source;
    entry->tag = line->tag;
    entry->from = in->rank;
    entry->kind = line->kind;
    entry->flags = line->flags;
    entry->msgrep = line->msgrep;
    entry->sender = line->flags & ADI_SYNC || line->kind == ADI_RTS ? line->sender : 0;
    if (line->kind == ADI_RTS) {
        entry->len = line->bytes;
        entry->address = line->from;
        entry->rims = line->rims;
    }
    st->queues.unexpected += adi_bytes_of_entry(entry);
    if (adi_unlikely(st->queues.unexpected > st->queues.limit) && !in->throttled)
        adi_limit_sender(st, in);
    adi_add_entry(&st->queues, entry);
    return true;
}

/* Prepares to receive a long message whose first part contains a number of bytes. */
static void begin_long(MPIR_RHANDLE *r, int32_t source, int32_t tag, int64_t bytes, int64_t first)
{
    r->device.expected = adi_set_status(r, source, tag, r->device.msgrep, bytes);
    r->device.received = first < r->device.expected ? first : r->device.expected;
    r->device.began = 0;
    r->device.way = 0;
    r->device.answer = ADI_CTS;
}

/* Decides how the rest of a long message is copied, whose first byte is at an address of its sender, in a buffer with
 * these rims. The caller holds adi_in.lock. */
static void begin_rest(struct adi_state *st, struct adi_in *in, MPIR_RHANDLE *r, uint64_t from, struct adi_rims rims)
{
    if (!adi_is_large(st, r->device.expected))
        return;
    struct adi_pace *pace = adi_pace_of(in, r->device.expected);
    if (!adi_is_examined(pace, r->device.expected))
        r->device.began = -1;
    struct adi_rims mine = adi_use_buffer(st, in->buffers, adi_block_of_data(&r->device.data), r->device.expected);
    r->device.way = st->config.direct_min < ADI_LARGE && r->device.expected >= st->config.direct_min ? ADI_MEMORY : pace->next;
    /* This rank reads the sender's memory, and the sender writes this one's: small pages take longer. */
    bool back = rims.before + mine.after > rims.after + mine.before;
    if (r->device.way == ADI_MEMORY && !adi_receive_direct(st, in, r, from, back))
        r->device.way = pace->next_ring;
}

void adi_shm_accept(struct adi_state *st, MPIR_RHANDLE *r, const struct adi_entry *entry)
{
    begin_long(r, entry->source, entry->tag, entry->len, entry->stored);
    if ((entry->flags & ADI_READY) && st->config.check)
        r->s.MPI_ERROR = MPIR_ERR_NOT_READY;
    /* Before the answer: then another thread may receive the next part. */
    adi_copy_in(&r->device.data, 0, entry->data, r->device.received);
    struct adi_in *in = &st->in[r->device.from];
    MPID_THREAD_DS_LOCK(in, st->threads); /* until the answer is there: another thread may copy the rest meanwhile */
    if (r->device.received < r->device.expected)
        begin_rest(st, in, r, entry->address, entry->rims);
    adi_answer(st, in->rank, r);
    MPID_THREAD_DS_UNLOCK(in, st->threads);
}

/* Decides how a part is copied. The lines of a long ring have left this core's own caches before they are written again,
 * so they need not be given back. */
static enum adi_copy usual_copy(const struct adi_in *in, const struct adi_line *line)
{
    enum { LONG_RING = 1 << 20 };
    return line->flags & ADI_PAST || in->chunk.size >= LONG_RING ? ADI_COPY_PLAIN : ADI_COPY_GIVE;
}

/* Receives the first part of a long message. The caller holds adi_in.lock, so that no other part
 * arrives in between. */
static void arrive_long(struct adi_state *st, MPIR_RHANDLE *r, const struct adi_line *line, char *data)
{
    r->device.partner = line->sender;
    begin_long(r, line->source, line->tag, line->bytes, (int64_t)line->len);
    int64_t first = r->device.received;
    bool is_all = first == r->device.expected;
    if (!is_all) {
        begin_rest(st, &st->in[r->device.from], r, line->from, line->rims);
        adi_answer(st, r->device.from, r); /* so that the sender continues meanwhile */
    }
    adi_copy_in_ring(&r->device.data, 0, data, first, usual_copy(&st->in[r->device.from], line));
    if (is_all)
        adi_answer(st, r->device.from, r);
}

/* Copies the data of a message of ADI_LINES to a receive. */
static void copy_lines(struct adi_in *in, const struct adi_data *to, int64_t n)
{
    char data[ADI_LINES_MAX];
    if (!to->type) {
        adi_get_lines(in, to->buf, (uint64_t)n);
        return;
    }
    adi_get_lines(in, data, (uint64_t)n);
    adi_copy_in(to, 0, data, n);
}

/* Handles a message. Returns false if it must stay in its ring because memory is lacking. */
static bool arrive(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    struct adi_queues *q = &st->queues;
    const char *data = line->kind == ADI_EAGER ? in->eager.base + line->offset
                       : line->kind == ADI_RTS ? in->chunk.base + (line->len ? line->offset : 0)
                       : line->flags & ADI_SYNC ? line->sync_data : line->data;
    MPID_THREAD_DS_LOCK(q, st->threads);
    MPIR_RHANDLE *r = q->posted ? adi_find_posted(q, line->context, line->source, line->tag) : NULL;
    if (!r) {
        bool kept = keep(st, in, line, data);
        MPID_THREAD_DS_UNLOCK(q, st->threads);
        if (kept)
            adi_event(st);
        return kept;
    }
    adi_unpost(q, r);
    r->device.stage = ADI_ARRIVING;
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    r->device.from = in->rank;
    r->device.msgrep = line->msgrep;
    if (line->kind == ADI_RTS) {
        arrive_long(st, r, line, (char *)(uintptr_t)data);
        return true;
    }
    int64_t fits = adi_set_status(r, line->source, line->tag, line->msgrep, (int64_t)line->len);
    if (line->kind == ADI_LINES)
        copy_lines(in, &r->device.data, fits);
    else if (line->kind == ADI_SHORT && !r->device.data.type)
        adi_copy_small(r->device.data.buf, data, (uint64_t)fits);
    else
        adi_copy_in_ring(&r->device.data, 0, (char *)(uintptr_t)data, fits, ADI_COPY_PLAIN);
    if (adi_unlikely(line->flags & ADI_SYNC)) {
        r->device.partner = line->sender;
        r->device.answer = ADI_ACK;
        adi_answer(st, in->rank, r);
    } else {
        adi_complete_receive(st, r);
    }
    return true;
}

static void arrive_chunk(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    MPIR_RHANDLE *r = (MPIR_RHANDLE *)(uintptr_t)line->receiver;
    bool large = adi_is_large(st, r->device.expected);
    if (large && r->device.began == 0)
        r->device.began = adi_now();
    enum adi_copy how = r->device.way & ADI_RECEIVER_PAST ? ADI_COPY_PAST : usual_copy(in, line);
    adi_copy_in_ring(&r->device.data, r->device.received, in->chunk.base + line->offset, line->bytes, how);
    r->device.received += line->bytes;
    in->chunk.at = line->end;
    if (r->device.received == r->device.expected) {
        if (large)
            adi_note_pace(st, in, r);
        adi_complete_receive(st, r);
    }
}

/* Handles a valid line. Returns false if it must stay. */
static bool handle(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    if (adi_unlikely(st->debug_flag))
        adi_debug(st, "from", in->rank, line);
    switch (line->kind) {
    case ADI_SHORT:
    case ADI_LINES:
        return arrive(st, in, line);
    case ADI_EAGER:
        if (!arrive(st, in, line))
            return false;
        in->eager.at = line->end;
        return true;
    case ADI_RTS:
        if (!arrive(st, in, line))
            return false;
        if (line->len)
            in->chunk.at = line->end;
        return true;
    case ADI_CTS:
        adi_begin_pushing(st, &st->out[in->rank], line);
        return true;
    case ADI_ACK:
        adi_complete_send(st, (MPIR_SHANDLE *)(uintptr_t)line->sender, MPID_SUCCESS);
        return true;
    case ADI_CHUNK:
        arrive_chunk(st, in, line);
        return true;
    case ADI_WRITTEN:
        adi_handle_written(st, in, line);
        return true;
    case ADI_READ:
        adi_handle_read(st, &st->out[in->rank], (MPIR_SHANDLE *)(uintptr_t)line->sender);
        return true;
    }
    return true;
}

bool adi_drain(struct adi_state *st, struct adi_in *in)
{
    bool any = false;
    for (uint32_t n = 0; n <= in->mask; n++) {
        struct adi_line *line = &in->lines[in->at & in->mask];
        /* Acquire: the rest of the line, and the bytes that it announces, were written before. */
        if (atomic_load_explicit(&line->lap, memory_order_acquire) != adi_lap(in->at, in->line_bits))
            break;
        bool part = line->kind == ADI_CHUNK || line->kind == ADI_RTS;
        if (!handle(st, in, line)) {
            atomic_store_explicit(&st->stalled, true, memory_order_relaxed);
            break;
        }
        any = true;
        uint64_t next = in->at + (line->kind == ADI_LINES ? 1 + adi_more_lines(line->len) : 1);
        atomic_store_explicit(&in->at, next, memory_order_relaxed); /* a hint to other threads */
        adi_give_line(line);
        if (part || adi_unlikely(in->at - in->published > in->mask / 4) || in->eager.at - in->eager.freed > in->eager.size / 4)
            adi_publish_feedback(st, in);
    }
    return any;
}
