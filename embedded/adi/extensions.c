/*
 * Functions that an MPI needs beyond the interface of the paper: matched probes (MPI-5.0, 3.8.2), context
 * ids that no two communicators share (row A22), memory for communicators, and events of the layer
 * above.
 *
 * Context ids: the segment has a table with the number of processes that use each id. One process
 * of a new communicator takes a free id for all of them, and each process gives up its part when it
 * frees the communicator. So an id is unique in the job, and no agreement is needed.
 *
 * Areas: the process that takes an id also takes an area for it, if one is free and large enough. Area
 * 0 is that of all ranks of the job. An area is free again when the last process has dropped the id.
 */
#include <string.h>

#include "copy.h"
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

/* ---- context ids and areas ---- */

static unsigned long long owner_of(int id) { return (unsigned long long)(id + 1) << 32; }

/* Returns the area of an id that this process holds, or -1. */
static int find_area(struct adi_segment *segment, int id)
{
    struct adi_users *all = adi_users_of(segment);
    for (int i = 1; i < ADI_AREAS && segment->area_bytes; i++)
        if (atomic_load_explicit(&all[i].users, memory_order_relaxed) >> 32 == owner_of(id) >> 32)
            return i;
    return -1;
}

/* Takes a free area for a context id, if the number of members allows it. The other processes get the id by a
 * message, so they see what is written here. */
static void take_area(struct adi_segment *segment, int id, int members)
{
    struct adi_users *all = adi_users_of(segment);
    if (members < 2 || members > MPID_MEMORY_PROCESSES)
        return;
    /* Two processes take a large one if one is free. */
    for (int i = members == 2 ? 1 : ADI_LARGE_AREAS; i < ADI_AREAS && segment->area_bytes; i++) {
        unsigned long long none = 0;
        if (!atomic_load_explicit(&all[i].users, memory_order_relaxed) &&
            atomic_compare_exchange_strong_explicit(&all[i].users, &none, owner_of(id) + (unsigned)members, memory_order_acquire, memory_order_relaxed)) {
            all[i].uses++;
            memset(adi_area_of(segment, i), 0, MPID_MEMORY_HEAD);
            return;
        }
    }
}

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
            take_area(segment, (int)id, members);
            return (int)id;
        }
    }
    return -1;
}

void MPID_Context_drop(int id)
{
    struct adi_segment *segment = adi_self->segment;
    int area = find_area(segment, id);
    if (area > 0) {
        atomic_ullong *users = &adi_users_of(segment)[area].users;
        unsigned long long none = owner_of(id);
        /* Acquire and release: the next users write after the last access of these. */
        if (atomic_fetch_sub_explicit(users, 1, memory_order_acq_rel) == none + 1)
            atomic_store_explicit(users, 0, memory_order_release);
    }
    atomic_fetch_sub_explicit(&adi_contexts_of(segment)[id], 1, memory_order_release);
}

void *MPID_Context_memory(int id, uint64_t *bytes, uint64_t *uses)
{
    struct adi_segment *segment = adi_self->segment;
    int area = !segment->area_bytes ? -1 : id < 0 ? 0 : find_area(segment, id);
    if (area < 0)
        return NULL;
    *bytes = adi_area_bytes(segment, area);
    *uses = adi_users_of(segment)[area].uses;
    return adi_area_of(segment, area);
}

/* ---- events ---- */

/* Also in a rank without ADI_THREADS, where another thread may complete what the rank waits for. */
void MPID_Event(void) { adi_wake_threads(adi_self); }

void MPID_Write_shared(void *dest, const void *src, int64_t n, int grank)
{
    const struct adi_state *st = adi_self;
    adi_copy_to_ring(dest, src, n, st->out[grank].past && n >= st->config.sender_past_min);
}

void MPID_Read_shared(void *dest, const void *src, int64_t n) { adi_copy_from_ring(dest, (char *)(uintptr_t)src, n, ADI_COPY_PLAIN); }

void MPID_Order(void)
{
    if (adi_self->fence)
        adi_full_fence();
    else
        atomic_signal_fence(memory_order_seq_cst);
}

void MPID_Ring(int grank)
{
    struct adi_state *st = adi_self;
    struct adi_block *block = adi_block_of(st->segment, grank);
    if (adi_sleeps(st, block))
        adi_wake(block);
}

bool MPID_Oversubscribed(void) { return adi_self->oversubscribed; }

void MPID_Yield(void)
{
    struct adi_pause pause = {0};
    adi_yield(adi_self, &pause, -1);
}
