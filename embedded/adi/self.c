/*
 * The device for messages of a rank to itself: matched directly, without a line.
 *
 * A message without a posted receive becomes an entry of the unexpected messages, with a copy of
 * its data if the send may complete before it is received, else with a reference to the send.
 * The send then is WAITING. No state. Locks: the queues'.
 */
#include <string.h>

#include "copy.h"
#include "deliver.h"
#include "self.h"

/* ---- short messages ---- */

/* The copy of adi_deliver. */
static inline void copy_own(const struct adi_data *to, const struct adi_message *m, int64_t n, const void *argument)
{
    (void)argument;
    if (to->type)
        adi_copy_in(to, 0, m->data, n);
    else
        adi_copy_bytes(to->buf, m->data, n);
}

bool adi_send_own_fast(struct adi_state *st, const char *buf, int64_t len, int source, int tag, int context, int msgrep, int flags)
{
    struct adi_queues *q = &st->queues;
    const struct adi_message m = {.context = context, .source = source, .tag = tag, .from = st->rank, .len = len, .stored = len, .data = (char *)(uintptr_t)buf,
                                  .flags = (uint8_t)flags, .msgrep = (uint8_t)msgrep, .whole = true};
    MPIR_RHANDLE *r = adi_take_posted(q, context, source, tag);
    if (r) {
        adi_deliver(st, r, &m, copy_own, NULL);
        return true;
    }
    struct adi_entry *entry = q->unexpected < q->limit ? adi_new_entry(st, len) : NULL;
    if (!entry)
        return false;
    adi_copy_bytes(entry->message.data, buf, len);
    adi_keep(st, entry, &m);
    adi_event(st);
    return true;
}

/* Copies once from buffer to buffer if the send and the receive match each other and nothing else. Returns 0 if the
 * general functions must be called. */
int MPID_SendrecvOwn(const void *buf, int64_t len, int source, int tag, void *recv_buf, int64_t maxlen, int recv_source, int recv_tag, int context_id, MPID_Status *status, int *err)
{
    struct adi_state *st = adi_self;
    struct adi_queues *q = &st->queues;
    struct adi_link receive = {.context = context_id, .source = recv_source, .tag = recv_tag};
    if (adi_unlikely((len | maxlen | source | tag) < 0 || (!buf && len) || (!recv_buf && maxlen) || !adi_matches(&receive, context_id, source, tag)))
        return 0;
    if (adi_unlikely(st->threads || st->trace || st->debug_flag))
        return 0;
    if (adi_unlikely((q->posted && adi_find_posted(q, context_id, source, tag)) || (q->entries && adi_find_entry(q, context_id, recv_source, recv_tag))))
        return 0;
    int64_t fits = len < maxlen ? len : maxlen;
    adi_copy_bytes(recv_buf, buf, fits);
    if (status)
        *status = (MPID_Status){.MPI_SOURCE = source, .MPI_TAG = tag, .MPI_ERROR = fits < len ? MPIR_ERR_TRUNCATE : MPID_SUCCESS, .msgrep = MPID_MSGFORM_OK, .count = fits};
    if (adi_unlikely(fits < len))
        *err = MPIR_ERR_TRUNCATE;
    return 1;
}

/* ---- the device ---- */

/* The device's accept: copies a message of this rank to a receive of this rank and completes both. */
static void self_accept(struct adi_state *st, MPIR_RHANDLE *r, const struct adi_message *m)
{
    MPIR_SHANDLE *s = (MPIR_SHANDLE *)(uintptr_t)m->sender;
    struct adi_data *to = &r->device.data, *from = &s->device.data;
    char part[4096];
    int64_t fits = adi_accept_envelope(st, r, m);
    if (!from->type)
        adi_copy_in(to, 0, from->buf, fits);
    else if (!to->type)
        adi_copy_out(from, 0, to->buf, fits);
    else
        for (int64_t at = 0, n; at < fits; at += n) {
            n = fits - at < (int64_t)sizeof part ? fits - at : (int64_t)sizeof part;
            adi_copy_out(from, at, part, n);
            adi_copy_in(to, at, part, n);
        }
    adi_complete_receive(st, r);
    adi_complete_send(st, s, MPID_SUCCESS);
}

/* Keeps a message as an unexpected one. copies: with a copy of its data, if there is memory; otherwise with a reference to the
 * send, unless it is sent now. Returns the entry, or NULL if memory is lacking. Needs the queues' lock. */
static const struct adi_entry *keep_own(struct adi_state *st, MPIR_SHANDLE *s, struct adi_message m, bool copies, bool now)
{
    struct adi_entry *entry = copies ? adi_new_entry(st, m.len) : NULL;
    if (entry) {
        adi_copy_out(&s->device.data, 0, entry->message.data, m.len);
        m.whole = true;
        m.stored = m.len;
    } else if (!now && (entry = adi_new_entry(st, 0))) {
        s->device.stage = ADI_WAITING;
    } else {
        return NULL;
    }
    adi_keep(st, entry, &m);
    return entry;
}

/* Sends a message. now: if it would have to wait for its receive, returns MPIR_ERR_MAY_BLOCK. */
static int send_own(struct adi_state *st, MPIR_SHANDLE *s, bool now)
{
    struct adi_queues *q = &st->queues;
    struct adi_message m = {.context = s->device.context, .source = s->device.source, .tag = s->device.tag, .from = st->rank, .len = s->device.data.len,
                            .flags = s->device.mode == ADI_READY_MODE ? ADI_READY : 0, .msgrep = s->device.msgrep, .sender = (uint64_t)(uintptr_t)s};
    MPID_THREAD_DS_LOCK(q, st->threads);
    MPIR_RHANDLE *r = adi_take_posted(q, m.context, m.source, m.tag);
    bool copies = !r && s->device.mode != ADI_SYNCHRONOUS && m.len <= st->config.eager_max && (q->unexpected < q->limit || adi_find_room(st));
    const struct adi_entry *entry = r ? NULL : keep_own(st, s, m, copies, now);
    bool done = entry && entry->message.whole;
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (r)
        adi_deliver(st, r, &m, NULL, NULL);
    else if (!entry && now)
        return MPIR_ERR_MAY_BLOCK;
    else if (!entry)
        adi_complete_send(st, s, MPIR_ERR_EXHAUSTED);
    else if (done)
        adi_complete_send(st, s, MPID_SUCCESS);
    else
        adi_event(st); /* a probe of another thread may wait for the message */
    return MPID_SUCCESS;
}

static void self_send(struct adi_state *st, MPIR_SHANDLE *s) { send_own(st, s, false); }

static int self_send_now(struct adi_state *st, MPIR_SHANDLE *s) { return send_own(st, s, true); }

/* Cancels a send to this rank if its message is still unexpected, whose data is then in the send's buffer. */
static bool self_withdraw(struct adi_state *st, MPIR_SHANDLE *s)
{
    struct adi_queues *q = &st->queues;
    MPID_THREAD_DS_LOCK(q, st->threads);
    struct adi_entry *entry = q->first_entry;
    while (entry && (entry->message.whole || entry->message.from != st->rank || entry->message.sender != (uint64_t)(uintptr_t)s))
        entry = entry->after;
    if (entry)
        adi_remove_entry(st, entry);
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (entry)
        adi_free_entry(st, entry);
    return entry != NULL;
}

static bool self_reaches(const struct adi_state *st, int rank) { return rank == st->rank; }

const struct adi_device adi_self_device = {
    .name = "self",
    .number = ADI_SELF,
    .reaches = self_reaches,
    .send = self_send,
    .send_now = self_send_now,
    .withdraw = self_withdraw,
    .accept = self_accept,
};
