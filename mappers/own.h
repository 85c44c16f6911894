/*
 * Requests that need more than the runtime's handle: operations that read
 * converted arrays until they complete, and duplicated communicators whose
 * handle the runtime delivers with the completion (MPI-5.0, 7.4.2).
 *
 * Gives: own_new, own_array, own_discard, own_deliver, own_list, own_of,
 * own_request, own_replace, own_find, own_over.
 * Needs: pair.h, handles.h, records.h.
 */
#ifndef WI4GO_OWN_H
#define WI4GO_OWN_H
#include "pair.h"
#include "handles.h"
#include "records.h"
#include <pthread.h>

struct own {
    R_MPI_Request request;
    void *array[2];
    R_MPI_Comm comm;        /* where the runtime puts a new communicator */
    A_MPI_Comm *target;     /* the program's variable for it, NULL: none */
    int64_t handle;         /* the program's (records.h) */
    struct own *next, **link; /* in its bucket: the next one, and what leads to this */
};

/* All records, by the runtime's request: a table of chains, which doubles when it
   has as many records as chains. NULL: there has been none. */
static struct own **owns;
static size_t owns_chains, owns_n;
static pthread_mutex_t owns_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct own *own_new(void)
{
    struct own *o = calloc(1, sizeof *o);
    if (!o)
        wi4go_die("out of memory for a request");
    return o;
}

/* Memory that lives as long as the request. */
static void *own_array(struct own **kept, size_t bytes)
{
    if (!*kept)
        *kept = own_new();
    void **place = (*kept)->array[0] ? &(*kept)->array[1] : &(*kept)->array[0];
    *place = malloc(bytes ? bytes : 1);
    if (!*place)
        wi4go_die("out of memory for the datatypes of a collective operation (%zu bytes)", bytes);
    return *place;
}

static void own_discard(struct own *o)
{
    free(o->array[0]);
    free(o->array[1]);
    free(o);
}

static struct own **own_chain(R_MPI_Request r)
{
    return &owns[((uint64_t)r * 0x9E3779B97F4A7C15u >> 32) & (owns_chains - 1)];
}

static void own_link(struct own *o)
{
    struct own **chain = own_chain(o->request);
    o->next = *chain;
    o->link = chain;
    if (o->next)
        o->next->link = &o->next;
    *chain = o;
}

static void own_unlink(struct own *o)
{
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
}

/* Twice as many chains; the table stays as it is where memory lacks. */
static void own_grow(void)
{
    struct own **old = owns, **made = calloc(owns_chains ? 2 * owns_chains : 64, sizeof *made);
    const size_t n = owns_chains;
    if (!made && !old)
        wi4go_die("out of memory for a request");
    if (!made)
        return;
    owns = made;
    owns_chains = n ? 2 * n : 64;
    for (size_t i = 0; i < n; i++)
        for (struct own *o = old[i], *next; o; o = next) {
            next = o->next;
            own_link(o);
        }
    free(old);
}

/* Enters a record, whose request is then r. */
static void own_list(struct own *o, R_MPI_Request r)
{
    pthread_mutex_lock(&owns_mutex);
    if (owns_n++ >= owns_chains)
        own_grow();
    o->request = r;
    own_link(o);
    pthread_mutex_unlock(&owns_mutex);
    o->handle = wi4go_record_enter(WI4GO_RECORD_TRANSLATED, o);
}

/* The record of the program's handle a; NULL: its request is over. */
static inline struct own *own_of(int64_t a) { return wi4go_record_find(WI4GO_RECORD_TRANSLATED, a); }

/* The runtime's request of the program's handle a, which is of that form. */
static inline R_MPI_Request own_request(int64_t a)
{
    struct own *o = own_of(a);
    return likely(o) ? o->request : (R_MPI_Request)bad_handle(KIND_REQUEST);
}

/* The runtime has put another request behind a record that is entered. */
static void own_replace(struct own *o, R_MPI_Request r)
{
    if (likely(o->request == r))
        return;
    pthread_mutex_lock(&owns_mutex);
    own_unlink(o);
    o->request = r;
    own_link(o);
    pthread_mutex_unlock(&owns_mutex);
}

/* The record of the runtime's request r, NULL when it has none. */
static inline struct own *own_find(R_MPI_Request r)
{
    pthread_mutex_lock(&owns_mutex);
    struct own *o = owns ? *own_chain(r) : NULL;
    while (o && o->request != r)
        o = o->next;
    pthread_mutex_unlock(&owns_mutex);
    return o;
}

static void own_unlist(struct own *o)
{
    pthread_mutex_lock(&owns_mutex);
    own_unlink(o);
    owns_n--;
    pthread_mutex_unlock(&owns_mutex);
}

static void own_deliver(struct own *o)
{
    if (o->target && o->comm != R_MPI_COMM_NULL) {
        *o->target = COMM_r2a(o->comm);
        o->target = NULL;
    }
}

/* Its request is over. */
static void own_over(struct own *o)
{
    own_deliver(o);
    wi4go_record_leave(o->handle);
    own_unlist(o);
    own_discard(o);
}
#endif
