/*
 * Requests that need more than the runtime's handle: operations that read
 * converted arrays until they complete, and duplicated communicators whose
 * handle the runtime delivers with the completion (MPI-5.0, 7.4.2).
 */
#include <pthread.h>

struct own {
    R_MPI_Request request;
    void *array[2];
    R_MPI_Comm comm;        /* where the runtime puts a new communicator */
    A_MPI_Comm *target;     /* the program's variable for it, NULL: none */
    struct own *next;       /* in the list of all */
};

static struct own *owns;
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

static R_MPI_Request own_request(int64_t a) { return own_of(a)->request; }

/* The application's handle of a request that owns its arrays. */
static A_MPI_Request REQUEST_own(R_MPI_Request r, struct own *kept)
{
    if (r == R_MPI_REQUEST_NULL) {
        own_discard(kept);
        return A_MPI_REQUEST_NULL;
    }
    kept->request = r;
    pthread_mutex_lock(&owns_mutex);
    kept->next = owns;
    owns = kept;
    pthread_mutex_unlock(&owns_mutex);
    return REQUEST_of_own(kept);
}

/* The record of the runtime's request r, NULL when it has none. */
static inline struct own *own_find(R_MPI_Request r)
{
    pthread_mutex_lock(&owns_mutex);
    struct own *o = owns;
    while (o && o->request != r)
        o = o->next;
    pthread_mutex_unlock(&owns_mutex);
    return o;
}

static void own_unlist(struct own *o)
{
    pthread_mutex_lock(&owns_mutex);
    struct own **p = &owns;
    while (*p && *p != o)
        p = &(*p)->next;
    if (*p)
        *p = o->next;
    pthread_mutex_unlock(&owns_mutex);
}

static void own_deliver(struct own *o)
{
    if (o->target && o->comm != R_MPI_COMM_NULL) {
        *o->target = COMM_r2a(o->comm);
        o->target = NULL;
    }
}

/* After a completion: r is what the runtime left in the request's place. */
static A_MPI_Request REQUEST_after_own(A_MPI_Request a, R_MPI_Request r)
{
    struct own *o = own_of(a);
    if (r != R_MPI_REQUEST_NULL)
        return a;
    own_deliver(o);
    own_unlist(o);
    REQUEST_forget_own(a);
    own_discard(o);
    return A_MPI_REQUEST_NULL;
}

/* After a start: some runtimes put another object behind a persistent request
   (Open MPI, when the last transfer has not left the library yet). */
static A_MPI_Request REQUEST_restarted(A_MPI_Request a, R_MPI_Request r)
{
    if (REQUEST_IS_OWN(a)) {
        own_of(a)->request = r;
        return a;
    }
    return REQUEST_replaced(a, r);
}
