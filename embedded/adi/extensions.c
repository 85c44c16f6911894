/*
 * What an MPI needs beyond the interface of the paper: matched probes (MPI-5.0, 3.8.2), context
 * ids that no two communicators share (row A22), and events of the layer above.
 *
 * Context ids: the segment has a table with the number of processes that use each id. One process
 * of a new communicator takes a free id for all of them, and each process gives up its part when it
 * frees the communicator. So an id is unique in the job, and no agreement is needed.
 */
#include "internal.h"

/* ---- matched probes ---- */

struct adi_entry *MPID_Improbe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, MPID_Status *status)
{
    struct adi_state *st = adi_self;
    struct adi_queues *q = &st->queues;
    (void)comm;
    for (int tries = 0;; tries++) {
        MPID_THREAD_DS_LOCK(q, st->threads);
        struct adi_entry *entry = q->entries ? adi_find_entry(q, context_id, src_lrank, tag) : NULL;
        if (entry)
            adi_remove_entry(st, entry);
        MPID_THREAD_DS_UNLOCK(q, st->threads);
        if (entry)
            *status = (MPID_Status){.MPI_SOURCE = entry->source, .MPI_TAG = entry->tag, .msgrep = entry->msgrep, .count = entry->len};
        if (entry || tries || !adi_poll(st, false))
            return entry;
    }
}

void MPID_Imrecv(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, struct adi_entry *message, MPIR_RHANDLE *request)
{
    adi_prepare_receive(request, comm, buf, count, type, message->source, message->tag, message->context);
    adi_take_entry(adi_self, request, message);
}

/* ---- context ids ---- */

int MPID_Context_take(int members)
{
    struct adi_segment *segment = adi_self->segment;
    atomic_int *users = adi_contexts_of(segment);
    unsigned start = atomic_load_explicit(&segment->next_context, memory_order_relaxed);
    for (unsigned i = 0; i < segment->context_count; i++) {
        unsigned id = (start + i) % segment->context_count;
        int none = 0;
        /* Acquire: after the last user's release, which has received all that it will receive. */
        if (atomic_compare_exchange_strong_explicit(&users[id], &none, members, memory_order_acquire, memory_order_relaxed)) {
            atomic_store_explicit(&segment->next_context, (id + 1) % segment->context_count, memory_order_relaxed); /* a hint */
            return (int)id;
        }
    }
    return -1;
}

void MPID_Context_drop(int id)
{
    atomic_fetch_sub_explicit(&adi_contexts_of(adi_self->segment)[id], 1, memory_order_release);
}

/* ---- events ---- */

void MPID_Event(void) { adi_event(adi_self); }

bool MPID_Oversubscribed(void) { return adi_self->oversubscribed; }
