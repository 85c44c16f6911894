/*
 * Buffered sends (MPI-5.0, 3.6). The attached buffer contains a list of blocks, in the order of their
 * addresses; a block contains a send request of the device and the packed data. A send takes the first
 * gap that is large enough (first fit), after blocks whose send is complete are dropped.
 */
#include "messages.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/pool.h"
#include "../base/release.h"
#include "../base/request.h"

struct bsend {
    struct bsend *next;  /* at a higher address */
    int64_t bytes;       /* size of the block with this header */
    struct comm *comm;   /* holds a reference */
    MPIR_SHANDLE send;
    _Alignas(16) char data[];
};
_Static_assert(sizeof(struct bsend) <= MPI_BSEND_OVERHEAD, "MPI_BSEND_OVERHEAD must include the header of a block");

static int64_t aligned(int64_t bytes) { return (bytes + 15) & ~(int64_t)15; }

/* Drops the blocks whose sends are complete. Needs the buffer's lock. */
static void drop_complete(void)
{
    for (struct bsend **at = &em->buffer.first, *block; (block = *at);) {
        if (!atomic_load_explicit(&block->send.is_complete, memory_order_acquire)) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        em_comm_release(block->comm);
    }
}

/* Returns a new block in the list, or NULL. Needs the buffer's lock. */
static struct bsend *allocate_block(int64_t bytes)
{
    char *gap = (char *)aligned((int64_t)(intptr_t)em->buffer.memory), *end = em->buffer.memory + em->buffer.bytes;
    struct bsend **at = &em->buffer.first;
    for (;; at = &(*at)->next) {
        char *limit = *at ? (char *)*at : end;
        if (em->buffer.memory && limit - gap >= bytes)
            break;
        if (!*at)
            return NULL;
        gap = (char *)*at + (*at)->bytes;
    }
    struct bsend *block = (struct bsend *)gap;
    block->next = *at;
    block->bytes = bytes;
    *at = block;
    return block;
}

/* Returns a block for data of some bytes, or NULL if the buffer lacks room. The header of a short message lies in the overhead that the
 * program adds for each message. */
static struct bsend *take_buffer_block(int64_t bytes)
{
    struct bsend *block = NULL;
    for (int tries = 0; tries < 2 && !block; tries++) {
        MPID_THREAD_DS_LOCK(&em->buffer, em->threads);
        drop_complete();
        block = allocate_block(aligned((int64_t)sizeof *block + bytes));
        if (block) /* not complete while its data is copied */
            atomic_store_explicit(&block->send.is_complete, 0, memory_order_relaxed);
        MPID_THREAD_DS_UNLOCK(&em->buffer, em->threads);
        if (!block)
            em_progress();
    }
    return block;
}

int em_bsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm)
{
    int64_t bytes, position = 0;
    int err = em_Pack_size(count, type, comm, &bytes);
    if (err)
        return err;
    struct bsend *block = take_buffer_block(bytes);
    if (!block)
        return em_error(MPI_ERR_BUFFER, "the attached buffer has no room for %lld bytes: attach a larger one", (long long)bytes);
    block->comm = comm;
    em_retain(&comm->head);
    err = em_Pack(buf, count, type, block->data, bytes, &position, comm);
    if (!err)
        err = em_isend(block->data, bytes, em_type_of(MPI_PACKED), dest, tag, comm, CONTEXT_POINT, MODE_STANDARD, &block->send);
    if (err)
        atomic_store_explicit(&block->send.is_complete, 1, memory_order_release);
    return err;
}

int em_Bsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm)
{
    return dest == MPI_PROC_NULL ? MPI_SUCCESS : em_bsend(buf, count, type, dest, tag, comm);
}

/* ---- requests: they are complete when they are started ---- */

/* The data is copied during the call, so the request is complete from the beginning. */
int em_Ibsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *handle)
{
    struct request *request = em_request_new(&em_null_kind, comm, NULL);
    if (!request)
        return em_error(MPI_ERR_NO_MEM, "no memory for a request");
    request->peer = dest;
    int err = em_Bsend(buf, count, type, dest, tag, comm);
    if (err) {
        em_request_free(request);
        return err;
    }
    *handle = (MPI_Request)request;
    return MPI_SUCCESS;
}

static bool is_copied(struct request *request) { return true; }
static int finish_copied(struct request *request, MPI_Status *status) { return MPI_SUCCESS; }
static int cancel_copied(struct request *request) { return MPI_SUCCESS; }
static int start_copy(struct request *r) { return em_bsend(r->buf, r->count, r->type, r->peer, r->tag, r->comm); }

static const struct request_kind buffered_kind = {"buffered send", is_copied, finish_copied, start_copy, cancel_copied, em_request_free, NULL, NULL, NULL, false};

int em_Bsend_init(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, MPI_Request *request)
{
    return em_message_init(&buffered_kind, (void *)buf, count, type, dest, tag, comm, MODE_BUFFERED, request);
}

/* ---- the buffer ---- */

/* The memory stays the program's. Only one buffer can be attached. */
int em_Buffer_attach(void *buffer, int64_t size)
{
    if (size < 0)
        return em_error(MPI_ERR_ARG, "size is %lld", (long long)size);
    if (!buffer && size > 0)
        return em_error(MPI_ERR_ARG, "buffer is a null pointer");
    if (em->buffer.memory)
        return em_error(MPI_ERR_BUFFER, "a buffer is attached already: detach it first");
    em->buffer.memory = buffer;
    em->buffer.bytes = size;
    return MPI_SUCCESS;
}

/* Waits until all buffered messages are sent, as the standard requires (MPI-5.0, 3.6), making progress for other
 * operations meanwhile. */
int em_Buffer_detach(void *buffer_addr, int64_t *size)
{
    for (;;) { /* until all messages are sent */
        MPID_THREAD_DS_LOCK(&em->buffer, em->threads);
        drop_complete();
        struct bsend *left = em->buffer.first;
        MPID_THREAD_DS_UNLOCK(&em->buffer, em->threads);
        if (!left)
            break;
        uint32_t ticket = MPID_Ticket();
        if (em_progress() || atomic_load_explicit(&left->send.is_complete, memory_order_acquire))
            continue;
        struct MPID_Blocked why;
        em_describe(&why, "MPI_Buffer_detach", left->comm, -1, left->send.device.tag, left->send.device.context);
        int err = MPID_Sleep(ticket, &why);
        if (err != MPID_SUCCESS)
            return em_device_error(err);
    }
    *(void **)buffer_addr = em->buffer.memory;
    *size = em->buffer.bytes;
    em->buffer.memory = NULL;
    em->buffer.bytes = 0;
    return MPI_SUCCESS;
}
