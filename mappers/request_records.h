/*
 * Tracked requests: requests for which the front keeps more than the runtime's handle. These are
 * operations that read converted arrays until they complete, and duplications of communicators
 * whose handle the runtime delivers with the completion (MPI-5.0, 7.4.2).
 *
 * State: a struct record is created by record_new before the runtime's call. If the call starts
 * a request, record_list enters the struct and gives it a handle for the program; otherwise
 * record_discard frees it. record_over ends and frees an entered struct when its request is
 * complete, after which its handle is not found any more. A persistent request stays entered
 * until it is freed.
 *
 * Ownership: the struct owns its arrays. The registry (records.h) maps the program's handle to
 * the struct, and `records` maps the runtime's request to it. Locking: records_mutex protects
 * `records`, and the fields request and by_request of the structs in it. record_request reads
 * a request without the lock, because no other thread may start or complete it at that time.
 *
 * Gives: record_new, record_array, record_comm, record_discard, record_deliver, record_list, record_of,
 * record_request, record_replace, record_find, record_over.
 * Needs: pair.h, layout.h, handles.h, chains.h, records.h.
 */
#ifndef WI4GO_REQUEST_RECORDS_H
#define WI4GO_REQUEST_RECORDS_H
#include "pair.h"
#include "layout.h"
#include "handles.h"
#include "chains.h"
#include "records.h"
#include <pthread.h>

/* A tracked request. */
struct record {
    struct wi4go_chained by_request; /* its entry in `records` */
    R_MPI_Request request;           /* the runtime's */
    void *array[2];                  /* memory that the runtime reads until the completion; NULL: none */
    R_MPI_Comm comm;                 /* the variable into which the runtime writes a new communicator */
    A_MPI_Comm *target;              /* the program's variable for it; NULL: none, or already written */
    int64_t handle;                  /* the program's handle (records.h) */
};

/* All tracked requests, by the runtime's request. */
#define records PAIR(records)
SHARED struct wi4go_chains records;
#define records_mutex PAIR(records_mutex)
SHARED pthread_mutex_t records_mutex INITIALLY(PTHREAD_MUTEX_INITIALIZER);
_Static_assert(offsetof(struct wi4go_chains, n) == CHAINS_N, "layout.h");

#define record_new PAIR(record_new)
#define record_array PAIR(record_array)
#define record_discard PAIR(record_discard)
#define record_list PAIR(record_list)
#define record_request PAIR(record_request)
#define record_replace PAIR(record_replace)
#define record_find PAIR(record_find)
#define record_deliver PAIR(record_deliver)
#define record_over PAIR(record_over)

/* Returns a new struct that is not entered. Ends the process if memory is exhausted. */
struct record *record_new(void) HIDDEN;
/* Returns memory of some bytes that lives as long as the request, at most twice for a request.
   Creates the struct at *kept if there is none. Ends the process if memory is exhausted. */
void *record_array(struct record **kept, size_t bytes) HIDDEN;
/* Frees a struct that is not entered, with its arrays. */
void record_discard(struct record *o) HIDDEN;
/* Enters a struct as the tracked request r, and gives it a handle for the program. */
void record_list(struct record *o, R_MPI_Request r) HIDDEN;
/* Returns the runtime's request of the program's handle a, which has the form of a tracked
   request's. If its request is over, the result is a handle that the runtime refuses. */
R_MPI_Request record_request(int64_t a) HIDDEN __attribute__((noinline));
/* Replaces the runtime's request of an entered struct by r. */
FOR_SIZE void record_replace(struct record *o, R_MPI_Request r) HIDDEN;
/* Returns the struct of the runtime's request r, or NULL if that is not tracked. */
struct record *record_find(R_MPI_Request r) HIDDEN;
/* Writes the handle of a new communicator to the program's variable, once, if the runtime has
   delivered it. */
void record_deliver(struct record *o) HIDDEN;
/* Delivers, removes and frees an entered struct whose request is over. */
void record_over(struct record *o) HIDDEN;

/* Returns the address at which the runtime stores the handle of a new communicator, or NULL if
   target is NULL. target is the program's variable, into which the handle is written when it is
   known: a runtime delivers it with the call or with the completion of the request. In the first
   case the program gets it at once; a Fortran library depends on that, because its *newcomm does
   not exist after the call. */
static inline R_MPI_Comm *record_comm(struct record *o, A_MPI_Comm *target)
{
    o->comm = R_MPI_COMM_NULL;
    o->target = target;
    return target ? &o->comm : NULL;
}

/* Returns the struct of the program's handle a, or NULL if its request is over. */
static inline struct record *record_of(int64_t a) { return wi4go_record_find(WI4GO_RECORD_TRANSLATED, a); }

#if DEFINES_SHARED
struct record *record_new(void)
{
    struct record *o = calloc(1, sizeof *o);
    if (!o)
        wi4go_die("out of memory for a request");
    return o;
}

void *record_array(struct record **kept, size_t bytes)
{
    if (!*kept)
        *kept = record_new();
    void **place = (*kept)->array[0] ? &(*kept)->array[1] : &(*kept)->array[0];
    *place = malloc(bytes ? bytes : 1);
    if (!*place)
        wi4go_die("out of memory for the datatypes of a collective operation (%zu bytes)", bytes);
    return *place;
}

void record_discard(struct record *o)
{
    free(o->array[0]);
    free(o->array[1]);
    free(o);
}

void record_list(struct record *o, R_MPI_Request r)
{
    o->handle = wi4go_record_enter(WI4GO_RECORD_TRANSLATED, o);
    pthread_mutex_lock(&records_mutex);
    o->request = r;
    wi4go_chains_enter(&records, &o->by_request, (uint64_t)r);
    pthread_mutex_unlock(&records_mutex);
}

R_MPI_Request record_request(int64_t a)
{
    struct record *o = record_of(a);
    return likely(o) ? o->request : (R_MPI_Request)bad_handle(KIND_REQUEST);
}

void record_replace(struct record *o, R_MPI_Request r)
{
    if (likely(o->request == r))
        return;
    pthread_mutex_lock(&records_mutex);
    wi4go_chains_leave(&records, &o->by_request);
    o->request = r;
    wi4go_chains_enter(&records, &o->by_request, (uint64_t)r);
    pthread_mutex_unlock(&records_mutex);
}

struct record *record_find(R_MPI_Request r)
{
    pthread_mutex_lock(&records_mutex);
    struct record *o = (void *)wi4go_chains_find(&records, (uint64_t)r);
    pthread_mutex_unlock(&records_mutex);
    return o;
}

/* Removes a struct from `records`. */
static void record_unlist(struct record *o)
{
    pthread_mutex_lock(&records_mutex);
    wi4go_chains_leave(&records, &o->by_request);
    pthread_mutex_unlock(&records_mutex);
}

void record_deliver(struct record *o)
{
    if (o->target && o->comm != R_MPI_COMM_NULL) {
        *o->target = COMM_r2a(o->comm);
        o->target = NULL;
    }
}

void record_over(struct record *o)
{
    record_deliver(o);
    wi4go_record_leave(o->handle);
    record_unlist(o);
    record_discard(o);
}
#endif
#endif
