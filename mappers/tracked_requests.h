/*
 * Tracked requests: requests for which the front keeps more than the runtime's handle. These are
 * operations that read converted arrays until they complete, and duplications of communicators
 * whose handle the runtime delivers with the completion (MPI-5.0, 7.4.2).
 *
 * State: a struct tracked_request is taken by tracked_new before the runtime's call. If the call
 * starts a request, tracked_enter enters the struct and gives it a handle for the program;
 * otherwise tracked_discard gives it back. tracked_end ends and gives back an entered struct when
 * its request is complete, after which its handle is not found any more. A persistent request stays
 * entered until it is freed. tracked_shown enters a struct in `tracked_requests` when Fortran gets
 * the integer of the runtime's request, from which only that table leads back.
 *
 * Ownership: the struct owns its arrays. Each thread keeps up to SPARE_RECORDS structs for its next
 * requests, and frees them when it ends. The registry (registry.h) maps the program's handle to
 * the struct. Locking: tracked_mutex protects `tracked_requests`, and the fields request and
 * by_request of the structs in it. tracked_a2r reads a request without the lock, because no other
 * thread may start or complete it at that time.
 *
 * Gives: tracked_new, tracked_array, record_comm, tracked_discard, tracked_deliver, tracked_enter,
 * tracked_of, tracked_a2r, tracked_replace, tracked_shown, tracked_find, tracked_end,
 * tracked_thread_exit.
 * Needs: pair.h, layout.h, handles.h, chains.h, registry.h.
 */
#ifndef WI4GO_TRACKED_REQUESTS_H
#define WI4GO_TRACKED_REQUESTS_H
#include "pair.h"
#include "layout.h"
#include "handles.h"
#include "chains.h"
#include "registry.h"
#include <pthread.h>

/* A tracked request. */
struct tracked_request {
    struct wi4go_chained by_request; /* its entry in `tracked_requests` */
    int shown;                       /* 1 if it has such an entry */
    unsigned n_spare;                /* while it is spare, the number of spare structs from it on */
    struct tracked_request *spare;   /* the next spare struct of the thread */
    R_MPI_Request request;           /* the runtime's */
    void *array[2];                  /* large memory that the runtime reads until the completion, or NULL */
    size_t used;                     /* the bytes in use of the next member, which serves small arrays */
    _Alignas(8) char small[64 * sizeof(R_MPI_Datatype)];
    R_MPI_Comm comm;                 /* the variable into which the runtime writes a new communicator */
    A_MPI_Comm *target;              /* the program's variable for it, or NULL once written or without one */
    int64_t handle;                  /* the program's handle (registry.h) */
};

/* All tracked requests, by the runtime's request. */
#define tracked_requests PAIR(tracked_requests)
SHARED struct wi4go_chains tracked_requests;
#define tracked_mutex PAIR(tracked_mutex)
SHARED pthread_mutex_t tracked_mutex INITIALLY(PTHREAD_MUTEX_INITIALIZER);
_Static_assert(offsetof(struct wi4go_chains, n) == CHAINS_COUNT, "layout.h");

#define tracked_new PAIR(tracked_new)
#define tracked_array PAIR(tracked_array)
#define tracked_discard PAIR(tracked_discard)
#define tracked_enter PAIR(tracked_enter)
#define tracked_a2r PAIR(tracked_a2r)
#define tracked_replace PAIR(tracked_replace)
#define tracked_find PAIR(tracked_find)
#define tracked_deliver PAIR(tracked_deliver)
#define tracked_shown PAIR(tracked_shown)
#define tracked_end PAIR(tracked_end)
#define tracked_thread_exit PAIR(tracked_thread_exit)

/* Returns a struct that is not entered. Ends the process if memory is exhausted. */
struct tracked_request *tracked_new(void) HIDDEN;
/* Returns memory of some bytes that lives as long as the request, at most twice for a request.
   Creates the struct at *kept if there is none. Ends the process if memory is exhausted. */
void *tracked_array(struct tracked_request **kept, size_t bytes) HIDDEN;
/* Gives back a struct that is not entered, and frees its arrays. o may be NULL. */
void tracked_discard(struct tracked_request *o) HIDDEN;
/* Enters a struct as the tracked request r, and gives it a handle for the program. */
void tracked_enter(struct tracked_request *o, R_MPI_Request r) HIDDEN;
/* Returns the runtime's request of the program's handle a, which has the form of a tracked
   request's. If its request is over, the result is a handle that the runtime refuses. */
R_MPI_Request tracked_a2r(int64_t a) HIDDEN __attribute__((noinline));
/* Replaces the runtime's request of an entered struct by r. */
FOR_SIZE void tracked_replace(struct tracked_request *o, R_MPI_Request r) HIDDEN;
/* Returns r, the runtime's request of the program's handle a, for Fortran. If a is a tracked
   request's, tracked_find finds it from now on. */
R_MPI_Request tracked_shown(A_MPI_Request a, R_MPI_Request r) HIDDEN;
/* Returns the struct of the runtime's request r, or NULL if tracked_shown has not shown it. */
struct tracked_request *tracked_find(R_MPI_Request r) HIDDEN;
/* Writes the handle of a new communicator to the program's variable, once, if the runtime has
   delivered it. */
void tracked_deliver(struct tracked_request *o) HIDDEN;
/* Delivers, removes and gives back an entered struct whose request is over. */
void tracked_end(struct tracked_request *o) HIDDEN;
/* Frees the spare structs of this thread. */
void tracked_thread_exit(void) HIDDEN;

/* Returns the address at which the runtime stores the handle of a new communicator, or NULL if
   target is NULL. target is the program's variable, into which the handle is written when it is
   known: a runtime delivers it with the call or with the completion of the request. In the first
   case the program gets it at once; a Fortran library depends on that, because its *newcomm does
   not exist after the call. */
static inline R_MPI_Comm *record_comm(struct tracked_request *o, A_MPI_Comm *target)
{
    o->comm = R_MPI_COMM_NULL;
    o->target = target;
    return target ? &o->comm : NULL;
}

/* Returns the struct of the program's handle a, or NULL if its request is over. */
static inline struct tracked_request *tracked_of(int64_t a) { return wi4go_tracked_find(WI4GO_TRACKED_TRANSLATED, a); }

#if DEFINES_SHARED
#define SPARE_RECORDS 64
HIDDEN __thread struct tracked_request *PAIR(spare_records) __attribute__((tls_model("initial-exec")));
#define spare_records PAIR(spare_records)

struct tracked_request *tracked_new(void)
{
    struct tracked_request *o = spare_records;
    if (likely(o)) {
        spare_records = o->spare;
        return o;
    }
    o = calloc(1, sizeof *o);
    if (!o)
        wi4go_die("out of memory for a request");
    return o;
}

/* Returns memory of some bytes for an array that does not fit into the struct. */
static __attribute__((noinline)) void *large_array(struct tracked_request *o, size_t bytes)
{
    void **place = o->array[0] ? &o->array[1] : &o->array[0];
    *place = malloc(bytes);
    if (!*place)
        wi4go_die("out of memory for the datatypes of a collective operation (%zu bytes)", bytes);
    return *place;
}

void *tracked_array(struct tracked_request **kept, size_t bytes)
{
    struct tracked_request *o = *kept;
    if (!o)
        *kept = o = tracked_new();
    bytes = (bytes + 7) & ~(size_t)7;
    if (unlikely(bytes > sizeof o->small - o->used))
        return large_array(o, bytes);
    void *memory = o->small + o->used;
    o->used += bytes;
    return memory;
}

void tracked_discard(struct tracked_request *o)
{
    if (!o)
        return;
    if (unlikely(o->array[0])) {
        free(o->array[0]);
        free(o->array[1]);
        o->array[0] = o->array[1] = NULL;
    }
    o->used = 0;
    o->target = NULL;
    struct tracked_request *next = spare_records;
    if (!next)
        wi4go_watch_thread();
    else if (unlikely(next->n_spare == SPARE_RECORDS)) {
        free(o);
        return;
    }
    o->n_spare = next ? next->n_spare + 1 : 1;
    o->spare = next;
    spare_records = o;
}

void tracked_thread_exit(void)
{
    for (struct tracked_request *o; (o = spare_records);) {
        spare_records = o->spare;
        free(o);
    }
}

void tracked_enter(struct tracked_request *o, R_MPI_Request r)
{
    o->request = r;
    o->handle = wi4go_tracked_enter(WI4GO_TRACKED_TRANSLATED, o);
}

R_MPI_Request tracked_shown(A_MPI_Request a, R_MPI_Request r)
{
    struct tracked_request *o = wi4go_is_tracked(a) ? tracked_of(a) : NULL;
    if (likely(!o))
        return r;
    pthread_mutex_lock(&tracked_mutex);
    if (!o->shown)
        wi4go_chains_enter(&tracked_requests, &o->by_request, (uint64_t)r);
    o->shown = 1;
    pthread_mutex_unlock(&tracked_mutex);
    return r;
}

R_MPI_Request tracked_a2r(int64_t a)
{
    struct tracked_request *o = tracked_of(a);
    return likely(o) ? o->request : (R_MPI_Request)bad_handle(KIND_REQUEST);
}

void tracked_replace(struct tracked_request *o, R_MPI_Request r)
{
    if (likely(o->request == r))
        return;
    pthread_mutex_lock(&tracked_mutex);
    o->request = r;
    if (o->shown) {
        wi4go_chains_leave(&tracked_requests, &o->by_request);
        wi4go_chains_enter(&tracked_requests, &o->by_request, (uint64_t)r);
    }
    pthread_mutex_unlock(&tracked_mutex);
}

struct tracked_request *tracked_find(R_MPI_Request r)
{
    pthread_mutex_lock(&tracked_mutex);
    struct tracked_request *o = (void *)wi4go_chains_find(&tracked_requests, (uint64_t)r);
    pthread_mutex_unlock(&tracked_mutex);
    return o;
}

/* Removes a struct from `tracked_requests`. */
static __attribute__((noinline)) void tracked_leave(struct tracked_request *o)
{
    pthread_mutex_lock(&tracked_mutex);
    wi4go_chains_leave(&tracked_requests, &o->by_request);
    o->shown = 0;
    pthread_mutex_unlock(&tracked_mutex);
}

void tracked_deliver(struct tracked_request *o)
{
    if (o->target && o->comm != R_MPI_COMM_NULL) {
        *o->target = COMM_r2a(o->comm);
        o->target = NULL;
    }
}

void tracked_end(struct tracked_request *o)
{
    tracked_deliver(o);
    wi4go_tracked_leave(o->handle);
    if (unlikely(o->shown))
        tracked_leave(o);
    tracked_discard(o);
}
#endif
#endif
