/*
 * Sends (MPI-5.0, 3.4 to 3.9). A blocking send goes to the device directly, unless collective
 * operations are in progress or other threads run: then it is a nonblocking send that is waited for,
 * because the device alone would not progress these.
 */
#include "messages.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/request.h"
#include "../base/status.h"

#include <stdlib.h>

static inline int grank_of(const struct comm *comm, int rank) { return comm->device.lrank_to_grank ? comm->device.lrank_to_grank[rank] : rank; }

/* The place of the first byte, and the number of bytes, of contiguous data. */
static inline const char *first_byte(const void *buf, const struct type *type) { return (const char *)buf + type->device.true_lb; }

/* Starts a send in the device. mode selects standard, synchronous or ready. The buffer and the datatype must live
 * until the send has completed. */
int em_isend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, int mode, MPIR_SHANDLE *send)
{
    int err = MPID_SUCCESS, to = grank_of(comm, dest);
    context += comm->context;
    if (likely(type->device.is_contig)) {
        int64_t bytes = count * type->device.size;
        const char *data = bytes ? first_byte(buf, type) : NULL;
        if (mode == MODE_SYNCHRONOUS)
            MPID_IssendContig(&comm->device, data, bytes, comm->rank, tag, context, to, MPID_MSGFORM_OK, send, &err);
        else if (mode == MODE_READY)
            MPID_IrsendContig(&comm->device, data, bytes, comm->rank, tag, context, to, MPID_MSGFORM_OK, send, &err);
        else
            MPID_IsendContig(&comm->device, data, bytes, comm->rank, tag, context, to, MPID_MSGFORM_OK, send, &err);
    } else if (mode == MODE_SYNCHRONOUS) {
        MPID_IssendDatatype(&comm->device, buf, count, &type->device, comm->rank, tag, context, to, send, &err);
    } else if (mode == MODE_READY) {
        MPID_IrsendDatatype(&comm->device, buf, count, &type->device, comm->rank, tag, context, to, send, &err);
    } else {
        MPID_IsendDatatype(&comm->device, buf, count, &type->device, comm->rank, tag, context, to, send, &err);
    }
    return likely(err == MPID_SUCCESS) ? MPI_SUCCESS : em_device_error(err);
}

/* ---- requests ---- */

bool em_message_complete(struct request *request) { return atomic_load_explicit(&request->device.common.is_complete, memory_order_acquire); }

/* Returns the error code of a completed send. Writes the status only for a cancelled one. */
static int finish_send_request(struct request *request, MPI_Status *status)
{
    MPIR_SHANDLE *send = &request->device.shandle;
    int err = send->errval;
    if (unlikely(err == MPIR_ERR_CANCELLED))
        em_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
    return likely(!err) ? MPI_SUCCESS : em_device_error(err);
}

/* Cancels a send whose message the receiver has not matched yet. */
static int cancel_send(struct request *request)
{
    int err = MPID_SUCCESS;
    MPID_SendCancel(&request->device.shandle, &err);
    return em_device_error(err);
}

/* Lets the device free its part when the message is complete, for MPI_Request_free on an active request. */
void em_message_abandon(struct request *request)
{
    int err = MPID_SUCCESS;
    MPID_Request_free(&request->device, &err);
}

/* Adds the receiver to the description of a wait. Its lrank becomes -1, which marks a send. */
static void describe_send(struct request *request, struct MPID_Blocked *why)
{
    const MPIR_SHANDLE *send = &request->device.shandle;
    int i = why->peers;
    em_describe_peer(why, request->comm, request->peer, send->device.tag, send->device.context);
    if (i < why->peers)
        why->peer[i].lrank = -1;
}

/* Starts a persistent send with the arguments that its request keeps. */
static int start_send_request(struct request *r)
{
    return em_isend(r->buf, r->count, r->type, r->peer, r->tag, r->comm, CONTEXT_POINT, r->mode, &r->device.shandle);
}

const struct request_kind em_send_kind = {"send", em_message_complete, finish_send_request, start_send_request, cancel_send, em_message_abandon, describe_send, NULL, NULL, true};

/* ---- blocking sends ---- */

/* A blocking send as a request. */
static int send_and_progress(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, int mode, const char *function)
{
    struct request *request = em_request_new(&em_send_kind, comm, NULL);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->peer = dest;
    int err = em_isend(buf, count, type, dest, tag, comm, context, mode, &request->device.shandle);
    if (err) {
        em_request_free(request);
        return err;
    }
    return em_finish(request, NULL, function);
}

/* A blocking standard send without a request object, for speed. If schedules or other work are active it takes the
 * slower path that makes progress for them while it waits. */
int em_send(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, const char *function)
{
    int err = MPID_SUCCESS;
    if (unlikely(em_busy()))
        return send_and_progress(buf, count, type, dest, tag, comm, context, MODE_STANDARD, function);
    context += comm->context;
    if (likely(type->device.is_contig)) {
        int64_t bytes = count * type->device.size;
        MPID_SendContig(&comm->device, bytes ? first_byte(buf, type) : NULL, bytes, comm->rank, tag, context, grank_of(comm, dest), MPID_MSGFORM_OK, &err);
    } else {
        MPID_SendDatatype(&comm->device, buf, count, &type->device, comm->rank, tag, context, grank_of(comm, dest), &err);
    }
    return likely(err == MPID_SUCCESS) ? MPI_SUCCESS : em_device_error(err);
}

/* A send to MPI_PROC_NULL completes at once and never reaches the device. */
int em_Send(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm)
{
    if (unlikely(dest == MPI_PROC_NULL))
        return MPI_SUCCESS;
    return em_send(buf, count, type, dest, tag, comm, CONTEXT_POINT, "MPI_Send");
}

int em_Ssend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm)
{
    return dest == MPI_PROC_NULL ? MPI_SUCCESS : send_and_progress(buf, count, type, dest, tag, comm, CONTEXT_POINT, MODE_SYNCHRONOUS, "MPI_Ssend");
}

int em_Rsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm)
{
    return dest == MPI_PROC_NULL ? MPI_SUCCESS : send_and_progress(buf, count, type, dest, tag, comm, CONTEXT_POINT, MODE_READY, "MPI_Rsend");
}

/* ---- nonblocking sends ---- */

/* The nonblocking sends of all modes. Writes a request that holds a reference to comm, and frees it after an error of
 * the device. */
static int isend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int mode, MPI_Request *handle)
{
    bool null = unlikely(dest == MPI_PROC_NULL);
    struct request *request = em_request_new(null ? &em_null_kind : &em_send_kind, comm, NULL);
    if (unlikely(!request))
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->peer = dest;
    int err = null ? MPI_SUCCESS : em_isend(buf, count, type, dest, tag, comm, CONTEXT_POINT, mode, &request->device.shandle);
    if (unlikely(err)) {
        em_request_free(request);
        return err;
    }
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

int em_Isend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return isend(buf, count, type, dest, tag, comm, MODE_STANDARD, request);
}
int em_Issend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return isend(buf, count, type, dest, tag, comm, MODE_SYNCHRONOUS, request);
}
int em_Irsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return isend(buf, count, type, dest, tag, comm, MODE_READY, request);
}
/* ---- persistent requests ---- */

/* Makes an inactive persistent request for a send or a receive. It keeps the arguments and holds references to comm
 * and type until it is freed. */
int em_message_init(const struct request_kind *kind, void *buf, int64_t count, struct type *type, int peer, int tag, struct comm *comm, int mode, MPI_Request *handle)
{
    struct request *request = em_request_new(peer == MPI_PROC_NULL ? &em_null_kind : kind, comm, type);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->persistent = true;
    request->active = false;
    request->buf = buf;
    request->count = count;
    request->peer = peer;
    request->tag = tag;
    request->mode = (uint8_t)mode;
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

int em_Send_init(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return em_message_init(&em_send_kind, (void *)buf, count, type, dest, tag, comm, MODE_STANDARD, request);
}
int em_Ssend_init(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return em_message_init(&em_send_kind, (void *)buf, count, type, dest, tag, comm, MODE_SYNCHRONOUS, request);
}
int em_Rsend_init(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return em_message_init(&em_send_kind, (void *)buf, count, type, dest, tag, comm, MODE_READY, request);
}
