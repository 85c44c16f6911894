/*
 * Emulated requests among the runtime's (MPI-5.0, 3.7.5 and 3.9). A call with one of them passes
 * the request's inner requests to the runtime in its place. So the runtime drives all requests,
 * and a call blocks in the runtime as it would natively. The layer is installed when the first
 * emulated request is made.
 *
 * States: see struct emulated. A request that MPI_Request_free frees while it is active loses its
 * handle at once. Its record goes to the list `freed`, and is discarded once it is over: each new
 * request checks the list.
 *
 * Ownership: a record owns its kept copies, and shares held objects (struct held) with other
 * records. An object that the program frees meanwhile is freed with its last record.
 *
 * Locking: the mutex protects the list `freed`, the table of held objects and the installation of
 * the layer. A record itself is not locked, because MPI forbids two threads to complete one
 * request.
 */
#include "emulate.h"
#include "chains.h"
#include "registry.h"
#include <sched.h>

static struct emulated *freed;            /* freed by MPI_Request_free while they were active */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Reports whether a handle is, or was, an emulated request's: it has the form of a tracked
   request, and is not the translation's, whose requests are handled below. */
static inline int is_emulated(MPI_Request a)
{
    return wi4go_is_tracked(a) && !wi4go_tracked_find(WI4GO_TRACKED_TRANSLATED, a);
}

struct emulated *wi4go_request_find(MPI_Request a) { return wi4go_tracked_find(WI4GO_TRACKED_EMULATED, a); }

/* Installs the layer at the first emulated request. The caller holds the mutex. */
static void install_request_layer(void)
{
    static int done;
    if (!done++)
        wi4go_layers_install(WI4GO_AT_FIRST_REQUEST);
}

static void reap_freed(void);

struct emulated *wi4go_request_new(const struct emulated_kind *kind, int persistent)
{
    struct emulated *e = calloc(1, kind->size);
    if (!e)
        wi4go_die("out of memory for a request");
    e->kind = kind;
    e->persistent = (char)persistent;
    e->active = !persistent;
    e->inner[0] = e->inner[1] = MPI_REQUEST_NULL;
    wi4go_status_empty(&e->status);
    reap_freed();
    pthread_mutex_lock(&mutex);
    install_request_layer();
    pthread_mutex_unlock(&mutex);
    e->handle = (MPI_Request)wi4go_tracked_enter(WI4GO_TRACKED_EMULATED, e);
    return e;
}

/* ---- memory and objects of a record ---- */

/* The head of a copy made by wi4go_request_copy. */
struct kept { struct kept *next; };

void *wi4go_request_copy(struct emulated *e, const void *from, int64_t n, size_t size)
{
    if (!from)
        return NULL;
    struct kept *k = malloc(sizeof *k + (size_t)n * size);
    if (!k)
        wi4go_die("out of memory for the arguments of a request (%lld bytes)", (long long)(n * (int64_t)size));
    k->next = e->kept;
    e->kept = k;
    return memcpy(k + 1, from, (size_t)n * size);
}

/* An object of the program that records hold. */
struct held {
    struct wi4go_chained by_handle;
    int64_t handle;         /* the object's handle */
    unsigned slot;          /* the slot of the function that frees such objects */
    int users, is_freed;    /* the number of records that hold it; 1 if the program has freed it */
};
static struct wi4go_chains held_objects; /* held objects by handle */

/* Returns a held object, or NULL. The caller holds the mutex. */
static struct held *held_find(unsigned slot, int64_t handle)
{
    struct wi4go_chained *h = wi4go_chains_find(&held_objects, (uint64_t)handle);
    while (h && ((struct held *)h)->slot != slot)
        h = wi4go_chains_next(h);
    return (struct held *)h;
}

void wi4go_request_hold(struct emulated *e, unsigned slot, int64_t handle)
{
    pthread_mutex_lock(&mutex);
    struct held *h = held_find(slot, handle);
    if (!h && (h = calloc(1, sizeof *h))) {
        h->handle = handle;
        h->slot = slot;
        wi4go_chains_enter(&held_objects, &h->by_handle, (uint64_t)handle);
    }
    const size_t n = (size_t)e->n_held;
    struct held **more = n & (n - 1) ? e->held : realloc(e->held, (n ? 2 * n : 1) * sizeof *more);
    if (!h || !more)
        wi4go_die("out of memory for a request");
    h->users++;
    e->held = more;
    e->held[e->n_held++] = h;
    pthread_mutex_unlock(&mutex);
}

void wi4go_request_hold_types(struct emulated *e, const MPI_Datatype *types, int64_t n)
{
    for (int64_t i = 0; types && i < n; i++)
        wi4go_request_hold(e, SLOT_MPI_Type_free, types[i]);
}

/* Removes one user of a held object. With the last user, frees the object if the program has
   freed it meanwhile. */
static void held_release(struct held *h)
{
    pthread_mutex_lock(&mutex);
    const int last = !--h->users;
    if (last)
        wi4go_chains_leave(&held_objects, &h->by_handle);
    pthread_mutex_unlock(&mutex);
    if (!last)
        return;
    MPI_Datatype type = (MPI_Datatype)h->handle;
    MPI_Op op = (MPI_Op)h->handle;
    MPI_Comm comm = (MPI_Comm)h->handle;
    if (h->is_freed)
        switch (h->slot) {
        case SLOT_MPI_Type_free:
            BELOW(requests, MPI_Type_free)(&type);
            break;
        case SLOT_MPI_Op_free:
            BELOW(requests, MPI_Op_free)(&op);
            break;
        case SLOT_MPI_Comm_free:
            BELOW(requests, MPI_Comm_free)(&comm);
        }
    free(h);
}

/* Reports whether a record holds an object. */
static int is_held(unsigned slot, int64_t handle)
{
    pthread_mutex_lock(&mutex);
    const int is = held_find(slot, handle) != NULL;
    pthread_mutex_unlock(&mutex);
    return is;
}

/* Reports whether a record holds an object, which will then be freed later. Returns false if the
   program has freed it before. */
static int defer_free(unsigned slot, int64_t handle)
{
    pthread_mutex_lock(&mutex);
    struct held *h = held_find(slot, handle);
    int later = h && !h->is_freed;
    if (later)
        h->is_freed = 1;
    pthread_mutex_unlock(&mutex);
    return later;
}

/* Reports whether a datatype is predefined. */
static int is_predefined(MPI_Datatype type)
{
    int combiner = MPI_COMBINER_NAMED;
    MPI_Count integers, addresses, counts, types;
    /* Use the large-count function: MPI_Type_get_envelope is refused for a datatype made with
       large counts. */
    return MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner) || combiner == MPI_COMBINER_NAMED;
}

int requests_MPI_Type_free(MPI_Datatype *datatype)
{
    if (!datatype || !is_held(SLOT_MPI_Type_free, *datatype) || is_predefined(*datatype) || !defer_free(SLOT_MPI_Type_free, *datatype))
        return BELOW(requests, MPI_Type_free)(datatype);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int requests_MPI_Op_free(MPI_Op *op)
{
    if (!op || *op == MPI_OP_NULL || *op == MPI_SUM || !defer_free(SLOT_MPI_Op_free, *op))
        return BELOW(requests, MPI_Op_free)(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

/* Delays freeing while a record uses the communicator. This needs no other process: libraries
   free a communicator locally, and the other processes may have completed their requests long
   before, or may complete them much later. */
int requests_MPI_Comm_free(MPI_Comm *comm)
{
    if (!comm || *comm == MPI_COMM_NULL || *comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF || !defer_free(SLOT_MPI_Comm_free, *comm))
        return BELOW(requests, MPI_Comm_free)(comm);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Frees a record whose handle is already invalid. */
static void free_emulated(struct emulated *e)
{
    if (e->kind->discard)
        e->kind->discard(e);
    for (int j = 0; j < e->n_held; j++)
        held_release(e->held[j]);
    for (struct kept *k = e->kept, *next; k; k = next) {
        next = k->next;
        free(k);
    }
    free(e->held);
    free(e);
}

void wi4go_request_discard(struct emulated *e)
{
    wi4go_tracked_leave(e->handle);
    free_emulated(e);
}

/* ---- from start to completion ---- */

void wi4go_progress(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    sched_yield();
}

void wi4go_status_empty(MPI_Status *status)
{
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    A_encoding_set(status, 0, 0);
}

/* Copies a status, except MPI_ERROR, which a call that completes one operation must leave
   unchanged. */
static void status_copy(MPI_Status *to, const MPI_Status *from)
{
    if (to == MPI_STATUS_IGNORE)
        return;
    int error = to->MPI_ERROR;
    *to = *from;
    to->MPI_ERROR = error;
}

/* Reports whether all inner requests have begun. */
static int inner_has_begun(struct emulated *e) { return !e->kind->ready || e->kind->ready(e); }

/* Reports whether the operation is over. */
static int operation_is_over(struct emulated *e)
{
    return inner_has_begun(e) && e->inner[0] == MPI_REQUEST_NULL && e->inner[1] == MPI_REQUEST_NULL;
}

enum { POLLS = 1000 }; /* the number of times that a wait polls before it waits in the runtime */

/* Waits until all inner requests have begun: they cannot be waited for in the runtime before. */
static void wait_until_begun(struct emulated *e)
{
    for (int polls = 0; !inner_has_begun(e); polls++) {
        wi4go_progress();
        if (polls >= POLLS && e->kind->sleeper) {
            MPI_Request sleeper = e->kind->sleeper(e);
            MPI_Wait(&sleeper, MPI_STATUS_IGNORE);
        }
    }
}

/* Converts an inner request's status to the program's. */
static void inner_status(struct emulated *e, MPI_Status *to, const MPI_Status *inner)
{
    *to = *inner;
    if (e->kind->convert_status)
        e->kind->convert_status(e, to);
}

/* Records that an inner request has ended, with its status and error. */
static void inner_done(struct emulated *e, int part, const MPI_Status *status, int error)
{
    if (part == 0)
        inner_status(e, &e->status, status);
    if (error && !e->error)
        e->error = error;
}

/* Ends an operation that is over: writes the program's status, and null to its request unless it
   is persistent. Returns the operation's error. */
static int finish_emulated(struct emulated *e, MPI_Request *request, MPI_Status *status)
{
    int rc = e->kind->complete ? e->kind->complete(e) : MPI_SUCCESS;
    if (e->error)
        rc = e->error;
    status_copy(status, &e->status);
    e->active = 0;
    e->error = MPI_SUCCESS;
    wi4go_status_empty(&e->status);
    if (!e->persistent) {
        *request = MPI_REQUEST_NULL;
        wi4go_request_discard(e);
    }
    return rc;
}

/* Discards the requests that were freed while active and are over now. */
static void reap_freed(void)
{
    if (!__atomic_load_n(&freed, __ATOMIC_RELAXED))
        return;
    pthread_mutex_lock(&mutex);
    struct emulated *list = freed;
    freed = NULL;
    pthread_mutex_unlock(&mutex);
    while (list) {
        struct emulated *e = list;
        int flag = 0;
        list = e->next;
        if (inner_has_begun(e))
            BELOW(requests, MPI_Testall)(2, e->inner, &flag, MPI_STATUSES_IGNORE);
        if (flag) {
            if (e->kind->complete)
                e->kind->complete(e);
            free_emulated(e);
            continue;
        }
        pthread_mutex_lock(&mutex);
        e->next = freed;
        freed = e;
        pthread_mutex_unlock(&mutex);
    }
}

/* Raises an error without an object. Returns the error code. */
static int request_error(int error_class) { return wi4go_raise(WI4GO_NO_OBJECT, 0, error_class); }

/* ---- one request ---- */

/* Declares e, the record of an emulated request. Returns MPI_ERR_REQUEST from the calling
   function if the request was freed. */
#define FIND_EMULATED(e, request) \
    struct emulated *e = wi4go_request_find(request); \
    if (!e) \
        return request_error(MPI_ERR_REQUEST)

int requests_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (!request || !is_emulated(*request))
        return BELOW(requests, MPI_Wait)(request, status);
    FIND_EMULATED(e, *request);
    if (!e->active) {
        status_copy(status, &e->status);
        return MPI_SUCCESS;
    }
    wait_until_begun(e);
    for (int part = 0; part < 2; part++)
        if (e->inner[part] != MPI_REQUEST_NULL) {
            MPI_Status s;
            wi4go_status_empty(&s);
            int rc = BELOW(requests, MPI_Wait)(&e->inner[part], &s);
            inner_done(e, part, &s, rc);
        }
    return finish_emulated(e, request, status);
}

int requests_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    if (!request || !is_emulated(*request))
        return BELOW(requests, MPI_Test)(request, flag, status);
    FIND_EMULATED(e, *request);
    *flag = !e->active;
    if (*flag) {
        status_copy(status, &e->status);
        return MPI_SUCCESS;
    }
    if (!inner_has_begun(e)) {
        wi4go_progress();
        return MPI_SUCCESS;
    }
    for (int part = 0; part < 2; part++)
        if (e->inner[part] != MPI_REQUEST_NULL) {
            MPI_Status s;
            int done = 0;
            wi4go_status_empty(&s);
            int rc = BELOW(requests, MPI_Test)(&e->inner[part], &done, &s);
            if (done || rc)
                inner_done(e, part, &s, rc);
        }
    *flag = operation_is_over(e);
    return *flag ? finish_emulated(e, request, status) : MPI_SUCCESS;
}

int requests_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    if (!is_emulated(request))
        return BELOW(requests, MPI_Request_get_status)(request, flag, status);
    FIND_EMULATED(e, request);
    MPI_Status first = e->status;
    *flag = !e->active || inner_has_begun(e);
    if (!*flag)
        wi4go_progress();
    for (int part = 0; part < 2 && *flag; part++)
        if (e->inner[part] != MPI_REQUEST_NULL) {
            MPI_Status s;
            wi4go_status_empty(&s);
            int rc = BELOW(requests, MPI_Request_get_status)(e->inner[part], flag, &s);
            if (rc)
                return rc;
            if (part == 0)
                inner_status(e, &first, &s);
        }
    if (*flag)
        status_copy(status, &first);
    return MPI_SUCCESS;
}

int requests_MPI_Start(MPI_Request *request)
{
    if (!request || !is_emulated(*request))
        return BELOW(requests, MPI_Start)(request);
    FIND_EMULATED(e, *request);
    if (!e->persistent || e->active)
        return request_error(MPI_ERR_REQUEST);
    int rc = e->kind->start(e);
    e->active = !rc;
    return rc;
}

int requests_MPI_Startall(int count, MPI_Request *requests)
{
    int emulated = 0;
    for (int i = 0; requests && i < count; i++)
        emulated |= is_emulated(requests[i]);
    if (!emulated)
        return BELOW(requests, MPI_Startall)(count, requests);
    for (int i = 0; i < count; i++) {
        int rc = requests_MPI_Start(&requests[i]);
        if (rc)
            return rc;
    }
    return MPI_SUCCESS;
}

int requests_MPI_Request_free(MPI_Request *request)
{
    if (!request || !is_emulated(*request))
        return BELOW(requests, MPI_Request_free)(request);
    FIND_EMULATED(e, *request);
    *request = MPI_REQUEST_NULL;
    wi4go_tracked_leave(e->handle);
    if (!e->active) {
        free_emulated(e);
        return MPI_SUCCESS;
    }
    /* The record is discarded when the operation is over. */
    pthread_mutex_lock(&mutex);
    e->next = freed;
    freed = e;
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}

/* Only sends of the emulated operations may be cancelled (MPI-5.0, 3.8.4 and 6.12). They are over
   by then, so the cancel has no effect. */
int requests_MPI_Cancel(MPI_Request *request)
{
    if (!request || !is_emulated(*request))
        return BELOW(requests, MPI_Cancel)(request);
    FIND_EMULATED(e, *request);
    return e->kind->cancel_has_no_effect && e->active ? MPI_SUCCESS : request_error(MPI_ERR_REQUEST);
}

int requests_MPI_Grequest_complete(MPI_Request request)
{
    return is_emulated(request) ? request_error(MPI_ERR_REQUEST) : BELOW(requests, MPI_Grequest_complete)(request);
}

/* ---- arrays ---- */

/* The requests of a call, with the inner requests in place of emulated ones. */
struct expanded {
    int n;          /* the number of requests */
    MPI_Request *r;         /* scratch memory; the other arrays follow it */
    MPI_Status *s;          /* their statuses */
    int *of;                /* the position in the program's array */
    char *part;             /* the index of the inner request, or -1 for the program's own request */
    int *index;             /* space for the indices of MPI_Waitsome and MPI_Testsome */
    int waiting;            /* the number of emulated requests whose inner requests are still to begin */
    int active;             /* the number of active emulated requests */
    size_t bytes;
};

static void expanded_give(struct expanded *x)
{
    if (x->r)
        wi4go_scratch_free(x->r, x->bytes);
}
#define EXPANDED __attribute__((cleanup(expanded_give))) struct expanded

/* Reports whether any of the requests is, or was, emulated. */
static int any_emulated(int count, const MPI_Request *requests)
{
    for (int i = 0; requests && i < count; i++)
        if (is_emulated(requests[i]))
            return 1;
    return 0;
}

/* Fills x for a call. Returns 0 if a handle was freed, else 1. */
static int expand(struct expanded *x, int count, const MPI_Request *requests, const MPI_Status *statuses)
{
    /* Each request needs at most two places, one for each inner request. */
    size_t most = 2 * (size_t)count;
    if (!x->r) {
        x->bytes = most * (sizeof *x->r + sizeof *x->s + 2 * sizeof *x->of + sizeof *x->part);
        x->s = wi4go_scratch_alloc(x->bytes);
        x->r = (MPI_Request *)x->s;
        x->s = (MPI_Status *)(x->r + most);
        x->of = (int *)(x->s + most);
        x->index = x->of + most;
        x->part = (char *)(x->index + most);
    }
    x->n = x->waiting = x->active = 0;
    for (int i = 0; i < count; i++) {
        struct emulated *e = wi4go_request_find(requests[i]);
        if (!e && is_emulated(requests[i]))
            return 0;
        if (e && e->active) {
            x->active++;
            if (!inner_has_begun(e)) {
                x->waiting++;
                continue;
            }
        }
        for (int part = e ? 0 : -1; part < (e ? 2 : 0); part++) {
            MPI_Request r = e ? e->inner[part] : requests[i];
            if (e && r == MPI_REQUEST_NULL)
                continue;
            wi4go_status_empty(&x->s[x->n]);
            if (!e && statuses != MPI_STATUSES_IGNORE)
                x->s[x->n].MPI_ERROR = statuses[i].MPI_ERROR;
            x->r[x->n] = r;
            x->of[x->n] = i;
            x->part[x->n++] = (char)part;
        }
    }
    return 1;
}

/* Ends the requests that add_sleepers has appended. n is the number that it returned, or has reached. */
static void end_sleepers(struct expanded *x, int n, const MPI_Request *requests)
{
    for (int j = x->n; j < n; j++)
        if (x->r[j] != MPI_REQUEST_NULL) {
            struct emulated *e = wi4go_request_find(requests[x->of[j]]);
            e->kind->wake(e);
            MPI_Wait(&x->r[j], MPI_STATUS_IGNORE);
        }
}

/* Appends to x a request for each emulated one whose inner requests are still to begin. Returns the
   number of all requests, or 0 if the runtime cannot wait for all of them. */
static int add_sleepers(struct expanded *x, int count, const MPI_Request *requests)
{
    int n = x->n, can = 1;
    for (int i = 0; i < count && can; i++) {
        struct emulated *e = wi4go_request_find(requests[i]);
        if (!e || !e->active || inner_has_begun(e))
            continue;
        can = e->kind->sleeper && (x->r[n] = e->kind->sleeper(e)) != MPI_REQUEST_NULL;
        wi4go_status_empty(&x->s[n]);
        x->of[n] = i;
        n += can;
    }
    if (can && n == x->n + x->waiting) /* otherwise another thread has begun one since expand */
        return n;
    end_sleepers(x, n, requests);
    return 0;
}

/* Returns the number of requests for which the runtime shall wait, or -1 if it shall only test. Requests whose inner
   ones are still to begin are tested for POLLS times first. */
static int number_to_wait_for(struct expanded *x, int waits, int polls, int count, const MPI_Request *requests)
{
    if (waits && !x->waiting)
        return x->n;
    int all = waits && polls >= POLLS ? add_sleepers(x, count, requests) : 0;
    return all > 0 ? all : -1;
}

/* Stores the request that the call has left at position j: in the program's array, or as an inner
   request. */
static void write_back(struct expanded *x, int j, MPI_Request *requests)
{
    if (x->part[j] < 0)
        requests[x->of[j]] = x->r[j];
    else
        wi4go_request_find(requests[x->of[j]])->inner[(int)x->part[j]] = x->r[j];
}

/* Reports whether rc is of class MPI_ERR_IN_STATUS, so that each status has its own error. */
static int has_status_errors(int rc)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    return class == MPI_ERR_IN_STATUS;
}

/* Returns the status at index i, or MPI_STATUS_IGNORE. */
static MPI_Status *status_at(MPI_Status *statuses, int i) { return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]; }

/* Ends all operations after a call on all requests that returned rc. Returns the error of the
   program's call. */
static int finish_all(struct expanded *x, int count, MPI_Request *requests, MPI_Status *statuses, int rc)
{
    const int each = has_status_errors(rc);
    int failed = rc;
    for (int j = 0; j < x->n; j++) {
        write_back(x, j, requests);
        if (x->part[j] < 0 && statuses != MPI_STATUSES_IGNORE)
            statuses[x->of[j]] = x->s[j];
        else if (x->part[j] >= 0 && x->r[j] == MPI_REQUEST_NULL) /* otherwise it is pending, because another request failed */
            inner_done(wi4go_request_find(requests[x->of[j]]), x->part[j], &x->s[j], each ? x->s[j].MPI_ERROR : MPI_SUCCESS);
    }
    if (rc && !each)
        return rc;
    for (int i = 0; i < count; i++) {
        struct emulated *e = wi4go_request_find(requests[i]);
        if (!rc && statuses != MPI_STATUSES_IGNORE)
            statuses[i].MPI_ERROR = MPI_SUCCESS;
        if (!e)
            continue;
        if (!e->active)
            status_copy(status_at(statuses, i), &e->status);
        else if (operation_is_over(e)) {
            int error = finish_emulated(e, &requests[i], status_at(statuses, i));
            if (statuses != MPI_STATUSES_IGNORE)
                statuses[i].MPI_ERROR = error;
            if (error && !failed)
                failed = MPI_ERR_IN_STATUS; /* the error was found before this call */
        } else if (each && statuses != MPI_STATUSES_IGNORE)
            statuses[i].MPI_ERROR = MPI_ERR_PENDING;
    }
    return failed;
}

int requests_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Waitall)(count, requests, statuses);
    EXPANDED x = {0};
    for (;;) {
        if (!expand(&x, count, requests, statuses))
            return request_error(MPI_ERR_REQUEST);
        if (!x.waiting)
            break;
        for (int i = 0; i < count; i++) {
            struct emulated *e = wi4go_request_find(requests[i]);
            if (e && e->active)
                wait_until_begun(e);
        }
    }
    int rc = BELOW(requests, MPI_Waitall)(x.n, x.r, x.s);
    return finish_all(&x, count, requests, statuses, rc);
}

int requests_MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Testall)(count, requests, flag, statuses);
    EXPANDED x = {0};
    *flag = 0;
    if (!expand(&x, count, requests, statuses))
        return request_error(MPI_ERR_REQUEST);
    if (x.waiting) {
        wi4go_progress();
        return MPI_SUCCESS;
    }
    int rc = BELOW(requests, MPI_Testall)(x.n, x.r, flag, x.s);
    return rc || *flag ? finish_all(&x, count, requests, statuses, rc) : MPI_SUCCESS;
}

/* Completes one of the requests: waits for it, or tests once if `waits` is 0. */
static int complete_any(int waits, int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    EXPANDED x = {0};
    for (int polls = 0;; polls++) {
        *index = MPI_UNDEFINED;
        *flag = 1;
        for (int i = 0; i < count; i++) {
            struct emulated *e = wi4go_request_find(requests[i]);
            /* An emulated request may be over before the runtime is called. */
            if (e && e->active && operation_is_over(e)) {
                *index = i;
                return finish_emulated(e, &requests[i], status);
            }
        }
        if (!expand(&x, count, requests, MPI_STATUSES_IGNORE))
            return request_error(MPI_ERR_REQUEST);
        MPI_Status s;
        int j = MPI_UNDEFINED, done = 1, rc;
        int all = number_to_wait_for(&x, waits, polls, count, requests);
        wi4go_status_empty(&s);
        if (all >= 0)
            rc = BELOW(requests, MPI_Waitany)(all, x.r, &j, &s);
        else
            rc = BELOW(requests, MPI_Testany)(x.n, x.r, &j, &done, &s);
        end_sleepers(&x, all, requests);
        if (j >= x.n)
            continue;
        for (int i = 0; rc && i < x.n; i++) {
            MPI_Status none;
            write_back(&x, i, requests); /* Open MPI gives up every request that has failed by then */
            if (i == j || x.part[i] < 0 || x.r[i] != MPI_REQUEST_NULL)
                continue;
            wi4go_status_empty(&none);
            inner_done(wi4go_request_find(requests[x.of[i]]), x.part[i], &none, rc);
        }
        /* A failure of the call as a whole, not of one request. */
        if (rc && j < 0)
            return rc;
        /* All requests are null or inactive. */
        if (!rc && done && j == MPI_UNDEFINED && !x.active) {
            status_copy(status, &s);
            return MPI_SUCCESS;
        }
        /* Request j has ended. An inner request may be one of two, so the loop continues: the next
           round finds its operation over, or waits for the other. */
        if ((rc || done) && j != MPI_UNDEFINED) {
            if (!rc)
                write_back(&x, j, requests);
            if (x.part[j] < 0) {
                *index = x.of[j];
                status_copy(status, &s);
                return rc;
            }
            inner_done(wi4go_request_find(requests[x.of[j]]), x.part[j], &s, rc);
            continue;
        }
        if (!waits) {
            *flag = 0;
            if (x.waiting)
                wi4go_progress();
            return MPI_SUCCESS;
        }
        wi4go_progress();
    }
}

int requests_MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    int flag;
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Waitany)(count, requests, index, status);
    return complete_any(1, count, requests, index, &flag, status);
}

int requests_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Testany)(count, requests, index, flag, status);
    return complete_any(0, count, requests, index, flag, status);
}

/* Completes the requests that are over: waits for at least one, or tests once if `waits` is 0. */
static int complete_some(int waits, int count, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    EXPANDED x = {0};
    for (int polls = 0;; polls++) {
        int n = 0, done = 0, over = 0, failed = MPI_SUCCESS;
        if (!expand(&x, count, requests, statuses))
            return request_error(MPI_ERR_REQUEST);
        for (int i = 0; i < count; i++) {
            struct emulated *e = wi4go_request_find(requests[i]);
            over |= e && e->active && operation_is_over(e);
        }
        int all = number_to_wait_for(&x, waits && !over, polls, count, requests);
        int rc = all >= 0 ? BELOW(requests, MPI_Waitsome)(all, x.r, &n, x.index, x.s) : BELOW(requests, MPI_Testsome)(x.n, x.r, &n, x.index, x.s);
        end_sleepers(&x, all, requests);
        const int each = has_status_errors(rc);
        if (rc && !each)
            return rc;
        /* All requests are null or inactive. */
        if (n == MPI_UNDEFINED && !x.active) {
            *outcount = MPI_UNDEFINED;
            return MPI_SUCCESS;
        }
        for (int k = 0; k < n; k++) {
            int j = x.index[k];
            if (j >= x.n)
                continue;
            write_back(&x, j, requests);
            if (x.part[j] >= 0) {
                inner_done(wi4go_request_find(requests[x.of[j]]), x.part[j], &x.s[k], each ? x.s[k].MPI_ERROR : MPI_SUCCESS);
                continue;
            }
            indices[done] = x.of[j];
            if (!each)
                x.s[k].MPI_ERROR = MPI_SUCCESS;
            if (statuses != MPI_STATUSES_IGNORE)
                statuses[done] = x.s[k];
            if (each && x.s[k].MPI_ERROR)
                failed = rc;
            done++;
        }
        for (int i = 0; i < count; i++) {
            struct emulated *e = wi4go_request_find(requests[i]);
            if (!e || !e->active || !operation_is_over(e))
                continue;
            int error = finish_emulated(e, &requests[i], status_at(statuses, done));
            if (error)
                failed = MPI_ERR_IN_STATUS;
            if (statuses != MPI_STATUSES_IGNORE)
                statuses[done].MPI_ERROR = error;
            indices[done++] = i;
        }
        *outcount = done;
        if (done || !waits)
            return failed;
        if (x.waiting)
            wi4go_progress();
    }
}

int requests_MPI_Waitsome(int count, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Waitsome)(count, requests, outcount, indices, statuses);
    return complete_some(1, count, requests, outcount, indices, statuses);
}

int requests_MPI_Testsome(int count, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    if (!any_emulated(count, requests))
        return BELOW(requests, MPI_Testsome)(count, requests, outcount, indices, statuses);
    return complete_some(0, count, requests, outcount, indices, statuses);
}

/* ---- many requests at once without completing them (MPI-5.0, 3.7.6) ---- */

static int negative_count(void) { return wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_COUNT); }

int E_MPI_Request_get_status_all(int count, const MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    int all = 1;
    if (count < 0)
        return negative_count();
    for (int i = 0; i < count; i++) {
        int one = 0;
        int rc = MPI_Request_get_status(requests[i], &one, status_at(statuses, i));
        if (rc)
            return rc;
        all &= one;
    }
    *flag = all;
    return MPI_SUCCESS;
}

/* Reports whether a request is null or inactive. Such requests have an empty status at once, and
   the functions below skip them. */
static int is_idle(MPI_Request request)
{
    struct emulated *e = wi4go_request_find(request);
    return request == MPI_REQUEST_NULL || (e && !e->active);
}

int E_MPI_Request_get_status_any(int count, const MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    int idle = 1;
    if (count < 0)
        return negative_count();
    *index = MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (is_idle(requests[i]))
            continue;
        idle = 0;
        int rc = MPI_Request_get_status(requests[i], flag, status);
        if (rc || *flag) {
            *index = i;
            return rc;
        }
    }
    *flag = idle;
    if (idle && status != MPI_STATUS_IGNORE)
        wi4go_status_empty(status);
    return MPI_SUCCESS;
}

int E_MPI_Request_get_status_some(int incount, const MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    int idle = 1, n = 0;
    if (incount < 0)
        return negative_count();
    for (int i = 0; i < incount; i++) {
        int one = 0;
        if (is_idle(requests[i]))
            continue;
        idle = 0;
        int rc = MPI_Request_get_status(requests[i], &one, status_at(statuses, n));
        if (rc)
            return rc;
        if (one)
            indices[n++] = i;
    }
    *outcount = idle ? MPI_UNDEFINED : n;
    return MPI_SUCCESS;
}

/* ---- Fortran's integers (MPI-5.0, 19.3.4) ---- */

/* The first of the negative integers that stand for emulated requests: the integer is this number
   minus the place of the record. No request of the runtime has such an integer. In MPICH's family
   the integer is the same as the handle in C. */
#define FORTRAN_FIRST (-(1 << 30))

/* Returns the integer of an emulated request. */
static int to_fortran(MPI_Request request)
{
    return HANDLE_BITS == 32 ? (int)request : FORTRAN_FIRST - (int)wi4go_tracked_place(request);
}

/* Reports whether an integer is, or was, an emulated request's. */
static int is_emulated_integer(int f)
{
    return HANDLE_BITS == 32 ? is_emulated((MPI_Request)f) : f < FORTRAN_FIRST && f > FORTRAN_FIRST - (int)WI4GO_TRACKED_PLACES;
}

/* Returns the request of such an integer, or MPI_REQUEST_NULL if it was freed. */
static MPI_Request from_fortran(int f)
{
    if (HANDLE_BITS == 32)
        return (MPI_Request)f;
    const int64_t handle = wi4go_tracked_handle(WI4GO_TRACKED_EMULATED, (uint32_t)(FORTRAN_FIRST - f));
    return handle ? (MPI_Request)handle : MPI_REQUEST_NULL;
}

MPI_Fint requests_MPI_Request_c2f(MPI_Request request) { return is_emulated(request) ? to_fortran(request) : BELOW(requests, MPI_Request_c2f)(request); }
int requests_MPI_Request_toint(MPI_Request request) { return is_emulated(request) ? to_fortran(request) : BELOW(requests, MPI_Request_toint)(request); }
MPI_Request requests_MPI_Request_f2c(MPI_Fint request) { return is_emulated_integer(request) ? from_fortran(request) : BELOW(requests, MPI_Request_f2c)(request); }
MPI_Request requests_MPI_Request_fromint(int request) { return is_emulated_integer(request) ? from_fortran(request) : BELOW(requests, MPI_Request_fromint)(request); }
