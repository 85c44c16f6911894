/*
 * Partitioned communication (MPI-5.0, 4). The partitions are sent as one message, which leaves
 * when the last one is ready. The receiver has all partitions as soon as it has the message.
 *
 * State of a send: started with all partitions unmarked; each MPI_Pready marks one; the last one
 * sends the message (`begun`), and the inner request completes. A thread that waits for all
 * partitions sleeps in the runtime. Any thread may mark partitions, so these fields are atomic. The
 * request owns `marked`, and holds the datatype and the communicator. The mutex protects the numbers of operations.
 */
#include "emulate.h"
#include <limits.h>

/* The record of a partitioned send or receive. */
struct partitioned {
    struct emulated request;
    void *buf;
    int count, peer, tag, sends; /* the message; sends is true for a send */
    int own_tag;            /* the program's tag */
    MPI_Datatype datatype;
    MPI_Comm comm;
    int partitions;         /* their number */
    unsigned char *marked;  /* per partition: 1 if it is ready; owned */
    int left;               /* the number of partitions that are not ready */
    int begun;              /* BEGUN: the message has left the program */
    MPI_Request sleeper;    /* with SLEEPS: the generalized request that a thread waits for until then */
};
enum { NOT_BEGUN, BEGUN, SLEEPS }; /* partitioned.begun */

/*
 * Operations with the same communicator, processes and tag match in the order in which they are
 * made, and no other message may match them. So the message carries a tag that is counted down from
 * the largest one, away from the tags that programs use. It differs among the last APART
 * operations of one tag. An attribute of the communicator stores how many operations there have
 * been.
 */
#define APART 64

/* The number of operations made with one peer, tag and direction. */
struct operation_count {
    int peer, tag, sends, n;
    struct operation_count *next;
};
/* The value of the attribute; freed with the communicator. */
struct operation_counts { struct operation_count *first; };
static int keyval = MPI_KEYVAL_INVALID;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int counts_not_copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

/* The delete callback: frees the numbers. */
static int counts_free(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    struct operation_counts *all = value;
    for (struct operation_count *m = all->first, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    free(all);
    return MPI_SUCCESS;
}

/* Returns how many such operations there were before, and counts this one. The caller holds the
   mutex. */
static int count_operation(MPI_Comm comm, int peer, int tag, int sends)
{
    struct operation_counts *all = NULL;
    int flag = 0;
    if (keyval == MPI_KEYVAL_INVALID && MPI_Comm_create_keyval((void *)counts_not_copied, (void *)counts_free, &keyval, NULL))
        return 0;
    MPI_Comm_get_attr(comm, keyval, &all, &flag);
    if (!flag && (!(all = calloc(1, sizeof *all)) || MPI_Comm_set_attr(comm, keyval, all)))
        return 0;
    struct operation_count *m = all->first;
    while (m && (m->peer != peer || m->tag != tag || m->sends != sends))
        m = m->next;
    if (!m && (m = calloc(1, sizeof *m))) {
        *m = (struct operation_count){peer, tag, sends, 0, all->first};
        all->first = m;
    }
    return m ? m->n++ : 0;
}

/* Returns the tag of the message of a new operation. */
static int message_tag(MPI_Comm comm, int peer, int tag, int sends)
{
    int *largest = NULL, flag = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &flag);
    const int last = flag ? *largest : 32767;
    if (tag < 0 || tag > last) /* the runtime will refuse it */
        return tag;
    pthread_mutex_lock(&mutex);
    const int n = count_operation(comm, peer, tag, sends) % APART;
    pthread_mutex_unlock(&mutex);
    /* Large tags have no space for APART tags each. */
    return tag <= last / (2 * APART) ? last - (tag * APART + n) : last - tag;
}

/* Sends the message, and wakes the thread that waits for this. With BEGUN a thread may end the request, unless it sleeps. */
static int send_message(struct partitioned *p)
{
    int rc = MPI_Isend(p->buf, p->count, p->datatype, p->peer, p->tag, p->comm, &p->request.inner[0]);
    if (__atomic_exchange_n(&p->begun, BEGUN, __ATOMIC_ACQ_REL) == SLEEPS)
        MPI_Grequest_complete(p->sleeper);
    return rc;
}

static int sleeper_query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_cancelled(status, 0);
    return MPI_Status_set_elements(status, MPI_BYTE, 0);
}
static int sleeper_free(void *state) { return (void)state, MPI_SUCCESS; }
static int sleeper_cancel(void *state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

/* Returns a generalized request that completes when the message leaves. It lets the runtime wait, so that it can find that
   no thread is left that could mark the partitions. */
static MPI_Request partitioned_sleeper(struct emulated *e)
{
    struct partitioned *p = (struct partitioned *)e;
    int before = NOT_BEGUN;
    if (MPI_Grequest_start((void *)sleeper_query, (void *)sleeper_free, (void *)sleeper_cancel, NULL, &p->sleeper))
        return MPI_REQUEST_NULL;
    if (!__atomic_compare_exchange_n(&p->begun, &before, SLEEPS, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        MPI_Grequest_complete(p->sleeper);
    return p->sleeper;
}

static void partitioned_wake(struct emulated *e)
{
    struct partitioned *p = (struct partitioned *)e;
    int before = SLEEPS;
    if (__atomic_compare_exchange_n(&p->begun, &before, NOT_BEGUN, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        MPI_Grequest_complete(p->sleeper);
}

static int partitioned_start(struct emulated *e)
{
    struct partitioned *p = (struct partitioned *)e;
    if (!p->sends)
        return MPI_Irecv(p->buf, p->count, p->datatype, p->peer, p->tag, p->comm, &e->inner[0]);
    memset(p->marked, 0, (size_t)p->partitions);
    p->begun = NOT_BEGUN;
    __atomic_store_n(&p->left, p->partitions, __ATOMIC_RELEASE);
    return p->partitions ? MPI_SUCCESS : send_message(p);
}

static int partitioned_ready(struct emulated *e)
{
    struct partitioned *p = (struct partitioned *)e;
    return !p->sends || __atomic_load_n(&p->begun, __ATOMIC_ACQUIRE) == BEGUN;
}

static void partitioned_discard(struct emulated *e) { free(((struct partitioned *)e)->marked); }

/* Replaces the message's tag by the program's. */
static void partitioned_status(struct emulated *e, MPI_Status *status)
{
    const struct partitioned *p = (struct partitioned *)e;
    if (status->MPI_TAG == p->tag)
        status->MPI_TAG = p->own_tag;
}

static const struct emulated_kind kind = {.size = sizeof(struct partitioned), .start = partitioned_start, .ready = partitioned_ready, .sleeper = partitioned_sleeper, .wake = partitioned_wake, .discard = partitioned_discard, .convert_status = partitioned_status};

static int partitioned_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int peer, int tag, MPI_Comm comm, int sends, MPI_Request *request)
{
    int rc, size;
    if ((rc = MPI_Comm_size(comm, &size)))
        return rc;
    if (partitions < 0 || count < 0)
        return wi4go_raise(WI4GO_COMM, comm, count < 0 ? MPI_ERR_COUNT : MPI_ERR_ARG);
    if (!sends && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG)) /* MPI-5.0, 4.2.1 */
        return wi4go_raise(WI4GO_COMM, comm, peer == MPI_ANY_SOURCE ? MPI_ERR_RANK : MPI_ERR_TAG);
    MPI_Count n;
    if (__builtin_mul_overflow(count, partitions, &n) || n > INT_MAX)
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_UNSUPPORTED_OPERATION);
    /* Get the library's error for arguments that it refuses. */
    MPI_Request looked_at;
    rc = sends ? MPI_Send_init(buf, (int)n, datatype, peer, tag, comm, &looked_at) : MPI_Recv_init(buf, (int)n, datatype, peer, tag, comm, &looked_at);
    if (rc || (rc = MPI_Request_free(&looked_at)))
        return rc;
    unsigned char *marked = malloc((size_t)partitions + 1);
    if (!marked)
        return wi4go_raise(WI4GO_COMM, comm, MPI_ERR_NO_MEM);
    struct partitioned *p = (struct partitioned *)wi4go_request_new(&kind, 1);
    p->buf = buf;
    p->count = (int)n;
    p->datatype = datatype;
    p->peer = peer;
    p->own_tag = tag;
    p->tag = message_tag(comm, peer, tag, sends);
    p->comm = comm;
    p->sends = sends;
    p->partitions = partitions;
    p->marked = marked;
    wi4go_request_hold(&p->request, SLOT_MPI_Type_free, datatype);
    wi4go_request_hold(&p->request, SLOT_MPI_Comm_free, comm);
    *request = p->request.handle;
    return MPI_SUCCESS;
}

int E_MPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Info info, MPI_Request *request)
{
    (void)info;
    return partitioned_init((void *)buf, partitions, count, datatype, dest, tag, comm, 1, request);
}

int E_MPI_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Info info, MPI_Request *request)
{
    (void)info;
    return partitioned_init(buf, partitions, count, datatype, source, tag, comm, 0, request);
}

/* Returns the operation of a request, or NULL if it is no partitioned operation's. */
static struct partitioned *partitioned_of(MPI_Request request)
{
    struct emulated *e = wi4go_request_find(request);
    return e && e->kind == &kind ? (struct partitioned *)e : NULL;
}

/* Raises an error on the operation's communicator, if there is an operation. */
static int partitioned_error(const struct partitioned *p, int error_class)
{
    return p ? wi4go_raise(WI4GO_COMM, p->comm, error_class) : wi4go_raise(WI4GO_NO_OBJECT, 0, error_class);
}

/* Marks a partition as ready. Any thread may call it; the thread that marks the last partition
   sends the message. */
static int mark_ready(struct partitioned *p, int partition)
{
    if (partition < 0 || partition >= p->partitions || __atomic_exchange_n(&p->marked[partition], 1, __ATOMIC_RELAXED))
        return partitioned_error(p, MPI_ERR_ARG);
    return __atomic_sub_fetch(&p->left, 1, __ATOMIC_ACQ_REL) ? MPI_SUCCESS : send_message(p);
}

int E_MPI_Pready(int partition, MPI_Request request)
{
    struct partitioned *p = partitioned_of(request);
    return p && p->sends && p->request.active ? mark_ready(p, partition) : partitioned_error(p, MPI_ERR_REQUEST);
}

int E_MPI_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    int rc = partition_low <= partition_high ? MPI_SUCCESS : partitioned_error(partitioned_of(request), MPI_ERR_ARG);
    for (int i = partition_low; i <= partition_high && !rc; i++)
        rc = E_MPI_Pready(i, request);
    return rc;
}

int E_MPI_Pready_list(int length, const int *array_of_partitions, MPI_Request request)
{
    int rc = length >= 0 ? MPI_SUCCESS : partitioned_error(partitioned_of(request), MPI_ERR_ARG);
    for (int i = 0; i < length && !rc; i++)
        rc = E_MPI_Pready(array_of_partitions[i], request);
    return rc;
}

int E_MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    struct partitioned *p = partitioned_of(request);
    if (!p || p->sends)
        return partitioned_error(p, MPI_ERR_REQUEST);
    if (partition < 0 || partition >= p->partitions)
        return partitioned_error(p, MPI_ERR_ARG);
    return MPI_Request_get_status(request, flag, MPI_STATUS_IGNORE);
}
