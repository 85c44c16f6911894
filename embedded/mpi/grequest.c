/*
 * Generalized requests (MPI-5.0, 13.2). A request owns its record (request->extra). The functions of the program
 * run without a lock.
 */
#include "functions.h"
#include "../base/errors.h"
#include "../base/request.h"

#include <stdlib.h>

struct grequest {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
    atomic_bool complete;
    atomic_bool freed; /* the program has freed the request before it was complete */
};

static bool grequest_complete(struct request *request)
{
    return atomic_load_explicit(&((struct grequest *)request->extra)->complete, memory_order_acquire);
}

/* Asks the program's query function for the status. The function may be called more than once. */
static int peek_grequest(struct request *request, MPI_Status *status)
{
    struct grequest *g = request->extra;
    return g->query ? g->query(g->state, status) : MPI_SUCCESS;
}

/* The program's query function, then its free function. The first error is the request's. */
static int finish_grequest(struct request *request, MPI_Status *status)
{
    struct grequest *g = request->extra;
    int err = peek_grequest(request, status);
    int freed = g->free ? g->free(g->state) : MPI_SUCCESS;
    return err ? err : freed;
}

/* Passes to the program's function whether the operation is complete already. */
static int cancel_grequest(struct request *request)
{
    struct grequest *g = request->extra;
    return g->cancel ? g->cancel(g->state, grequest_complete(request)) : MPI_SUCCESS;
}

static void destroy_grequest(struct request *request) { free(request->extra); }

/* Calls the program's free function once, at the end of the request. */
static void free_grequest(struct request *request)
{
    struct grequest *g = request->extra;
    if (g->free)
        g->free(g->state);
    em_request_free(request);
}

/* If the operation still runs, em_Grequest_complete frees the request: the program's state must live until then. */
static void abandon_grequest(struct request *request)
{
    struct grequest *g = request->extra;
    if (grequest_complete(request))
        free_grequest(request);
    else
        atomic_store_explicit(&g->freed, true, memory_order_release);
}

/* Another thread completes it, with each level of MPI_Init_thread in other libraries. */
static void grequest_blocked(struct request *request, struct MPID_Blocked *why)
{
    (void)request;
    why->threads |= MPID_OTHERS_COMPLETE;
}

static const struct request_kind grequest_kind = {"generalized request", grequest_complete, finish_grequest, NULL, cancel_grequest, abandon_grequest, grequest_blocked, destroy_grequest, peek_grequest, false};

/* The request is active until em_Grequest_complete. No communicator or datatype belongs to it. */
int em_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free_function, MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *handle)
{
    struct grequest *g = malloc(sizeof *g);
    struct request *request = g ? em_request_new(&grequest_kind, NULL, NULL) : NULL;
    if (!request) {
        free(g);
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    }
    g->query = query;
    g->free = free_function;
    g->cancel = cancel;
    g->state = state;
    atomic_init(&g->complete, false);
    atomic_init(&g->freed, false);
    request->extra = g;
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

/* Any thread may call this. `freed` is read before `complete` is stored, because the owner may free the request right
 * after that. */
int em_Grequest_complete(MPI_Request handle)
{
    struct request *request = em_request_of(handle);
    if (!request || request->kind != &grequest_kind)
        return em_error(MPI_ERR_REQUEST, "request is not a generalized request");
    struct grequest *g = request->extra;
    bool freed = atomic_load_explicit(&g->freed, memory_order_acquire);
    atomic_store_explicit(&g->complete, true, memory_order_release);
    MPID_Event(); /* another thread may sleep in MPI_Wait */
    if (freed)
        free_grequest(request);
    return MPI_SUCCESS;
}
