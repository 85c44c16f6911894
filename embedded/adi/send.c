/*
 * Sends.
 *
 * A send: idle -> PENDING (no line is free) -> WAITING (for the receiver, if it must know of the
 * match) -> PUSHING (a long message) -> ENDED. A short message goes the fast path (fast.h): its lines
 * are written at once, without a request.
 */
#include "data.h"
#include "debug.h"
#include "fast.h"
#include "progress.h"
#include "request.h"
#include "waiting.h"

/* Returns the error of a send's arguments, or MPID_SUCCESS. */
static int check_send(const struct adi_state *st, const void *buf, int64_t count, const MPIR_DATATYPE *type, int src_lrank, int tag, int dest)
{
    if (count < 0)
        return MPIR_ERR_COUNT;
    if (MPID_Lacks_buffer(buf, count, type))
        return MPIR_ERR_BUFFER;
    if (tag < 0)
        return MPIR_ERR_TAG;
    return src_lrank < 0 || (unsigned)dest >= (unsigned)st->size ? MPIR_ERR_RANK : MPID_SUCCESS;
}

/* The arguments of all sends. */
struct message {
    struct MPIR_COMMUNICATOR *comm;
    const void *buf;
    int64_t count;
    MPIR_DATATYPE *type;
    int source, tag, context, dest, msgrep;
};

/* Fills the request of a send that no thread sees yet, and retains its datatype. */
static void prepare_send(MPIR_SHANDLE *s, const struct message *m, enum adi_mode mode)
{
    s->cookie = MPIR_COOKIE;
    s->handle_type = MPIR_SEND;
    atomic_store_explicit(&s->is_complete, 0, memory_order_relaxed); /* not yet shared */
    atomic_store_explicit(&s->fate, 0, memory_order_relaxed);
    s->comm = m->comm;
    s->errval = MPID_SUCCESS;
    s->device.context = m->context;
    s->device.source = m->source;
    s->device.tag = m->tag;
    s->device.dest = m->dest;
    s->device.mode = (uint8_t)mode;
    s->device.stage = ADI_IDLE;
    s->device.msgrep = (uint8_t)m->msgrep;
    s->device.data = (struct adi_data){.buf = (char *)(uintptr_t)m->buf, .len = m->count, .count = m->count, .type = m->type};
    s->device.sent = 0;
    s->device.partner = 0;
    if (!m->type)
        return;
    MPID_Msgrep_t msgrep;
    MPID_Msg_pack_t act;
    MPID_Msg_rep(m->comm, m->dest, m->type, &msgrep, &act);
    s->device.msgrep = (uint8_t)msgrep;
    s->device.data.act = act;
    s->device.data.len = adi_stream_bytes(m->type, m->count, act);
    if (m->type->ops->retain)
        m->type->ops->retain(m->type);
}

static void start_message(struct adi_state *st, MPIR_SHANDLE *s)
{
    if (adi_unlikely(st->trace))
        adi_trace(st, "sent", s->device.dest, s->device.context, s->device.source, s->device.tag, s->device.data.len);
    st->peers[s->device.dest].device->send(st, s);
}

/* Waits until a send is complete. */
static void wait_for_send(struct adi_state *st, MPIR_SHANDLE *s, const char *function)
{
    if (atomic_load_explicit(&s->is_complete, memory_order_acquire))
        return;
    struct adi_pause pause = {0};
    struct MPID_Blocked why = adi_why(st, s->comm, function, -1, s->device.dest, s->device.tag, s->device.context);
    const struct adi_device *device = st->peers[s->device.dest].device;
    if (device->prepare)
        device->prepare(st, s);
    for (;;) {
        pause.ticket = atomic_load_explicit(&st->events, memory_order_acquire);
        if (atomic_load_explicit(&s->is_complete, memory_order_acquire))
            break;
        if (adi_poll(st, false)) {
            pause.idle = 0;
            continue;
        }
        /* MPIR_ERR_EXHAUSTED: the receiver may know the request already, so it must stay. */
        if (adi_pause(st, &pause, &why) == MPIR_ERR_PEER)
            adi_job_is_over(st, &why);
    }
    adi_unpause(st, &pause);
}

static void finish_send(MPIR_SHANDLE *s, int *err)
{
    s->cookie = 0;
    if (s->errval)
        *err = s->errval;
}

static void send_and_wait(const struct message *m, enum adi_mode mode, int *err)
{
    struct adi_state *st = adi_self;
    MPIR_SHANDLE s;
    int error = check_send(st, m->buf, m->count, m->type, m->source, m->tag, m->dest);
    if (error) {
        *err = error;
        return;
    }
    prepare_send(&s, m, mode);
    start_message(st, &s);
    wait_for_send(st, &s, mode == ADI_SYNCHRONOUS ? "MPID_Ssend" : mode == ADI_READY_MODE ? "MPID_Rsend" : "MPID_Send");
    finish_send(&s, err);
}

/* The request lives on the stack, so the message must be placed at once or the send fails. */
static void send_buffered(const struct message *m, int *err)
{
    struct adi_state *st = adi_self;
    MPIR_SHANDLE s;
    int error = check_send(st, m->buf, m->count, m->type, m->source, m->tag, m->dest);
    if (!error) {
        prepare_send(&s, m, ADI_BUFFERED);
        error = st->peers[m->dest].device->send_now(st, &s);
        if (error && m->type && m->type->ops->release)
            m->type->ops->release(m->type); /* nothing was sent: the request does not end by itself */
    }
    if (error)
        *err = error;
}

static void send_nonblocking(const struct message *m, enum adi_mode mode, MPIR_SHANDLE *request, int *err)
{
    struct adi_state *st = adi_self;
    int error = check_send(st, m->buf, m->count, m->type, m->source, m->tag, m->dest);
    if (error) {
        *err = error;
        return;
    }
    prepare_send(request, m, mode);
    start_message(st, request);
    if (adi_unlikely(atomic_load_explicit(&request->is_complete, memory_order_acquire) && request->errval))
        *err = request->errval; /* nothing is sent, so the caller must not wait for an answer */
}

#define CONTIG struct message m = {comm, buf, len, NULL, src_lrank, tag, context_id, dest_grank, msgrep}
#define TYPED struct message m = {comm, buf, count, type, src_lrank, tag, context_id, dest_grank, MPID_MSGFORM_OK}

void MPID_SendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err)
{
    if (adi_likely(adi_send_fast(adi_self, buf, len, src_lrank, tag, context_id, dest_grank, msgrep, 0)))
        return;
    CONTIG;
    send_and_wait(&m, ADI_STANDARD, err);
}

void MPID_SsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err)
{
    CONTIG;
    send_and_wait(&m, ADI_SYNCHRONOUS, err);
}

void MPID_RsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err)
{
    if (adi_likely(adi_send_fast(adi_self, buf, len, src_lrank, tag, context_id, dest_grank, msgrep, ADI_READY)))
        return;
    CONTIG;
    send_and_wait(&m, ADI_READY_MODE, err);
}

void MPID_BsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, int *err)
{
    if (adi_likely(adi_send_fast(adi_self, buf, len, src_lrank, tag, context_id, dest_grank, msgrep, 0)))
        return;
    CONTIG;
    send_buffered(&m, err);
}

void MPID_IsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err)
{
    if (adi_likely(adi_send_fast(adi_self, buf, len, src_lrank, tag, context_id, dest_grank, msgrep, 0))) {
        request->cookie = MPIR_COOKIE;
        request->handle_type = MPIR_SEND;
        request->errval = MPID_SUCCESS;
        atomic_store_explicit(&request->fate, ADI_COMPLETE, memory_order_relaxed); /* one thread */
        atomic_store_explicit(&request->is_complete, 1, memory_order_release);
        return;
    }
    CONTIG;
    send_nonblocking(&m, ADI_STANDARD, request, err);
}

void MPID_IssendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err)
{
    CONTIG;
    send_nonblocking(&m, ADI_SYNCHRONOUS, request, err);
}

void MPID_IrsendContig(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t len, int src_lrank, int tag, int context_id, int dest_grank, MPID_Msgrep_t msgrep, MPIR_SHANDLE *request, int *err)
{
    CONTIG;
    send_nonblocking(&m, ADI_READY_MODE, request, err);
}

void MPID_SendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err)
{
    TYPED;
    send_and_wait(&m, ADI_STANDARD, err);
}

void MPID_SsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err)
{
    TYPED;
    send_and_wait(&m, ADI_SYNCHRONOUS, err);
}

void MPID_RsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err)
{
    TYPED;
    send_and_wait(&m, ADI_READY_MODE, err);
}

void MPID_BsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, int *err)
{
    TYPED;
    send_buffered(&m, err);
}

void MPID_IsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err)
{
    TYPED;
    send_nonblocking(&m, ADI_STANDARD, request, err);
}

void MPID_IssendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err)
{
    TYPED;
    send_nonblocking(&m, ADI_SYNCHRONOUS, request, err);
}

void MPID_IrsendDatatype(struct MPIR_COMMUNICATOR *comm, const void *buf, int64_t count, MPIR_DATATYPE *type, int src_lrank, int tag, int context_id, int dest_grank, MPIR_SHANDLE *request, int *err)
{
    TYPED;
    send_nonblocking(&m, ADI_READY_MODE, request, err);
}

/* ---- completion ---- */

static bool is_live_send(const MPIR_SHANDLE *request, int *err)
{
    if (adi_likely(request->cookie == MPIR_COOKIE && (request->handle_type == MPIR_SEND || request->handle_type == MPIR_PERSISTENT_SEND)))
        return true;
    *err = MPIR_ERR_REQUEST;
    return false;
}

int(MPID_SendIcomplete)(MPIR_SHANDLE *request, int *err)
{
    if (!is_live_send(request, err))
        return 1;
    if (!request->is_complete)
        adi_poll(adi_self, false);
    if (!request->is_complete)
        return 0;
    finish_send(request, err);
    return 1;
}

void MPID_SendComplete(MPIR_SHANDLE *request, int *err)
{
    if (!is_live_send(request, err))
        return;
    wait_for_send(adi_self, request, "MPID_SendComplete");
    finish_send(request, err);
}

void MPID_WaitForCompleteSend(MPIR_SHANDLE *request)
{
    int err;
    if (is_live_send(request, &err))
        wait_for_send(adi_self, request, "MPID_WaitForCompleteSend");
}

void MPID_SendCancel(MPIR_SHANDLE *request, int *err)
{
    struct adi_state *st = adi_self;
    if (!is_live_send(request, err) || request->is_complete)
        return;
    if (st->peers[request->device.dest].device->withdraw(st, request))
        adi_complete_send(st, request, MPIR_ERR_CANCELLED);
}
