/*
 * Receives and probes (MPI-5.0, 3.2, 3.7, 3.8), and combined sends and receives (3.10). A blocking
 * receive goes to the device directly, as a blocking send does (send.c). Messages that a matched probe has taken belong to their
 * handles. No locks: those of the device suffice.
 */
#include "comm.h"
#include "messages.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/pool.h"
#include "../base/release.h"
#include "../base/request.h"
#include "../base/status.h"

#include <stdlib.h>

/* Starts a receive in the device. context is the offset of one of the communicator's contexts. The datatype must live
 * until the receive has completed. */
int em_irecv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPIR_RHANDLE *receive)
{
    int err = MPID_SUCCESS;
    context += comm->context;
    if (likely(type->device.is_contig)) {
        int64_t bytes = count * type->device.size;
        MPID_IrecvContig(&comm->device, bytes ? (char *)buf + type->device.true_lb : NULL, bytes, source, tag, context, receive, &err);
    } else {
        MPID_IrecvDatatype(&comm->device, buf, count, &type->device, source, tag, context, receive, &err);
    }
    return likely(err == MPID_SUCCESS) ? MPI_SUCCESS : em_device_error(err);
}

/* ---- requests ---- */

/* Writes the status of a completed receive and returns its error code. The device has stored count as bytes. */
static int finish_receive_request(struct request *request, MPI_Status *status)
{
    MPIR_RHANDLE *receive = &request->device.rhandle;
    const MPID_Status *s = &receive->s;
    bool cancelled = s->count == MPID_REQUEST_CANCELLED;
    em_status_set(status, s->MPI_SOURCE, s->MPI_TAG, cancelled ? 0 : s->count, cancelled);
    return likely(!s->MPI_ERROR) ? MPI_SUCCESS : em_device_error(s->MPI_ERROR);
}

/* Cancels a receive unless it is matched. The status of its completion reports which. */
static int cancel_receive(struct request *request)
{
    int err = MPID_SUCCESS;
    MPID_RecvCancel(&request->device.rhandle, &err);
    return em_device_error(err);
}

/* Adds the awaited sender to the description of a wait, for the report of blocked ranks. */
static void describe_receive(struct request *request, struct MPID_Blocked *why)
{
    const struct adi_link *link = &request->device.rhandle.device.link;
    em_describe_peer(why, request->comm, link->source, link->tag, link->context);
}

/* Starts a persistent receive with the arguments that its request keeps. */
static int start_receive_request(struct request *r)
{
    return em_irecv(r->buf, r->count, r->type, r->peer, r->tag, r->comm, CONTEXT_POINT, &r->device.rhandle);
}

const struct request_kind em_receive_kind = {"receive", em_message_complete, finish_receive_request, start_receive_request, cancel_receive, em_message_abandon, describe_receive, NULL, NULL, true};

/* ---- blocking receives ---- */

/* Fills the status of the program, which may be MPI_STATUS_IGNORE. */
static inline void give_status(MPI_Status *status, const MPID_Status *s)
{
    if (status)
        em_status_set(status, s->MPI_SOURCE, s->MPI_TAG, s->count, false);
}

/* A blocking receive as a request. */
static int recv_and_progress(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPI_Status *status, const char *function)
{
    struct request *request = em_request_new(&em_receive_kind, comm, NULL);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    int err = em_irecv(buf, count, type, source, tag, comm, context, &request->device.rhandle);
    if (err) {
        em_request_free(request);
        return err;
    }
    return em_finish(request, status, function);
}

/* A blocking receive without a request object, for speed. If schedules or other work are active it takes the slower
 * path that makes progress for them while it waits. */
int em_recv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPI_Status *status, const char *function)
{
    MPID_Status s;
    int err = MPID_SUCCESS;
    if (unlikely(em_busy()))
        return recv_and_progress(buf, count, type, source, tag, comm, context, status, function);
    s.MPI_ERROR = -1;
    context += comm->context;
    if (likely(type->device.is_contig)) {
        int64_t bytes = count * type->device.size;
        MPID_RecvContig(&comm->device, bytes ? (char *)buf + type->device.true_lb : NULL, bytes, source, tag, context, &s, &err);
    } else {
        MPID_RecvDatatype(&comm->device, buf, count, &type->device, source, tag, context, &s, &err);
    }
    if (s.MPI_ERROR != -1)
        give_status(status, &s);
    return likely(err == MPID_SUCCESS) ? MPI_SUCCESS : em_device_error(err);
}

/* The status of a receive from MPI_PROC_NULL (MPI-5.0, 3.11). */
static int null_status(MPI_Status *status)
{
    if (status)
        em_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
    return MPI_SUCCESS;
}

/* A receive from MPI_PROC_NULL completes at once with an empty status (MPI-5.0, 3.11). */
int em_Recv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, MPI_Status *status)
{
    if (unlikely(source == MPI_PROC_NULL))
        return null_status(status);
    return em_recv(buf, count, type, source, tag, comm, CONTEXT_POINT, status, "MPI_Recv");
}

/* Writes a request that holds a reference to comm. A receive from MPI_PROC_NULL is complete at once. */
int em_Irecv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, MPI_Request *handle)
{
    bool null = unlikely(source == MPI_PROC_NULL);
    struct request *request = em_request_new(null ? &em_null_kind : &em_receive_kind, comm, NULL);
    if (unlikely(!request))
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->peer = source;
    request->mode = MODE_RECEIVE;
    int err = null ? MPI_SUCCESS : em_irecv(buf, count, type, source, tag, comm, CONTEXT_POINT, &request->device.rhandle);
    if (unlikely(err)) {
        em_request_free(request);
        return err;
    }
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

/* Writes an inactive request. It keeps the arguments and references to comm and type until it is freed. */
int em_Recv_init(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, MPI_Request *request)
{
    return em_message_init(&em_receive_kind, buf, count, type, source, tag, comm, MODE_RECEIVE, request);
}

/* ---- sends combined with receives ---- */

/* Sends to a peer and receives from it in the context of communicator creation, so that no message of the program can
 * match. Blocks until both are complete. */
int em_exchange(const void *sendbuf, int64_t n, void *recvbuf, int64_t m, struct type *type, int peer, int tag, struct comm *comm, const char *function)
{
    struct request *request = em_request_new(&em_receive_kind, comm, NULL);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    int err = em_irecv(recvbuf, m, type, peer, tag, comm, CONTEXT_CREATION, &request->device.rhandle);
    if (err) {
        em_request_free(request);
        return err;
    }
    int sent = em_send(sendbuf, n, type, peer, tag, comm, CONTEXT_CREATION, function);
    err = em_finish(request, NULL, function);
    return sent ? sent : err;
}

/* The send of a combined function. */
static int send_part(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, const char *function)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    const char *outer = em_wait_as(function);
    int err = em_send(buf, count, type, dest, tag, comm, CONTEXT_POINT, function);
    em_wait_as(outer);
    return err;
}

/* The combined functions. A message to the rank itself may need no request. Both messages are waited for also if one of them
 * fails; returns the error of the send, or else that of the receive. */
static inline __attribute__((always_inline)) int sendrecv(const void *sendbuf, int64_t sendcount, struct type *sendtype, int dest, int sendtag, void *recvbuf, int64_t recvcount, struct type *recvtype, int source, int recvtag, struct comm *comm, MPI_Status *status, const char *function)
{
    if (unlikely(source == MPI_PROC_NULL)) {
        int err = send_part(sendbuf, sendcount, sendtype, dest, sendtag, comm, function);
        return err ? err : null_status(status);
    }
    if (unlikely(em_busy())) {
        MPI_Request request;
        int err = em_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &request);
        int sent = err ? err : send_part(sendbuf, sendcount, sendtype, dest, sendtag, comm, function);
        if (!err)
            err = em_finish((struct request *)request, status, function);
        return sent ? sent : err;
    }
    MPIR_RHANDLE receive;
    MPID_Status s;
    if (dest == comm->rank && sendtype->device.is_contig && recvtype->device.is_contig && !comm->inter) {
        int own_err = MPID_SUCCESS;
        int64_t bytes = sendcount * sendtype->device.size, room = recvcount * recvtype->device.size;
        if (MPID_SendrecvOwn((const char *)sendbuf + sendtype->device.true_lb, bytes, comm->rank, sendtag, (char *)recvbuf + recvtype->device.true_lb, room,
                             source, recvtag, comm->context + CONTEXT_POINT, &s, &own_err)) {
            give_status(status, &s);
            return likely(!own_err) ? MPI_SUCCESS : em_device_error(own_err);
        }
    }
    int err = em_irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, CONTEXT_POINT, &receive);
    if (unlikely(err))
        return err;
    const char *outer = em_wait_as(function);
    int sent = dest == MPI_PROC_NULL ? MPI_SUCCESS : em_send(sendbuf, sendcount, sendtype, dest, sendtag, comm, CONTEXT_POINT, function);
    MPID_RecvComplete(&receive, &s, &err);
    em_wait_as(outer);
    give_status(status, &s);
    return likely(!(sent | err)) ? MPI_SUCCESS : sent ? sent : em_device_error(err);
}

/* Posts the receive before it sends, so that two processes that call this for each other never block. */
int em_Sendrecv(const void *sendbuf, int64_t sendcount, struct type *sendtype, int dest, int sendtag, void *recvbuf, int64_t recvcount, struct type *recvtype, int source, int recvtag, struct comm *comm, MPI_Status *status)
{
    return sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status, "MPI_Sendrecv");
}

/* Sends a packed copy of the buffer, because the receive overwrites the buffer itself. The copy is freed when both are
 * complete. */
int em_Sendrecv_replace(void *buf, int64_t count, struct type *type, int dest, int sendtag, int source, int recvtag, struct comm *comm, MPI_Status *status)
{
    int64_t bytes, position = 0;
    struct type *packed = em_type_of(MPI_PACKED);
    int err = em_Pack_size(count, type, comm, &bytes);
    if (err)
        return err;
    char *copy = malloc(bytes ? (size_t)bytes : 1);
    if (!copy)
        return em_error(MPI_ERR_NO_MEM, "no memory for a copy of %lld bytes", (long long)bytes);
    err = em_Pack(buf, count, type, copy, bytes, &position, comm);
    if (!err)
        err = sendrecv(copy, bytes, packed, dest, sendtag, buf, count, type, source, recvtag, comm, status, "MPI_Sendrecv_replace");
    free(copy);
    return err;
}

/* ---- probes ---- */

/* Writes whether a matching message has arrived. It runs the device's progress, so a loop of calls ends (MPI-5.0,
 * 3.8.1). */
int em_Iprobe(int source, int tag, struct comm *comm, int *flag, MPI_Status *status)
{
    MPID_Status s;
    int err = MPID_SUCCESS;
    if (source == MPI_PROC_NULL) {
        *flag = 1;
        return null_status(status);
    }
    if (unlikely(em_busy()))
        em_progress();
    *flag = 0;
    MPID_Iprobe(&comm->device, tag, comm->context + CONTEXT_POINT, source, flag, &err, &s);
    if (*flag)
        give_status(status, &s);
    else
        em_found_nothing();
    return likely(err == MPID_SUCCESS) ? MPI_SUCCESS : em_device_error(err);
}

/* Waits until a function finds a message. */
static int wait_for_message(bool (*find)(void *argument), void *argument, int source, int tag, struct comm *comm, const char *function)
{
    struct MPID_Blocked why;
    for (;;) {
        uint32_t ticket = MPID_Ticket();
        if (find(argument))
            return MPI_SUCCESS;
        if (em_progress())
            continue;
        em_describe(&why, function, comm, source, tag, comm->context + CONTEXT_POINT);
        int err = MPID_Sleep(ticket, &why);
        if (unlikely(err != MPID_SUCCESS))
            return em_device_error(err);
    }
}

struct probe {
    int source, tag;
    struct comm *comm;
    MPI_Status *status;
    MPID_Status envelope;
    struct adi_entry *entry;
};

/* The condition of em_Probe's wait: stores the envelope of a matching message and leaves the message in its queue. */
static bool find_message(void *argument)
{
    struct probe *probe = argument;
    int flag = 0, err;
    MPID_Iprobe(&probe->comm->device, probe->tag, probe->comm->context + CONTEXT_POINT, probe->source, &flag, &err, &probe->envelope);
    return flag;
}

/* The condition of em_Mprobe's wait: takes a matching message out of its queue, so that no other receive can match it. */
static bool take_message(void *argument)
{
    struct probe *probe = argument;
    probe->entry = MPID_Improbe(&probe->comm->device, probe->tag, probe->comm->context + CONTEXT_POINT, probe->source, &probe->envelope);
    return probe->entry;
}

/* Waits for a matching message, which stays in the queue. With several threads another one may receive it first. */
int em_Probe(int source, int tag, struct comm *comm, MPI_Status *status)
{
    struct probe probe = {source, tag, comm, status, {0}, NULL};
    if (source == MPI_PROC_NULL)
        return null_status(status);
    int err = wait_for_message(find_message, &probe, source, tag, comm, "MPI_Probe");
    if (!err)
        give_status(status, &probe.envelope);
    return err;
}

/* ---- matched probes ---- */

/* Makes the message object of a probe that has taken a message. */
static int give_message(struct probe *probe, MPI_Message *handle)
{
    struct message *message = em_new(MESSAGE);
    if (!message)
        return em_error(MPI_ERR_NO_MEM, "no memory for a message handle");
    message->comm = probe->comm;
    em_retain(&probe->comm->head);
    message->entry = probe->entry;
    message->source = probe->envelope.MPI_SOURCE;
    message->tag = probe->envelope.MPI_TAG;
    *handle = (MPI_Message)message;
    give_status(probe->status, &probe->envelope);
    return MPI_SUCCESS;
}

/* Takes a matching message out of the queue if one has arrived. Writes a message handle, which em_Mrecv or em_Imrecv
 * consumes. */
int em_Improbe(int source, int tag, struct comm *comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct probe probe = {source, tag, comm, status, {0}, NULL};
    if (source == MPI_PROC_NULL) {
        *flag = 1;
        *message = MPI_MESSAGE_NO_PROC;
        return null_status(status);
    }
    if (unlikely(em_busy()))
        em_progress();
    *flag = take_message(&probe);
    if (*flag)
        return give_message(&probe, message);
    em_found_nothing();
    return MPI_SUCCESS;
}

/* Waits for a matching message and takes it out of the queue, as em_Improbe does. */
int em_Mprobe(int source, int tag, struct comm *comm, MPI_Message *message, MPI_Status *status)
{
    struct probe probe = {source, tag, comm, status, {0}, NULL};
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        return null_status(status);
    }
    int err = wait_for_message(take_message, &probe, source, tag, comm, "MPI_Mprobe");
    return err ? err : give_message(&probe, message);
}

/* Starts the receive of a message and frees its handle. *result is the request. */
static int receive_message(void *buf, int64_t count, struct type *type, MPI_Message *handle, struct request **result)
{
    struct message *message = (struct message *)*handle;
    bool none = *handle == MPI_MESSAGE_NO_PROC;
    if (!none && (NUMBER(*handle) < PREDEFINED || message->head.cookie != COOKIE(MESSAGE)))
        return em_error(MPI_ERR_REQUEST, "message is not a valid message handle");
    struct request *request = em_request_new(none ? &em_null_kind : &em_receive_kind, none ? NULL : message->comm, NULL);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->peer = none ? MPI_PROC_NULL : message->source;
    request->mode = MODE_RECEIVE;
    *handle = MPI_MESSAGE_NULL;
    *result = request;
    if (none)
        return MPI_SUCCESS;
    bool contiguous = type->device.is_contig;
    int64_t bytes = count * type->device.size;
    MPID_Imrecv(&message->comm->device, contiguous ? (char *)buf + type->device.true_lb : buf, contiguous ? bytes : count,
                contiguous ? NULL : &type->device, message->entry, &request->device.rhandle);
    em_comm_release(message->comm);
    em_delete(MESSAGE, message);
    return MPI_SUCCESS;
}

/* Starts the receive of a taken message. *message becomes MPI_MESSAGE_NULL. */
int em_Imrecv(void *buf, int64_t count, struct type *type, MPI_Message *message, MPI_Request *handle)
{
    struct request *request;
    int err = receive_message(buf, count, type, message, &request);
    if (!err)
        *handle = (MPI_Request)request;
    return err;
}

/* Receives a taken message. The request that it needs meanwhile is freed before it returns. */
int em_Mrecv(void *buf, int64_t count, struct type *type, MPI_Message *message, MPI_Status *status)
{
    struct request *request;
    int err = receive_message(buf, count, type, message, &request);
    return err ? err : em_finish(request, status, "MPI_Mrecv");
}
