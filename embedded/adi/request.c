/*
 * The end of requests.
 *
 * fate of a request: 0 -> ADI_COMPLETE, by the thread that ends the operation, or 0 -> ADI_ABANDONED
 * by MPID_SendFree and MPID_RecvFree. The thread that sets the second bit frees the request. The bits are
 * set by a read-modify-write in a rank with several threads. After ADI_COMPLETE alone the device
 * sets is_complete and never touches the request again.
 */
#include "debug.h"
#include "request.h"
#include "wake.h"

void adi_wake_threads(struct adi_state *st)
{
    /* Sequentially consistent against the sleeper's store of asleep and load of events: one of
     * the two threads sees the other's store. */
    atomic_fetch_add_explicit(&st->events, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&st->block->asleep, memory_order_seq_cst))
        adi_wake(st->block);
}

/* Sets a bit of a request's fate and returns the bits before. */
static int set_fate(struct adi_state *st, _Atomic(int32_t) *fate, int bit)
{
    if (st->threads)
        return atomic_fetch_or_explicit(fate, bit, memory_order_acq_rel);
    int before = atomic_load_explicit(fate, memory_order_relaxed);
    atomic_store_explicit(fate, before | bit, memory_order_relaxed);
    return before;
}

static void pool_free_request(struct adi_state *st, union MPIR_HANDLE *request)
{
    request->common.cookie = 0;
    st->config.request_free(request);
}

/* The rank that abandons a request and the thread that completes it may meet: the one that comes second frees it. */
static void end(struct adi_state *st, union MPIR_HANDLE *request, MPIR_DATATYPE *type)
{
    bool is_send = request->common.handle_type == MPIR_SEND;
    if (type && type->ops->release)
        type->ops->release(type);
    if (set_fate(st, &request->common.fate, ADI_COMPLETE) & ADI_ABANDONED) {
        pool_free_request(st, request);
        if (is_send)
            atomic_fetch_sub_explicit(&st->abandoned, 1, memory_order_relaxed);
    } else {
        /* Release: a thread that reads 1 (acquire, or sequentially consistent by default) sees the
         * result and the data. */
        atomic_store_explicit(&request->common.is_complete, 1, memory_order_release);
    }
    adi_event(st);
}

void adi_complete_send(struct adi_state *st, MPIR_SHANDLE *request, int error)
{
    request->errval = error;
    request->device.stage = ADI_ENDED;
    end(st, (union MPIR_HANDLE *)request, request->device.data.type);
}

void adi_end_receive(struct adi_state *st, MPIR_RHANDLE *request)
{
    if (adi_unlikely(st->trace))
        adi_trace(st, "received", request->device.from, request->device.link.context, request->s.MPI_SOURCE, request->s.MPI_TAG, request->s.count);
    request->device.stage = ADI_ENDED;
    end(st, (union MPIR_HANDLE *)request, request->device.data.type);
}

/* Gives a request to the device. */
static void abandon_request(union MPIR_HANDLE *request, bool is_send, int *err)
{
    struct adi_state *st = adi_self;
    if (request->common.cookie != MPIR_COOKIE) {
        *err = MPIR_ERR_REQUEST;
        return;
    }
    if (is_send) /* before the bit, because the operation may end at once */
        atomic_fetch_add_explicit(&st->abandoned, 1, memory_order_relaxed);
    if (!(set_fate(st, &request->common.fate, ADI_ABANDONED) & ADI_COMPLETE))
        return;
    while (!atomic_load_explicit(&request->common.is_complete, memory_order_acquire)) {
        /* Another thread is between the two stores of its end(). */
    }
    pool_free_request(st, request);
    if (is_send)
        atomic_fetch_sub_explicit(&st->abandoned, 1, memory_order_relaxed);
}

/* Returns the rank in the job that a request sends to or receives from, or -1 if it may be any. */
int MPID_Partner(const union MPIR_HANDLE *request)
{
    int type = request->common.handle_type;
    if (request->common.cookie != MPIR_COOKIE)
        return -1;
    if (type == MPIR_SEND || type == MPIR_PERSISTENT_SEND)
        return request->shandle.device.dest;
    return adi_grank(request->common.comm, request->rhandle.device.link.source);
}

void MPID_SendFree(MPIR_SHANDLE *request, int *err) { abandon_request((union MPIR_HANDLE *)request, true, err); }

void MPID_RecvFree(MPIR_RHANDLE *request, int *err) { abandon_request((union MPIR_HANDLE *)request, false, err); }

void MPID_Request_free(union MPIR_HANDLE *request, int *err)
{
    switch (request->common.handle_type) {
    case MPIR_SEND:
    case MPIR_PERSISTENT_SEND:
        abandon_request(request, true, err);
        break;
    case MPIR_RECV:
    case MPIR_PERSISTENT_RECV:
        abandon_request(request, false, err);
        break;
    default:
        *err = MPIR_ERR_REQUEST;
    }
}
