/*
 * Buffered sends (MPI-5.0, 3.6) over a library that has one buffer for the whole process and no
 * function to flush it. Then the library's buffered sends are not used at all. A message is
 * packed into memory of its own and sent nonblocking. Of the program's buffer only the size
 * counts.
 *
 * State: a list of attached buffers, each with the messages on their way. A message's room is
 * reserved, then the message is appended to its buffer's list, and its room is given back when
 * its send is complete. A buffer owns its messages, and a message its packed data; the buffer's
 * memory stays the program's. The mutex protects the lists and the fields of buffers. It is not
 * held while the program's data are packed or sent.
 */
#include "emulate.h"
#include <limits.h>
#include <sched.h>

#ifndef MPI_BUFFER_AUTOMATIC /* the family has neither this constant nor the functions that it is for */
static char no_buffer;
#define MPI_BUFFER_AUTOMATIC ((void *)&no_buffer)
#endif

/* A message that is being sent. */
struct message {
    MPI_Request request;
    int64_t bytes, number; /* the room that it takes in the buffer; its number, counted from 1 in each buffer */
    void *packed;          /* the data, owned */
    int waits;             /* a thread waits for the request, which no other one may complete then */
    struct message *next;
};

/* A buffer attached to a communicator, a session, or the process. */
struct buffer {
    unsigned char of;           /* the kind of its owner: an enum wi4go_object; OF_PROCESS, OF_SESSION */
    int64_t handle;             /* the owner's handle */
    void *address;              /* the program's memory, never used */
    int64_t size;               /* in bytes, or -1 for MPI_BUFFER_AUTOMATIC */
    int64_t used;               /* in bytes: the reserved room, and 0 only if there is no message */
    int64_t last;               /* the number of the last message */
    struct message *first;      /* the messages on their way, by number */
    struct buffer *next;
};
#define OF_PROCESS WI4GO_NO_OBJECT
#define OF_SESSION WI4GO_TOOL

static struct buffer *buffers;
static int keyval = MPI_KEYVAL_INVALID; /* the attribute by which a freed communicator gives its buffer back */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the buffer of an owner, or NULL. The caller holds the mutex, as for all functions down
   to wait_for_first. */
static struct buffer *buffer_find(unsigned char of, int64_t handle)
{
    struct buffer *b = buffers;
    while (b && (b->of != of || (of != OF_PROCESS && b->handle != handle)))
        b = b->next;
    return b;
}

/* Completes the messages that have been sent, and gives their room back. */
static void reap_messages(struct buffer *b)
{
    for (struct message **p = &b->first, *m; (m = *p);) {
        int done = 0;
        if (!m->waits)
            MPI_Test(&m->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            p = &m->next;
            continue;
        }
        *p = m->next;
        b->used -= m->bytes;
        free(m->packed);
        free(m);
    }
}

/* Reports whether all messages up to this number have left. */
static int is_flushed(struct buffer *b, int64_t number)
{
    reap_messages(b);
    return !b->first || b->first->number > number;
}

/* Waits for the first message of a buffer, or lets another thread run if one waits for it already. The caller holds the
   mutex, which is free during the wait. The message keeps the buffer in the list. */
static void wait_for_first(struct buffer *b)
{
    struct message *m = b->first && !b->first->waits ? b->first : NULL;
    if (m)
        m->waits = 1;
    pthread_mutex_unlock(&mutex);
    if (m)
        MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    else
        sched_yield();
    pthread_mutex_lock(&mutex);
    if (m)
        m->waits = 0; /* the request is MPI_REQUEST_NULL now, which MPI_Test completes */
}

/* Returns when the messages that are in the owner's buffer now have left, or the buffer is
   detached. The caller does not hold the mutex, as for all functions below. */
static void flush(unsigned char of, int64_t handle)
{
    pthread_mutex_lock(&mutex);
    struct buffer *b = buffer_find(of, handle);
    const int64_t number = b ? b->last : 0;
    while (b && !is_flushed(b, number)) {
        wait_for_first(b);
        b = buffer_find(of, handle); /* another thread may have detached it */
    }
    pthread_mutex_unlock(&mutex);
}

/* Called at the end of MPI. Buffers that are still attached are flushed too, so that everything
   sent arrives. */
void wi4go_buffers_flush(void)
{
    for (struct buffer *b = buffers; b; b = b->next)
        flush(b->of, b->handle);
}

/* ---- attach, detach, flush ---- */

/* Raises an error through the owner's handler, and returns the class or code. For the buffer of
   the process, libraries use the handler of MPI_COMM_WORLD. */
static int buffer_error(unsigned char of, int64_t handle, int error_class)
{
    if (of == OF_SESSION)
        return MPI_Session_call_errhandler((MPI_Session)handle, error_class), error_class;
    return wi4go_raise(WI4GO_COMM, of == OF_PROCESS ? MPI_COMM_WORLD : handle, error_class);
}

static int buffer_not_copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

/* Waits until the owner's buffer is empty, removes it from the list and frees it. The buffer is
   not empty either while another thread packs a message for which it has reserved room. */
static void buffer_remove(unsigned char of, int64_t handle)
{
    struct buffer *b;
    pthread_mutex_lock(&mutex);
    while ((b = buffer_find(of, handle)) && (reap_messages(b), b->used > 0))
        wait_for_first(b);
    if (b) {
        struct buffer **p = &buffers;
        while (*p != b)
            p = &(*p)->next;
        *p = b->next;
    }
    pthread_mutex_unlock(&mutex);
    free(b);
}

/* The delete callback: a communicator that is freed gives its buffer back. */
static int comm_freed(MPI_Comm comm, int key, void *value, void *extra)
{
    struct buffer *b = value;
    (void)comm, (void)key, (void)extra;
    buffer_remove(b->of, b->handle);
    return MPI_SUCCESS;
}

/* Attaches a buffer. Returns an error code if the owner has one already. */
static int attach(unsigned char of, int64_t handle, void *address, int64_t size)
{
    int rc = MPI_SUCCESS;
    if (address != MPI_BUFFER_AUTOMATIC && (size < 0 || (!address && size)))
        return buffer_error(of, handle, MPI_ERR_ARG);
    struct buffer *b = calloc(1, sizeof *b);
    if (!b)
        return buffer_error(of, handle, MPI_ERR_NO_MEM);
    *b = (struct buffer){.of = of, .handle = handle, .address = address, .size = address == MPI_BUFFER_AUTOMATIC ? -1 : size};
    pthread_mutex_lock(&mutex);
    const int second = buffer_find(of, handle) != NULL;
    if (!second && of == WI4GO_COMM && keyval == MPI_KEYVAL_INVALID)
        rc = MPI_Comm_create_keyval((void *)buffer_not_copied, (void *)comm_freed, &keyval, NULL);
    pthread_mutex_unlock(&mutex);
    if (!second && !rc && of == WI4GO_COMM)
        rc = MPI_Comm_set_attr((MPI_Comm)handle, keyval, b);
    if (second || rc) {
        free(b);
        return second ? buffer_error(of, handle, MPI_ERR_BUFFER) : rc;
    }
    pthread_mutex_lock(&mutex);
    b->next = buffers;
    buffers = b;
    pthread_mutex_unlock(&mutex);
    return MPI_SUCCESS;
}

/* Detaches the owner's buffer when its messages have left, and returns its address and size to
   the program. */
static int detach(unsigned char of, int64_t handle, void *buffer_addr, MPI_Count *size)
{
    if (!buffer_addr || !size)
        return buffer_error(of, handle, MPI_ERR_ARG);
    pthread_mutex_lock(&mutex);
    struct buffer *b = buffer_find(of, handle);
    if (b) {
        *(void **)buffer_addr = b->address;
        *size = b->size < 0 ? 0 : b->size;
    }
    pthread_mutex_unlock(&mutex);
    if (!b)
        return buffer_error(of, handle, MPI_ERR_BUFFER);
    if (of == WI4GO_COMM) /* calls comm_freed, which removes the buffer */
        return MPI_Comm_delete_attr((MPI_Comm)handle, keyval);
    buffer_remove(of, handle);
    return MPI_SUCCESS;
}

static int detach_int(unsigned char of, int64_t handle, void *buffer_addr, int *size)
{
    MPI_Count large = 0;
    int rc = detach(of, handle, buffer_addr, size ? &large : NULL);
    if (!rc)
        *size = large > INT_MAX ? MPI_UNDEFINED : (int)large;
    return rc;
}

static int flush_of(unsigned char of, int64_t handle)
{
    flush(of, handle);
    return MPI_SUCCESS;
}

/* A flush as a request. It is complete when the messages that were in the buffer at its start have
   left. */
struct flushing {
    struct emulated request;
    unsigned char of;
    int64_t handle, number;
};

static int flush_is_over(struct emulated *e)
{
    struct flushing *f = (struct flushing *)e;
    pthread_mutex_lock(&mutex);
    struct buffer *b = buffer_find(f->of, f->handle);
    const int over = !b || is_flushed(b, f->number);
    pthread_mutex_unlock(&mutex);
    return over;
}

static const struct emulated_kind flushing = {.size = sizeof(struct flushing), .ready = flush_is_over};

static int iflush_of(unsigned char of, int64_t handle, MPI_Request *request)
{
    if (!request)
        return buffer_error(of, handle, MPI_ERR_ARG);
    struct flushing *f = (struct flushing *)wi4go_request_new(&flushing, 0);
    f->of = of;
    f->handle = handle;
    pthread_mutex_lock(&mutex);
    struct buffer *b = buffer_find(of, handle);
    f->number = b ? b->last : 0;
    pthread_mutex_unlock(&mutex);
    *request = f->request.handle;
    return MPI_SUCCESS;
}

/* Return an error code if the handle is no valid object; the error is the standard's. */
static int bad_comm(MPI_Comm comm)
{
    int size;
    return MPI_Comm_size(comm, &size);
}

static int bad_session(MPI_Session session)
{
    int n;
    return MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
}

int buffers_MPI_Buffer_attach(void *buffer, int size) { return attach(OF_PROCESS, 0, buffer, size); }
int buffers_MPI_Buffer_attach_c(void *buffer, MPI_Count size) { return attach(OF_PROCESS, 0, buffer, size); }
int buffers_MPI_Buffer_detach(void *buffer_addr, int *size) { return detach_int(OF_PROCESS, 0, buffer_addr, size); }
int buffers_MPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size) { return detach(OF_PROCESS, 0, buffer_addr, size); }
int E_MPI_Buffer_flush(void) { return flush_of(OF_PROCESS, 0); }
int E_MPI_Buffer_iflush(MPI_Request *request) { return iflush_of(OF_PROCESS, 0, request); }

#define OF_OBJECT(Name, name, Type, KIND, of) \
    int E_MPI_##Name##_attach_buffer(Type name, void *buffer, int size) { int rc = bad_##name(name); return rc ? rc : attach(of, name, buffer, size); } \
    int E_MPI_##Name##_attach_buffer_c(Type name, void *buffer, MPI_Count size) { int rc = bad_##name(name); return rc ? rc : attach(of, name, buffer, size); } \
    int E_MPI_##Name##_detach_buffer(Type name, void *buffer_addr, int *size) { int rc = bad_##name(name); return rc ? rc : detach_int(of, name, buffer_addr, size); } \
    int E_MPI_##Name##_detach_buffer_c(Type name, void *buffer_addr, MPI_Count *size) { int rc = bad_##name(name); return rc ? rc : detach(of, name, buffer_addr, size); } \
    int E_MPI_##Name##_flush_buffer(Type name) { int rc = bad_##name(name); return rc ? rc : flush_of(of, name); } \
    int E_MPI_##Name##_iflush_buffer(Type name, MPI_Request *request) { int rc = bad_##name(name); return rc ? rc : iflush_of(of, name, request); }
OF_OBJECT(Comm, comm, MPI_Comm, COMM, WI4GO_COMM)
OF_OBJECT(Session, session, MPI_Session, SESSION, OF_SESSION)

/* ---- sends ---- */

/* Returns the buffer for a message, or NULL. It is the communicator's, else its session's, else
   the process's (MPI-5.0, 3.6). The front cannot find out to which session a communicator
   belongs. So if the process attached a buffer, the communicator is taken for one of the world model.
   The caller holds the mutex. */
static struct buffer *buffer_for(MPI_Comm comm)
{
    struct buffer *b = buffer_find(WI4GO_COMM, comm);
    if (!b)
        b = buffer_find(OF_PROCESS, 0);
    for (struct buffer *s = buffers; !b && s; s = s->next)
        if (s->of == OF_SESSION)
            b = s;
    return b;
}

/* The bytes that a message takes of a buffer in addition to its data: the lowest number in any
   mpi.h (Intel MPI's). The standard ABI has 512, but no library takes so much, and some programs
   count with less. */
enum { OVERHEAD = 88 };

/* Reserves room for a message, and stores the buffer in *buffer. Returns the message, or NULL if
   there is no room. */
static struct message *reserve(MPI_Comm comm, int64_t bytes, struct buffer **buffer)
{
    struct message *m = NULL;
    pthread_mutex_lock(&mutex);
    struct buffer *b = buffer_for(comm);
    if (b && (b->used || b->first))
        reap_messages(b);
    if (b && (b->size < 0 || b->used + bytes <= b->size) && (m = calloc(1, sizeof *m))) {
        m->bytes = bytes;
        b->used += bytes;
    }
    *buffer = b;
    pthread_mutex_unlock(&mutex);
    return m;
}

/* Returns the library's error for arguments that it refuses, or MPI_SUCCESS. asked: the program
   has passed a place for the request, or the call returns no request. */
static int check_arguments(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, int asked)
{
    MPI_Request looked_at = MPI_REQUEST_NULL;
    int rc = MPI_Send_init(buf, count, datatype, dest, tag, comm, asked ? &looked_at : NULL);
    return rc || !asked ? rc : MPI_Request_free(&looked_at);
}

/* Sends a message through the buffer. Returns an error code. */
static int bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct buffer *b;
    int size = 0, used = 0, rc;
    if (dest == MPI_PROC_NULL)
        return MPI_Send(buf, count, datatype, dest, tag, comm);
    if (count < 0 && (rc = check_arguments(buf, count, datatype, dest, tag, comm, 1)))
        return rc;
    if ((rc = MPI_Pack_size(count, datatype, comm, &size)))
        return rc;
    struct message *m = reserve(comm, (int64_t)size + OVERHEAD, &b);
    if (!m) {
        rc = check_arguments(buf, count, datatype, dest, tag, comm, 1);
        return rc ? rc : wi4go_raise(WI4GO_COMM, comm, MPI_ERR_BUFFER);
    }
    m->request = MPI_REQUEST_NULL;
    m->packed = malloc((size_t)size + 1);
    if (!m->packed)
        rc = wi4go_raise(WI4GO_COMM, comm, MPI_ERR_NO_MEM);
    if (!rc)
        rc = MPI_Pack(buf, count, datatype, m->packed, size, &used, comm);
    if (!rc)
        rc = MPI_Isend(m->packed, used, MPI_PACKED, dest, tag, comm, &m->request);
    pthread_mutex_lock(&mutex);
    if (rc) {
        b->used -= m->bytes;
        free(m->packed);
        free(m);
    } else {
        struct message **end = &b->first;
        while (*end)
            end = &(*end)->next;
        m->number = ++b->last;
        *end = m;
    }
    pthread_mutex_unlock(&mutex);
    return rc;
}

/* The request is one of the library's own, for a send that is over when it begins. */
static int ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    int rc = request ? bsend(buf, count, datatype, dest, tag, comm) : check_arguments(buf, count, datatype, dest, tag, comm, 0);
    return rc || !request ? rc : MPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm, request);
}

/* A persistent buffered send. It owns nothing; it holds the datatype and the communicator. */
struct persistent_bsend {
    struct emulated request;
    const void *buf;
    int count, dest, tag;
    MPI_Datatype datatype;
    MPI_Comm comm;
};

static int bsend_start(struct emulated *e)
{
    struct persistent_bsend *p = (struct persistent_bsend *)e;
    return bsend(p->buf, p->count, p->datatype, p->dest, p->tag, p->comm);
}

static const struct emulated_kind persistent_bsend_kind = {.size = sizeof(struct persistent_bsend), .start = bsend_start, .cancel_has_no_effect = 1};

static int bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    int rc = check_arguments(buf, count, datatype, dest, tag, comm, request != NULL);
    if (rc || !request)
        return rc;
    struct persistent_bsend *p = (struct persistent_bsend *)wi4go_request_new(&persistent_bsend_kind, 1);
    p->buf = buf;
    p->count = count;
    p->datatype = datatype;
    p->dest = dest;
    p->tag = tag;
    p->comm = comm;
    wi4go_request_hold(&p->request, SLOT_MPI_Type_free, datatype);
    wi4go_request_hold(&p->request, SLOT_MPI_Comm_free, comm);
    *request = p->request.handle;
    return MPI_SUCCESS;
}

int buffers_MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return bsend(buf, count, datatype, dest, tag, comm);
}
int buffers_MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return ibsend(buf, count, datatype, dest, tag, comm, request);
}
int buffers_MPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return bsend_init(buf, count, datatype, dest, tag, comm, request);
}

/* Counts beyond an int go to the library, or to narrow.c. */
#define FITS(count) ((count) == (int)(count))
int buffers_MPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return FITS(count) ? bsend(buf, (int)count, datatype, dest, tag, comm) : BELOW(buffers, MPI_Bsend_c)(buf, count, datatype, dest, tag, comm);
}
int buffers_MPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return FITS(count) ? ibsend(buf, (int)count, datatype, dest, tag, comm, request)
                       : BELOW(buffers, MPI_Ibsend_c)(buf, count, datatype, dest, tag, comm, request);
}
int buffers_MPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    return FITS(count) ? bsend_init(buf, (int)count, datatype, dest, tag, comm, request)
                       : BELOW(buffers, MPI_Bsend_init_c)(buf, count, datatype, dest, tag, comm, request);
}
