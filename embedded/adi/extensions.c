/*
 * Functions that an MPI needs beyond the interface of the paper: matched probes (MPI-5.0, 3.8.2), memory for
 * communicators, and events of the layer above.
 *
 * Areas: the segment contains a table with the number of processes that use each area. One process of a new communicator takes a
 * free area for all of them, and each process gives up its part when it frees the communicator. All ranks of the job
 * have area 0.
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

/* The message is matched already, so the receive never enters the queue of posted receives. */
void MPID_Imrecv(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, struct adi_entry *message, MPIR_RHANDLE *request)
{
    adi_prepare_receive(request, comm, buf, count, type, message->source, message->tag, message->context);
    adi_take_entry(adi_self, request, message);
}

/* ---- areas ---- */

/* Takes a free area by compare and swap, without a lock, or returns -1. The areas of a killed process stay taken until
 * the job ends. */
int MPID_Area_take(int members)
{
    struct adi_segment *segment = adi_self->segment;
    struct adi_users *all = adi_users_of(segment);
    if (members < 2 || members > MPID_AREA_PROCESSES)
        return -1;
    /* Two processes take a large one if one is free. */
    for (int i = members == 2 ? 1 : ADI_LARGE_AREAS; i < ADI_AREAS && segment->area_bytes; i++) {
        int none = 0;
        /* Acquire: after the last access of the users before. */
        if (!atomic_load_explicit(&all[i].users, memory_order_relaxed) &&
            atomic_compare_exchange_strong_explicit(&all[i].users, &none, members, memory_order_acquire, memory_order_relaxed)) {
            all[i].uses++;
            memset(adi_area_of(segment, i), 0, MPID_AREA_HEAD);
            return i;
        }
    }
    return -1;
}

void MPID_Area_drop(int area, int parts)
{
    atomic_fetch_sub_explicit(&adi_users_of(adi_self->segment)[area].users, parts, memory_order_release);
}

void *MPID_Area_memory(int area, uint64_t *bytes, uint64_t *uses)
{
    struct adi_segment *segment = adi_self->segment;
    if (area < 0 || !segment->area_bytes)
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

/* Orders this rank's stores before its later loads. If membarrier works, the waking rank pays for the fence and this
 * side only stops the compiler. */
void MPID_Order(void)
{
    if (adi_self->fence)
        adi_full_fence();
    else
        atomic_signal_fence(memory_order_seq_cst);
}

/* Wakes a rank if it sleeps. The caller has called MPID_Order after it stored the data. */
void MPID_Ring(int grank)
{
    struct adi_state *st = adi_self;
    struct adi_block *block = adi_block_of(st->segment, grank);
    if (adi_sleeps(st, block))
        adi_wake(block);
}

bool MPID_Oversubscribed(void) { return adi_self->oversubscribed; }

/* Leaves the core only if ranks share cores, because otherwise a system call costs more than a poll. */
void MPID_Yield(void)
{
    struct adi_state *st = adi_self;
    struct adi_pause pause = {0};
    if (st->oversubscribed || atomic_load_explicit(&st->yield_ns, memory_order_relaxed))
        adi_yield(st, &pause, -1);
    adi_look_for_core(st);
}
