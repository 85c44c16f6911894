/*
 * The receiver's side of the device shm: lines that have arrived. See shm.c for the protocols.
 *
 * Locks: the caller of adi_drain holds adi_in.lock. A receive that has been taken out of the
 * queues belongs to the thread that drains its sender.
 */
#include "deliver.h"
#include "rings.h"

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
    struct adi_block *sender = adi_out_of(st, in->rank)->block;
    if (adi_sleeps(st, sender))
        adi_wake(sender);
}

/* ---- long messages ---- */

/* Words of adi_message.of_device. */
enum { ADDRESS, /* of the message's first byte in the sender's memory, see adi_line.from */
       RIMS };  /* of the sender's buffer */

static uint64_t pack_rims(struct adi_rims rims) { return (uint64_t)rims.before << 8 | rims.after; }
static struct adi_rims unpack_rims(uint64_t word) { return (struct adi_rims){(uint8_t)(word >> 8), (uint8_t)word}; }

/* Begins to receive the rest of a long message, after its first part. */
static void begin_rest(struct adi_state *st, struct adi_in *in, MPIR_RHANDLE *r, const struct adi_message *m)
{
    int64_t bytes = r->device.expected;
    if (!adi_is_large(st, bytes))
        return;
    struct adi_rims mine = adi_use_buffer(st, in->buffers, adi_block_of_data(&r->device.data), bytes);
    struct adi_choice choice = adi_choose_rest(st, in->pace, bytes, mine, unpack_rims(m->of_device[RIMS]));
    r->device.began = choice.timed ? 0 : -1;
    r->device.way = choice.way;
    if (choice.way == ADI_MEMORY && !adi_receive_direct(st, in, r, m->of_device[ADDRESS], choice.back))
        r->device.way = choice.in_ring;
}

/* Copies the first part of a long message. The data of one that is late is in this rank's memory. */
static void copy_first_part(const struct adi_in *in, MPIR_RHANDLE *r, const struct adi_message *m)
{
    if (m->late)
        adi_copy_in(&r->device.data, 0, m->data, r->device.received);
    else
        adi_copy_in_ring(&r->device.data, 0, m->data, r->device.received, adi_choose_copy(0, m->flags & ADI_PAST, in->chunk.size));
}

/* The device's accept: begins to receive a long message, and answers. If the rest comes from a line, the answer precedes the
 * copy of the first part, so that the sender continues meanwhile: the caller holds adi_in.lock then, so that no other part
 * arrives in between. If the message is late, another thread may receive the next part after the answer. */
void adi_shm_accept(struct adi_state *st, MPIR_RHANDLE *r, const struct adi_message *m)
{
    struct adi_in *in = adi_in_of(st, m->from);
    r->device.expected = adi_accept_envelope(st, r, m);
    r->device.received = m->stored < r->device.expected ? m->stored : r->device.expected;
    r->device.partner = m->sender;
    r->device.began = 0;
    r->device.way = 0;
    r->device.answer = ADI_CTS;
    bool is_all = r->device.received == r->device.expected, copies_first = m->late || is_all;
    if (copies_first)
        copy_first_part(in, r, m);
    if (m->late)
        MPID_THREAD_DS_LOCK(in, st->threads); /* until the answer is there: another thread may copy the rest meanwhile */
    if (!is_all)
        begin_rest(st, in, r, m);
    adi_shm_answer(st, r);
    if (m->late)
        MPID_THREAD_DS_UNLOCK(in, st->threads);
    if (!copies_first)
        copy_first_part(in, r, m);
}

static void arrive_chunk(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    MPIR_RHANDLE *r = (MPIR_RHANDLE *)(uintptr_t)line->receiver;
    adi_note_part(st, r);
    enum adi_copy how = adi_choose_copy(r->device.way, line->flags & ADI_PAST, in->chunk.size);
    adi_copy_in_ring(&r->device.data, r->device.received, in->chunk.base + line->offset, line->bytes, how);
    r->device.received += line->bytes;
    in->chunk.at = line->end;
    if (r->device.received == r->device.expected) {
        adi_note_pace(st, in->pace, r);
        adi_complete_receive(st, r);
    }
}

/* ---- messages ---- */

/* Returns the message of a line of a kind. */
static inline struct adi_message message_of(const struct adi_in *in, const struct adi_line *line, enum adi_kind kind)
{
    struct adi_message m = {.context = line->context, .source = line->source, .tag = line->tag, .from = in->rank, .len = line->len, .stored = line->len,
                            .flags = line->flags, .msgrep = line->msgrep, .whole = kind != ADI_RTS};
    m.data = kind == ADI_EAGER ? in->eager.base + line->offset
             : kind == ADI_RTS ? in->chunk.base + (line->len ? line->offset : 0)
             : (char *)(uintptr_t)(line->flags & ADI_SYNC ? line->sync_data : line->data);
    if (line->flags & ADI_SYNC || !m.whole)
        m.sender = line->sender;
    if (!m.whole) {
        m.len = line->bytes;
        m.of_device[ADDRESS] = line->from;
        m.of_device[RIMS] = pack_rims(line->rims);
    }
    return m;
}

/* Stores a message for a later receive. Returns false if memory is lacking. Needs the queues' lock. */
static inline __attribute__((always_inline)) bool keep(struct adi_state *st, struct adi_in *in, const struct adi_line *line, enum adi_kind kind)
{
    struct adi_entry *entry = adi_new_entry(st, line->len);
    if (!entry)
        return false;
    const struct adi_message m = message_of(in, line, kind);
    if (kind == ADI_LINES)
        adi_get_lines(in, entry->message.data, (uint64_t)m.stored);
    else if (m.stored <= ADI_SHORT_MAX)
        adi_copy_small(entry->message.data, m.data, (uint64_t)m.stored);
    else
        __builtin_memcpy(entry->message.data, m.data, (size_t)m.stored);
    adi_keep(st, entry, &m);
    if (adi_unlikely(st->queues.unexpected > st->queues.limit))
        adi_limit_sender(st, in->rank);
    return true;
}

/* Where a message arrives from. */
struct source {
    const struct adi_in *in;
    enum adi_kind kind;
};

/* Copies the data of a message of ADI_LINES to a receive. */
static void copy_lines(const struct adi_in *in, const struct adi_data *to, int64_t n)
{
    char data[ADI_LINES_MAX];
    if (!to->type) {
        adi_get_lines(in, to->buf, (uint64_t)n);
        return;
    }
    adi_get_lines(in, data, (uint64_t)n);
    adi_copy_in(to, 0, data, n);
}

/* The copy of adi_deliver. */
static inline void copy_arrived(const struct adi_data *to, const struct adi_message *m, int64_t n, const void *argument)
{
    const struct source *from = argument;
    if (from->kind == ADI_LINES)
        copy_lines(from->in, to, n);
    else if (from->kind == ADI_SHORT && !to->type)
        adi_copy_small(to->buf, m->data, (uint64_t)n);
    else
        adi_copy_in_ring(to, 0, m->data, n, ADI_COPY_PLAIN);
}

/* Handles a message. Returns false if it must stay in its ring because memory is lacking. Compiled for each kind of
 * message, because each has few of the cases. */
static inline __attribute__((always_inline)) bool arrive(struct adi_state *st, struct adi_in *in, const struct adi_line *line, enum adi_kind kind)
{
    struct adi_queues *q = &st->queues;
    MPID_THREAD_DS_LOCK(q, st->threads);
    MPIR_RHANDLE *r = adi_take_posted(q, line->context, line->source, line->tag);
    bool kept = !r && keep(st, in, line, kind);
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (r) {
        const struct adi_message m = message_of(in, line, kind);
        const struct source from = {in, kind};
        adi_deliver(st, r, &m, copy_arrived, &from);
        return true;
    }
    if (kept)
        adi_event(st);
    return kept;
}

static bool arrive_short(struct adi_state *st, struct adi_in *in, const struct adi_line *line) { return arrive(st, in, line, ADI_SHORT); }

static bool arrive_lines(struct adi_state *st, struct adi_in *in, const struct adi_line *line) { return arrive(st, in, line, ADI_LINES); }

static bool arrive_eager(struct adi_state *st, struct adi_in *in, const struct adi_line *line) { return arrive(st, in, line, ADI_EAGER); }

static bool arrive_long(struct adi_state *st, struct adi_in *in, const struct adi_line *line) { return arrive(st, in, line, ADI_RTS); }

/* Handles a valid line. Returns false if it must stay. */
static bool handle(struct adi_state *st, struct adi_in *in, const struct adi_line *line)
{
    if (adi_unlikely(st->debug_flag))
        adi_debug_line(st, "from", in->rank, line);
    switch (line->kind) {
    case ADI_SHORT:
        return arrive_short(st, in, line);
    case ADI_LINES:
        return arrive_lines(st, in, line);
    case ADI_EAGER:
        if (!arrive_eager(st, in, line))
            return false;
        in->eager.at = line->end;
        return true;
    case ADI_RTS:
        if (!arrive_long(st, in, line))
            return false;
        if (line->len)
            in->chunk.at = line->end;
        return true;
    case ADI_CTS:
        adi_begin_pushing(st, adi_out_of(st, in->rank), line);
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
        adi_handle_read(st, adi_out_of(st, in->rank), (MPIR_SHANDLE *)(uintptr_t)line->sender);
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
