/*
 * Requests: creation, waiting and completion, and the kind of requests that are complete when they are started. The
 * other kinds belong to the floors above (messages in mpi/send.c and mpi/receive.c, schedules in coll/schedule.c).
 */
#include "request.h"
#include "errors.h"
#include "pool.h"
#include "release.h"
#include "status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request *em_request_new(const struct request_kind *kind, struct comm *comm, struct type *type)
{
    struct request *request = em_new_request();
    if (unlikely(!request))
        return NULL;
    request->kind = kind;
    request->active = true;
    request->comm = comm;
    request->type = type;
    if (comm)
        em_retain(&comm->head);
    if (type)
        em_retain(&type->head);
    return request;
}

void em_request_free(struct request *request)
{
    if (request->kind->destroy)
        request->kind->destroy(request);
    em_comm_release(request->comm);
    if (request->type)
        request->type->device.ops->release(&request->type->device);
    em_delete(REQUEST, request);
}

void em_request_abandoned(union MPIR_HANDLE *handle) { em_request_free((struct request *)handle); }

/* ---- waiting ---- */

bool em_progress(void)
{
    bool any = MPID_DeviceCheck(MPID_NOTBLOCKING);
    if (unlikely(atomic_load_explicit(&em->schedules.running, memory_order_relaxed))) /* a hint: it looks again */
        any |= em->schedules.progress();
    return any;
}

void em_found_nothing(void)
{
    enum { CALLS = 16 };
    static _Thread_local unsigned calls __attribute__((tls_model("initial-exec")));
    if (++calls % CALLS == 0)
        MPID_Yield();
}

/* A wait for requests. */
struct waiting {
    int n;                          /* length of the array */
    struct request *const *requests; /* may have NULL, null handles and inactive requests */
    const char *function;
    double since;                   /* time of the first description, or 0 before it */
    double examined;                /* requests, for all descriptions */
};

/* Returns how many of the requests may be examined: in all sleeps of a wait so few that this takes a small part of its time, because
 * a wait for a million requests may sleep a million times. */
static int most_described(struct waiting *w)
{
    static const double few = 100, each_second = 2e6 /* one takes up to 0.1 us */;
    double now, most;
    MPID_Wtime(&now);
    if (w->since == 0)
        w->since = now;
    most = few + (now - w->since) * each_second - w->examined;
    if (most < few)
        most = few;
    if (most > w->n)
        most = w->n;
    w->examined += most;
    return (int)most;
}

/* Fills the description of a wait, when the thread is about to sleep. */
static void describe_requests(void *argument, struct MPID_Blocked *why)
{
    struct waiting *w = argument;
    strncpy(why->function, w->function, sizeof why->function - 1);
    for (int i = 0, most = most_described(w); i < most; i++) {
        struct request *request = em_request_of((MPI_Request)w->requests[i]);
        if (!request || !request->active || em_complete(request))
            continue;
        why->requests++;
        if (request->kind->blocked)
            request->kind->blocked(request, why);
    }
}

/* Returns the rank at the other end of the first request that is not complete, or -1 if that is not a message. */
static int partner_of_first(void *argument)
{
    const struct waiting *w = argument;
    for (int i = 0; i < w->n; i++) {
        struct request *request = em_request_of((MPI_Request)w->requests[i]);
        if (request && request->active && !em_complete(request))
            return request->kind->is_message ? MPID_Partner(&request->device) : -1;
    }
    return -1;
}

/* Waits until one of the first requests is complete. Result: see em_wait_any. */
static int wait_until_one(struct waiting *w, int first)
{
    enum { POLLS = 32 }; /* then the device polls, and sleeps */
    for (int polls = MPID_Oversubscribed() ? POLLS : 0;; polls++) {
        uint32_t ticket = MPID_Ticket();
        for (int i = 0; i < first; i++)
            if (w->requests[i] && em_complete(w->requests[i]))
                return i;
        if (em_progress() || polls < POLLS)
            continue;
        int err = MPID_Wait(ticket, NULL, describe_requests, partner_of_first, w);
        if (unlikely(err != MPID_SUCCESS))
            return -em_device_error(err);
    }
}

int em_wait_any(int n, struct request *const *requests, const char *function)
{
    return wait_until_one(&(struct waiting){.n = n, .requests = requests, .function = function}, n);
}

int em_wait_first(int n, const MPI_Request *handles, const char *function)
{
    int i = wait_until_one(&(struct waiting){.n = n, .requests = (struct request *const *)handles, .function = function}, 1);
    return i < 0 ? -i : MPI_SUCCESS;
}

int em_wait(struct request *request, const char *function)
{
    if (likely(em_complete(request)))
        return MPI_SUCCESS;
    int i = em_wait_any(1, &request, function);
    return i < 0 ? -i : MPI_SUCCESS;
}

int em_take(struct request *request, MPI_Status *status)
{
    MPI_Status own;
    if (!status)
        status = &own;
    em_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    if (request->persistent && !request->active)
        return MPI_SUCCESS;
    int err = likely(!request->error) ? request->kind->finish(request, status) : request->error;
    request->active = false;
    /* Unless the request is the last user of the communicator, which then ends with it. */
    if (unlikely(err && request->comm && (request->comm->head.predefined || atomic_load(&request->comm->head.references) > 1)))
        em_error_of(request->comm);
    if (!request->persistent)
        em_request_free(request);
    else
        request->error = MPI_SUCCESS;
    return err;
}

int em_finish(struct request *request, MPI_Status *status, const char *function)
{
    int err = request->active ? em_wait(request, function) : MPI_SUCCESS;
    return unlikely(err) ? err : em_take(request, status);
}

/* ---- descriptions of waits ---- */

void em_describe_comm(struct MPID_Blocked *why, const struct comm *comm)
{
    if (*comm->name)
        memcpy(why->object, comm->name, strnlen(comm->name, sizeof why->object - 1));
    else
        snprintf(why->object, sizeof why->object, "a communicator of %d", comm->size);
}

void em_describe_peer(struct MPID_Blocked *why, struct comm *comm, int rank, int tag, int context)
{
    if (why->peers == MPID_MAX_PEERS)
        return;
    if (comm && !*why->object)
        em_describe_comm(why, comm);
    else if (why->peers && context / CONTEXTS != why->peer[0].context / CONTEXTS)
        strcpy(why->object, "several communicators");
    int i = why->peers++;
    why->peer[i].lrank = rank;
    why->peer[i].grank = rank < 0 || !comm ? -1 : comm->device.lrank_to_grank ? comm->device.lrank_to_grank[rank] : rank;
    why->peer[i].tag = tag;
    why->peer[i].context = context;
}

void em_describe(struct MPID_Blocked *why, const char *function, struct comm *comm, int rank, int tag, int context)
{
    memset(why, 0, sizeof *why);
    strncpy(why->function, function, sizeof why->function - 1);
    why->requests = 1;
    em_describe_peer(why, comm, rank, tag, context);
}

/* ---- messages to or from MPI_PROC_NULL ---- */

static bool null_complete(struct request *request) { return true; }

static int finish_null(struct request *request, MPI_Status *status)
{
    if (request->peer == MPI_PROC_NULL)
        em_status_set(status, request->mode == MODE_RECEIVE ? MPI_PROC_NULL : MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    return MPI_SUCCESS;
}

static int start_null(struct request *request) { return MPI_SUCCESS; }

static int cancel_null(struct request *request) { return MPI_SUCCESS; }

const struct request_kind em_null_kind = {"complete", null_complete, finish_null, start_null, cancel_null, em_request_free, NULL, NULL, NULL, false};
