/*
 * Receives and probes.
 *
 * A receive: idle -> POSTED (in the queues, under their lock) -> ARRIVING (taken out by the thread
 * that matches it) -> ENDED; or it takes an unexpected message and skips POSTED.
 */
#include "copy.h"
#include "deliver.h"
#include "progress.h"
#include "waiting.h"

/* ---- receives ---- */

/* Returns the error of a receive's arguments, or MPID_SUCCESS. */
static int check_receive(const void *buf, int64_t bytes, const MPIR_DATATYPE *type, int src_lrank, int tag)
{
    if (bytes < 0)
        return MPIR_ERR_COUNT;
    if (MPID_Lacks_buffer(buf, bytes, type))
        return MPIR_ERR_BUFFER;
    if (tag < 0 && tag != MPID_ANY_TAG)
        return MPIR_ERR_TAG;
    return src_lrank < 0 && src_lrank != MPID_ANY_SOURCE ? MPIR_ERR_RANK : MPID_SUCCESS;
}

void adi_prepare_receive(MPIR_RHANDLE *request, struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id)
{
    request->cookie = MPIR_COOKIE;
    request->handle_type = MPIR_RECV;
    atomic_store_explicit(&request->is_complete, 0, memory_order_relaxed); /* not yet shared */
    atomic_store_explicit(&request->fate, 0, memory_order_relaxed);
    request->comm = comm;
    request->device.data = (struct adi_data){.buf = buf, .len = type ? 0 : count, .count = count, .type = type};
    request->device.link.context = context_id;
    request->device.link.source = src_lrank;
    request->device.link.tag = tag;
    request->device.from = -1;
    request->device.stage = ADI_IDLE;
    if (type && type->ops->retain)
        type->ops->retain(type);
}

/* Starts a receive: takes a message that has arrived, or posts it. */
static void post_or_match(struct adi_state *st, MPIR_RHANDLE *request)
{
    struct adi_queues *q = &st->queues;
    struct adi_link *link = &request->device.link;
    MPID_THREAD_DS_LOCK(q, st->threads);
    struct adi_entry *entry = q->entries ? adi_find_entry(q, link->context, link->source, link->tag) : NULL;
    if (entry)
        adi_remove_entry(st, entry);
    else {
        request->device.stage = ADI_POSTED;
        adi_post(q, request);
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    if (entry)
        adi_take_entry(st, request, entry);
}

/* Takes back a posted receive. Returns whether it was still posted. */
static bool unpost(struct adi_state *st, MPIR_RHANDLE *request)
{
    struct adi_queues *q = &st->queues;
    MPID_THREAD_DS_LOCK(q, st->threads);
    bool posted = request->device.stage == ADI_POSTED;
    if (posted) {
        adi_unpost(q, request);
        request->device.stage = ADI_ARRIVING;
    }
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    return posted;
}

/* Ends a receive that no message has matched, with an error or, for MPID_SUCCESS, as cancelled. */
static void end_unmatched(struct adi_state *st, MPIR_RHANDLE *request, int error)
{
    request->s = (MPID_Status){.MPI_SOURCE = MPID_ANY_SOURCE, .MPI_TAG = MPID_ANY_TAG, .MPI_ERROR = error, .count = error ? 0 : MPID_REQUEST_CANCELLED};
    adi_complete_receive(st, request);
}

/* Waits until a receive is complete. */
static void wait_for_receive(struct adi_state *st, MPIR_RHANDLE *request, const char *function)
{
    if (atomic_load_explicit(&request->is_complete, memory_order_acquire))
        return;
    struct adi_pause pause = {0};
    const struct adi_link *link = &request->device.link;
    struct MPID_Blocked why = adi_why(st, request->comm, function, link->source, -1, link->tag, link->context);
    for (;;) {
        pause.ticket = atomic_load_explicit(&st->events, memory_order_acquire);
        if (atomic_load_explicit(&request->is_complete, memory_order_acquire))
            break;
        if (adi_poll(st, false)) {
            pause.idle = 0;
            continue;
        }
        int error = adi_pause(st, &pause, &why);
        if (adi_unlikely(error == MPIR_ERR_PEER))
            adi_job_is_over(st, &why);
        if (adi_unlikely(error == MPIR_ERR_EXHAUSTED) && unpost(st, request))
            end_unmatched(st, request, error);
    }
    adi_unpause(st, &pause);
}

static void finish_receive(MPIR_RHANDLE *request, MPID_Status *status, int *err)
{
    request->cookie = 0;
    if (request->s.MPI_ERROR)
        *err = request->s.MPI_ERROR;
    if (status)
        *status = request->s;
}

/* Takes a message that has arrived whole, without a request. Returns false if there is none, or if the
 * rank has several threads. */
static inline bool receive_fast(struct adi_state *st, char *buf, int64_t maxlen, int src_lrank, int tag, int context_id, MPID_Status *status, int *err)
{
    struct adi_queues *q = &st->queues;
    if (st->threads || st->trace || !q->entries || maxlen < 0 || !buf)
        return false;
    struct adi_entry *entry = adi_find_entry(q, context_id, src_lrank, tag);
    const struct adi_message *m = entry ? &entry->message : NULL;
    if (!m || !m->whole || m->flags)
        return false;
    int64_t fits = m->len < maxlen ? m->len : maxlen;
    adi_remove_entry(st, entry);
    adi_copy_bytes(buf, m->data, fits);
    int error = fits < m->len ? MPIR_ERR_TRUNCATE : MPID_SUCCESS;
    if (error)
        *err = error;
    if (status)
        *status = (MPID_Status){.MPI_SOURCE = m->source, .MPI_TAG = m->tag, .MPI_ERROR = error, .msgrep = m->msgrep, .count = fits};
    adi_free_entry(st, entry);
    return true;
}

static void receive(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPID_Status *status, int *err)
{
    MPIR_RHANDLE request;
    int error = check_receive(buf, count, type, src_lrank, tag);
    if (adi_unlikely(error)) {
        *err = error;
        return;
    }
    struct adi_state *st = adi_self;
    adi_prepare_receive(&request, comm, buf, count, type, src_lrank, tag, context_id);
    post_or_match(st, &request);
    wait_for_receive(st, &request, "MPID_Recv");
    finish_receive(&request, status, err);
}

static void receive_started(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPIR_RHANDLE *request, int *err)
{
    int error = check_receive(buf, count, type, src_lrank, tag);
    if (adi_unlikely(error)) {
        *err = error;
        return;
    }
    adi_prepare_receive(request, comm, buf, count, type, src_lrank, tag, context_id);
    post_or_match(adi_self, request);
}

void MPID_RecvContig(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t maxlen, int src_lrank, int tag, int context_id, MPID_Status *status, int *err)
{
    if (receive_fast(adi_self, buf, maxlen, src_lrank, tag, context_id, status, err))
        return;
    receive(comm, buf, maxlen, NULL, src_lrank, tag, context_id, status, err);
}

void MPID_RecvDatatype(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPID_Status *status, int *err)
{
    receive(comm, buf, count, type, src_lrank, tag, context_id, status, err);
}

void MPID_IrecvContig(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t maxlen, int src_lrank, int tag, int context_id, MPIR_RHANDLE *request, int *err)
{
    receive_started(comm, buf, maxlen, NULL, src_lrank, tag, context_id, request, err);
}

void MPID_IrecvDatatype(struct MPIR_COMMUNICATOR *comm, void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, MPIR_RHANDLE *request, int *err)
{
    receive_started(comm, buf, count, type, src_lrank, tag, context_id, request, err);
}

/* ---- completion ---- */

static bool is_live_receive(const MPIR_RHANDLE *request, int *err)
{
    if (adi_likely(request->cookie == MPIR_COOKIE && (request->handle_type == MPIR_RECV || request->handle_type == MPIR_PERSISTENT_RECV)))
        return true;
    *err = MPIR_ERR_REQUEST;
    return false;
}

int MPID_RecvIcomplete(MPIR_RHANDLE *request, MPID_Status *status, int *err)
{
    if (!is_live_receive(request, err))
        return 1;
    if (!request->is_complete)
        adi_poll(adi_self, false);
    if (!request->is_complete)
        return 0;
    finish_receive(request, status, err);
    return 1;
}

void MPID_RecvComplete(MPIR_RHANDLE *request, MPID_Status *status, int *err)
{
    if (!is_live_receive(request, err))
        return;
    wait_for_receive(adi_self, request, "MPID_RecvComplete");
    finish_receive(request, status, err);
}

void MPID_WaitForCompleteRecv(MPIR_RHANDLE *request)
{
    int err;
    if (is_live_receive(request, &err))
        wait_for_receive(adi_self, request, "MPID_WaitForCompleteRecv");
}

void MPID_RecvCancel(MPIR_RHANDLE *request, int *err)
{
    struct adi_state *st = adi_self;
    if (is_live_receive(request, err) && unpost(st, request))
        end_unmatched(st, request, MPID_SUCCESS);
}

/* ---- probes ---- */

/* Looks for a message and stores its envelope. */
static bool probe_entries(struct adi_state *st, int32_t context, int32_t source, int32_t tag, MPID_Status *status)
{
    struct adi_queues *q = &st->queues;
    MPID_THREAD_DS_LOCK(q, st->threads);
    const struct adi_entry *entry = q->entries ? adi_find_entry(q, context, source, tag) : NULL;
    if (entry && status)
        *status = adi_status_of(&entry->message);
    MPID_THREAD_DS_UNLOCK(q, st->threads);
    return entry != NULL;
}

void MPID_Iprobe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, int *flag, int *err, MPID_Status *status)
{
    struct adi_state *st = adi_self;
    int error = check_receive(NULL, 0, NULL, src_lrank, tag);
    if (error) {
        *err = error;
        return;
    }
    *flag = probe_entries(st, context_id, src_lrank, tag, status);
    if (!*flag && adi_poll(st, false))
        *flag = probe_entries(st, context_id, src_lrank, tag, status);
}

void MPID_Probe(struct MPIR_COMMUNICATOR *comm, int tag, int context_id, int src_lrank, int *err, MPID_Status *status)
{
    struct adi_state *st = adi_self;
    struct adi_pause pause = {0};
    int error = check_receive(NULL, 0, NULL, src_lrank, tag);
    struct MPID_Blocked why = adi_why(st, comm, "MPID_Probe", src_lrank, -1, tag, context_id);
    while (!error) {
        pause.ticket = atomic_load_explicit(&st->events, memory_order_acquire);
        if (probe_entries(st, context_id, src_lrank, tag, status))
            break;
        if (adi_poll(st, false)) {
            pause.idle = 0;
            continue;
        }
        error = adi_pause(st, &pause, &why);
        if (error == MPIR_ERR_PEER)
            adi_job_is_over(st, &why);
    }
    adi_unpause(st, &pause);
    if (error)
        *err = error;
}
