/*
 * The device for messages of a rank to itself: matched directly, without a line.
 *
 * A message without a posted receive becomes an entry of the unexpected messages, with a copy of
 * its data if the send may complete before it is received, else with a reference to the send.
 * The send then is WAITING, and its partner is the entry. Locks: the queues'.
 */
#include <string.h>

#include "internal.h"

/* Copies a message of this rank to a receive of this rank and completes both. */
static void self_transfer(struct adi_state *st, MPIR_SHANDLE *s, MPIR_RHANDLE *r, bool was_posted)
{
    struct adi_data *to = &r->device.data, *from = &s->device.data;
    char part[4096];
    r->device.from = st->rank;
    int64_t fits = adi_set_status(r, s->device.source, s->device.tag, s->device.msgrep, from->len);
    if (!was_posted && s->device.mode == ADI_READY_MODE && st->config.check)
        r->s.MPI_ERROR = MPIR_ERR_NOT_READY;
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

/* Matches a posted receive and copies at once. Returns false for the cases that only the general path handles. */
bool adi_send_own_fast(struct adi_state *st, const char *buf, int64_t len, int source, int tag, int context, int msgrep, int flags)
{
    struct adi_queues *q = &st->queues;
    MPIR_RHANDLE *r = q->posted ? adi_find_posted(q, context, source, tag) : NULL;
    if (r) {
        if (r->device.data.type)
            return false;
        adi_unpost(q, r);
        r->device.from = st->rank;
        adi_copy_bytes(r->device.data.buf, buf, adi_set_status(r, source, tag, msgrep, len));
        adi_complete_receive(st, r);
        return true;
    }
    struct adi_entry *entry = q->unexpected < q->limit ? adi_new_entry(st, len) : NULL;
    if (!entry)
        return false;
    adi_copy_bytes(entry->data, buf, len);
    entry->context = context;
    entry->source = source;
    entry->tag = tag;
    entry->from = st->rank;
    entry->kind = ADI_SHORT;
    entry->flags = (uint8_t)flags;
    entry->msgrep = (uint8_t)msgrep;
    q->unexpected += adi_bytes_of_entry(entry);
    adi_add_entry(q, entry);
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

/* Returns an entry for a message, or NULL if memory is lacking. Needs the queues' lock. */
static struct adi_entry *make_entry(struct adi_state *st, MPIR_SHANDLE *s, bool copy)
{
    struct adi_entry *entry = copy ? adi_new_entry(st, s->device.data.len) : NULL;
    if (entry) {
        adi_copy_out(&s->device.data, 0, entry->data, s->device.data.len);
    } else if ((entry = adi_new_entry(st, 0))) {
        entry->own = s;
        s->device.stage = ADI_WAITING;
        s->device.partner = (uint64_t)(uintptr_t)entry;
    } else {
        return NULL;
    }
    entry->context = s->device.context;
    entry->source = s->device.source;
    entry->tag = s->device.tag;
    entry->from = st->rank;
    entry->len = s->device.data.len;
    entry->kind = ADI_SHORT;
    entry->flags = s->device.mode == ADI_READY_MODE ? ADI_READY : 0;
    entry->msgrep = s->device.msgrep;
    return entry;
}

/* Sends a message. now: if it would have to wait for its receive, returns MPIR_ERR_MAY_BLOCK. */
static int send_own(struct adi_state *st, MPIR_SHANDLE *s, bool now)
{
    struct adi_queues *q = &st->queues;
    MPID_THREAD_DS_LOCK(q, st->threads);
    MPIR_RHANDLE *r = adi_find_posted(q, s->device.context, s->device.source, s->device.tag);
    if (r) {
        adi_unpost(q, r);
        r->device.stage = ADI_ARRIVING;
        MPID_THREAD_DS_UNLOCK(q, st->threads);
        self_transfer(st, s, r, true);
        return MPID_SUCCESS;
    }
    bool copy = s->device.mode != ADI_SYNCHRONOUS && s->device.data.len <= st->config.eager_max && (q->unexpected < q->limit || adi_find_room(st));
    struct adi_entry *entry = now && !copy ? NULL : make_entry(st, s, copy);
    if (entry && entry->own && now) {
        entry->after = q->free_entries; /* there is no memory for the data */
        q->free_entries = entry;
        q->free_count++;
        entry = NULL;
    }
    bool done = entry && !entry->own;
    if (entry) {
        q->unexpected += adi_bytes_of_entry(entry);
        adi_add_entry(q, entry);
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (!entry && now)
        return MPIR_ERR_MAY_BLOCK;
    if (!entry)
        adi_complete_send(st, s, MPIR_ERR_EXHAUSTED);
    else if (done)
        adi_complete_send(st, s, MPID_SUCCESS);
    else
        adi_event(st); /* a probe of another thread may wait for the message */
    return MPID_SUCCESS;
}

static void self_send(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s) { send_own(st, s, false); }

static int self_send_now(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s) { return send_own(st, s, true); }

static void self_accept(struct adi_state *st, MPIR_RHANDLE *r, const struct adi_entry *entry) { self_transfer(st, entry->own, r, false); }

/* Cancels a send to this rank if its message is still unexpected, whose data is then in the send's buffer. */
static bool self_withdraw(struct adi_state *st, struct adi_out *out, MPIR_SHANDLE *s)
{
    struct adi_queues *q = &st->queues;
    struct adi_entry *entry = NULL;
    MPID_THREAD_DS_LOCK(q, st->threads);
    for (entry = q->first_entry; entry && entry->own != s;)
        entry = entry->after;
    if (entry) {
        adi_drop_entry(q, entry);
        st->queues.unexpected -= adi_bytes_of_entry(entry);
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (entry)
        adi_free_entry(st, entry);
    return entry != NULL;
}

const struct adi_device adi_self_device = {"self", self_send, self_send_now, self_accept, NULL, self_withdraw};
