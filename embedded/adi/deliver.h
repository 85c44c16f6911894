/*
 * From an arrived message to its receive (deliver.c). A device that gets a message looks for its receive (adi_take_posted). If
 * there is one, the device delivers the message (adi_deliver); if not, it keeps the message (adi_new_entry, adi_keep) until a
 * receive takes it (adi_take_entry), which delivers it in the same way.
 *
 * Gives: adi_take_posted, adi_deliver, adi_accept_envelope, adi_new_entry, adi_keep, adi_bytes_of_entry, adi_free_entry,
 * adi_remove_entry, adi_prepare_receive, adi_take_entry, adi_status_of.
 * Needs: data.h, request.h, room.h.
 */
#ifndef WI4GO_DELIVER_H
#define WI4GO_DELIVER_H

#include "data.h"
#include "request.h"
#include "room.h"

/* ---- to a receive ---- */

/* Takes the receive that a message matches out of the queues, or returns NULL. Needs the queues' lock. */
static inline MPIR_RHANDLE *adi_take_posted(struct adi_queues *q, int32_t context, int32_t source, int32_t tag)
{
    MPIR_RHANDLE *request = q->posted ? adi_find_posted(q, context, source, tag) : NULL;
    if (request) {
        adi_unpost(q, request);
        request->device.stage = ADI_ARRIVING;
    }
    return request;
}

/* Stores a message's envelope in its receive. Returns how many of its bytes fit. */
static inline int64_t adi_accept_envelope(const struct adi_state *st, MPIR_RHANDLE *request, const struct adi_message *message)
{
    int64_t fits = adi_set_status(request, message->source, message->tag, message->msgrep, message->len);
    if (message->late && message->flags & ADI_READY && st->config.check)
        request->s.MPI_ERROR = MPIR_ERR_NOT_READY;
    return fits;
}

/* Copies the first n bytes of a message to its receive. argument: as for adi_deliver. */
typedef void adi_copier(const struct adi_data *to, const struct adi_message *message, int64_t n, const void *argument);

/* Gives a message to the receive that it matches, which is in no list: copies its data and answers or completes, or lets the
 * device fetch the data. This is the one place that decides it. Inlined, so that a short message costs no call of copy. */
static inline __attribute__((always_inline)) void adi_deliver(struct adi_state *st, MPIR_RHANDLE *request, const struct adi_message *message, adi_copier *copy, const void *argument)
{
    request->device.from = message->from;
    request->device.msgrep = message->msgrep;
    if (!message->whole) {
        const struct adi_message same = *message; /* so that the compiler may keep the other one in registers */
        st->peers[same.from].device->accept(st, request, &same);
        return;
    }
    copy(&request->device.data, message, adi_accept_envelope(st, request, message), argument);
    if (adi_likely(!(message->flags & ADI_SYNC))) {
        adi_complete_receive(st, request);
        return;
    }
    request->device.partner = message->sender;
    request->device.answer = ADI_ACK;
    st->peers[message->from].device->answer(st, request);
}

/* ---- unexpected messages ---- */

/* Takes an entry with memory for so many bytes from the pool, or returns NULL. Needs the queues' lock. */
struct adi_entry *adi_new_entry(struct adi_state *st, int64_t data_bytes);
/* Gives an entry that is in no list back to the pool. Needs the queues' lock. Returns false if the pool is full: then the
 * caller frees the entry. */
static inline bool adi_reuse_entry(struct adi_queues *q, struct adi_entry *entry)
{
    enum { KEPT = 256 };
    bool keep = q->free_count < KEPT;
    if (keep) {
        entry->after = q->free_entries;
        q->free_entries = entry;
        q->free_count++;
    }
    return keep;
}
/* Frees an entry that is in no list. Takes the queues' lock. */
static inline void adi_free_entry(struct adi_state *st, struct adi_entry *entry)
{
    struct adi_queues *q = &st->queues;
    if (entry->message.data != entry->small)
        adi_release(st, entry->message.data, (size_t)entry->message.stored);
    MPID_THREAD_DS_LOCK(q, st->threads);
    bool kept = adi_reuse_entry(q, entry);
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (!kept)
        adi_release(st, entry, sizeof *entry);
}
/* Returns the memory of an entry, as far as it counts. */
static inline int64_t adi_bytes_of_entry(const struct adi_entry *entry)
{
    return (int64_t)sizeof *entry + (entry->message.data != entry->small ? entry->message.stored : 0);
}
/* Adds a message to the unexpected ones, in an entry that has its data already. Needs the queues' lock. */
static inline void adi_keep(struct adi_state *st, struct adi_entry *entry, const struct adi_message *message)
{
    struct adi_message *kept = &entry->message;
    char *data = kept->data;
    *kept = *message;
    kept->data = data;
    kept->late = true;
    st->queues.unexpected += adi_bytes_of_entry(entry);
    adi_add_entry(&st->queues, entry);
}
/* Takes a message out of the queues, and lets its sender send data again if there was too much. Needs the queues' lock. */
static inline void adi_remove_entry(struct adi_state *st, struct adi_entry *entry)
{
    adi_drop_entry(&st->queues, entry);
    st->queues.unexpected -= adi_bytes_of_entry(entry);
    if (adi_unlikely(st->queues.throttled) && st->queues.unexpected <= st->queues.limit / 2)
        adi_unlimit_senders(st);
}
/* Fills a receive's request that is not live yet. (receive.c) */
void adi_prepare_receive(MPIR_RHANDLE *request, struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id);
/* Gives a message that was taken out of the queues to a receive, and frees its entry. */
void adi_take_entry(struct adi_state *st, MPIR_RHANDLE *request, struct adi_entry *entry);
/* Returns the status of a probe that has found a message. */
static inline MPID_Status adi_status_of(const struct adi_message *message)
{
    return (MPID_Status){.MPI_SOURCE = message->source, .MPI_TAG = message->tag, .msgrep = message->msgrep, .count = message->len};
}

#endif
