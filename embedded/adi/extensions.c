/*
 * Functions that an MPI needs beyond the interface of the paper: matched probes (MPI-5.0, 3.8.2), events of the layer
 * above, and copies to and from memory that ranks share (memory.c). No state of its own.
 */
#include "copy.h"
#include "deliver.h"
#include "progress.h"
#include "turns.h"
#include "wake.h"

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
            *status = adi_status_of(&entry->message);
        if (entry || tries || !adi_poll(st, false))
            return entry;
    }
}

/* The message is matched already, so the receive never enters the queue of posted receives. */
void MPID_Imrecv(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, struct adi_entry *message, MPIR_RHANDLE *request)
{
    const struct adi_message *m = &message->message;
    adi_prepare_receive(request, comm, buf, count, type, m->source, m->tag, m->context);
    adi_take_entry(adi_self, request, message);
}

/* ---- events ---- */

/* Also in a rank without ADI_THREADS, where another thread may complete what the rank waits for. */
void MPID_Event(void) { adi_wake_threads(adi_self); }

void MPID_Write_shared(void *dest, const void *src, int64_t n, int grank)
{
    const struct adi_state *st = adi_self;
    const struct adi_device *device = st->peers[grank].device;
    adi_copy_to_ring(dest, src, n, n >= st->config.sender_past_min && device->is_far && device->is_far(st, grank));
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
