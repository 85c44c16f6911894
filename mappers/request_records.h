/*
 * Requests that need more than the runtime's handle: operations that read
 * converted arrays until they complete, and duplicated communicators whose
 * handle the runtime delivers with the completion (MPI-5.0, 7.4.2).
 *
 * Gives: record_new, record_array, record_discard, record_deliver, record_list, record_of,
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

struct record {
    struct wi4go_chained by_request;
    R_MPI_Request request;
    void *array[2];
    R_MPI_Comm comm;        /* where the runtime puts a new communicator */
    A_MPI_Comm *target;     /* the program's variable for it, NULL: none */
    int64_t handle;         /* the program's (records.h) */
};

/* All records, by the runtime's request. */
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

/* Returns a record that is not entered. */
struct record *record_new(void) HIDDEN;
/* Returns memory that lives as long as the request. */
void *record_array(struct record **kept, size_t bytes) HIDDEN;
/* Frees a record that is not entered. */
void record_discard(struct record *o) HIDDEN;
/* Enters a record, whose request is then r. */
void record_list(struct record *o, R_MPI_Request r) HIDDEN;
/* Returns the runtime's request of the program's handle a, which is of that form. */
R_MPI_Request record_request(int64_t a) HIDDEN __attribute__((noinline));
/* Enters another request, which the runtime has put behind a record, for it. */
FOR_SIZE void record_replace(struct record *o, R_MPI_Request r) HIDDEN;
/* Returns the record of the runtime's request r, NULL if it has none. */
struct record *record_find(R_MPI_Request r) HIDDEN;
/* Gives the program a communicator that the runtime has made. */
void record_deliver(struct record *o) HIDDEN;
/* Ends a record whose request is over. */
void record_over(struct record *o) HIDDEN;

/* Returns the record of the program's handle a, NULL if its request is over. */
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
