/*
 * Requests inside the device: their progress and their end (request.c).
 *
 * Gives: adi_mode, adi_stage, adi_grank, adi_complete_send, adi_complete_receive, adi_end_receive, adi_event,
 * adi_wake_threads.
 * Needs: state.h.
 */
#ifndef WI4GO_REQUEST_H
#define WI4GO_REQUEST_H

#include "state.h"

enum adi_mode { ADI_STANDARD, ADI_SYNCHRONOUS, ADI_READY_MODE, ADI_BUFFERED };
enum adi_stage { /* progress of a request */
    ADI_IDLE,
    ADI_PENDING,  /* send: no room yet, kept by its device */
    ADI_WAITING,  /* send: its header is with the receiver */
    ADI_PUSHING,  /* send: its receiver has accepted it */
    ADI_POSTED,   /* receive: in adi_queues */
    ADI_ARRIVING, /* receive: matched; data or the line for its answer is missing */
    ADI_ENDED,
};
enum { ADI_COMPLETE = 1, ADI_ABANDONED = 2 }; /* bits of a request's fate */

/* Returns the rank in the job of a rank of a communicator, or -1 if it has none. */
static inline int adi_grank(const struct MPIR_COMMUNICATOR *comm, int lrank)
{
    if (lrank < 0 || !comm || lrank >= comm->np)
        return -1;
    return comm->lrank_to_grank ? comm->lrank_to_grank[lrank] : lrank;
}
/* Complete a request that is in no list, and free it if it is abandoned. */
void adi_complete_send(struct adi_state *st, MPIR_SHANDLE *request, int error);
void adi_end_receive(struct adi_state *st, MPIR_RHANDLE *request);
/* Counts an event, and wakes this rank's sleeping threads. */
void adi_wake_threads(struct adi_state *st);
static inline void adi_event(struct adi_state *st)
{
    if (adi_unlikely(st->threads))
        adi_wake_threads(st);
    else /* relaxed: one thread */
        atomic_store_explicit(&st->events, atomic_load_explicit(&st->events, memory_order_relaxed) + 1, memory_order_relaxed);
}
static inline void adi_complete_receive(struct adi_state *st, MPIR_RHANDLE *request)
{
    if (adi_unlikely(st->threads || st->trace || request->device.data.type || atomic_load_explicit(&request->fate, memory_order_relaxed))) {
        adi_end_receive(st, request);
        return;
    }
    request->device.stage = ADI_ENDED;
    atomic_store_explicit(&request->fate, ADI_COMPLETE, memory_order_relaxed); /* one thread */
    atomic_store_explicit(&request->is_complete, 1, memory_order_release);
    adi_event(st);
}

#endif
