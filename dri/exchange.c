/* Collective communication among the processes of a group, in point-to-point messages over the world's communicator. So
 * objects can be made and destroyed without making communicators. */
#include "internal.h"
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of an error text in a message, and the bytes of data in the first message of a swap. */
#define ERROR_TEXT 400
#define FIRST 4096

/* Pads to multiples of 8 bytes, so that every number in the message is aligned. */
int dri_put(struct bytes *b, const void *data, size_t size)
{
    size_t padded = (size + 7) & ~(size_t)7;
    if (b->size + padded > b->room) {
        size_t room = 2 * (b->size + padded) + 256;
        char *data = realloc(b->data, room);
        if (!data)
            return dri_fail(DRI_ERR_NOMEM, "no memory for %zu bytes", room);
        b->data = data, b->room = room;
    }
    memset(b->data + b->size, 0, padded);
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += padded;
    return DRI_SUCCESS;
}

int dri_put_number(struct bytes *b, int64_t number)
{
    return dri_put(b, &number, sizeof number);
}

const void *dri_get(struct reader *r, size_t size)
{
    const char *at = r->at;
    r->at += (size + 7) & ~(size_t)7;
    return at;
}

int64_t dri_get_number(struct reader *r)
{
    int64_t number;
    memcpy(&number, dri_get(r, sizeof number), sizeof number);
    return number;
}

/* Completes requests by polling. It yields the processor now and then, or always if the node is crowded, because the
 * partners may need it. */
static int complete_requests(int n, MPI_Request requests[])
{
    for (unsigned i = 1;; i++) {
        int flag;
        MPI(MPI_Testall, n, requests, &flag, MPI_STATUSES_IGNORE);
        if (flag)
            return DRI_SUCCESS;
        if (dri_world.crowded || i % 256 == 0)
            sched_yield();
    }
}

/* Makes room beforehand, so that dri_put cannot fail in the middle of an exchange. */
int dri_reserve(struct bytes *b, size_t size)
{
    if (size <= b->room)
        return DRI_SUCCESS;
    char *data = realloc(b->data, size);
    if (!data)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %zu bytes", size);
    b->data = data, b->room = size;
    return DRI_SUCCESS;
}

/* An error that the processes agree on: the one of the lowest class, and among these of the lowest rank. */
struct trouble {
    int class, rank; /* class: DRI_SUCCESS if there is none */
    char text[ERROR_TEXT];
};

/* Keeps the error t or the other one. */
static void note(struct trouble *t, const struct trouble *other)
{
    if (other->class && (!t->class || other->class < t->class || (other->class == t->class && other->rank < t->rank)))
        *t = *other;
}

/* Keeps t, or this process's error of the class with its text. class may be DRI_SUCCESS. */
static void note_own(struct trouble *t, int class)
{
    struct trouble own = {class, dri_world.rank, ""};
    if (class)
        strncpy(own.text, dri_error_text(), sizeof own.text - 1);
    note(t, &own);
}

/* Returns the class, and makes the text the last error of this process. A text that names no rank gets the rank. */
static int agreed(const struct trouble *t)
{
    if (!t->class)
        return DRI_SUCCESS;
    return strncmp(t->text, "rank ", 5) ? dri_fail(t->class, "rank %d: %s", t->rank, t->text) : dri_fail(t->class, "%s", t->text);
}

/* The first message of a swap: the error, or the size and the first bytes of the data. */
struct first {
    int64_t size; /* -1: an error */
    union {
        struct trouble error;
        char data[FIRST];
    } is;
};

/* The data after the first message of a swap. `in` and `out` are the sizes of all data; data of up to FIRST bytes have no
 * rest. The receiver first reports to the sender whether it has memory for the rest, which is at `to_fill` then. */
static int swap_rest(const char *data, int64_t out, int to, char *to_fill, int64_t in, int from, int tag)
{
    int fits = to_fill != NULL, wanted = 0, n = 0;
    MPI_Request requests[2];
    if (in > FIRST)
        MPI(MPI_Isend, &fits, 1, MPI_INT, from, tag, dri_world.comm, &requests[n++]);
    if (out > FIRST)
        MPI(MPI_Irecv, &wanted, 1, MPI_INT, to, tag, dri_world.comm, &requests[n++]);
    TRY(complete_requests(n, requests));
    n = 0;
    if (in > FIRST && fits)
        MPI(MPI_Irecv, to_fill, (int)(in - FIRST), MPI_BYTE, from, tag, dri_world.comm, &requests[n++]);
    if (wanted)
        MPI(MPI_Isend, data + FIRST, (int)(out - FIRST), MPI_BYTE, to, tag, dri_world.comm, &requests[n++]);
    return complete_requests(n, requests);
}

/* Sends the first `out` bytes of `have` to one process and appends the bytes that another one sends. An error in `t` is
 * sent instead of data, and an error that comes, or a lack of memory, is noted there. Returns errors of MPI only. */
static int swap(struct bytes *have, int64_t out, struct trouble *t, int to, int from, int tag)
{
    struct first send, receive;
    MPI_Request requests[2];
    if (out > INT_MAX)
        note_own(t, dri_fail(DRI_ERR_NOMEM, "the description of the parts is larger than 2 GiB"));
    int64_t first = t->class ? (int64_t)sizeof send.is.error : out < FIRST ? out : FIRST;
    send.size = t->class ? -1 : out;
    if (t->class)
        send.is.error = *t;
    else if (out)
        memcpy(send.is.data, have->data, first);
    MPI(MPI_Irecv, &receive, sizeof receive, MPI_BYTE, from, tag, dri_world.comm, &requests[0]);
    MPI(MPI_Isend, &send, (int)(sizeof send.size + first), MPI_BYTE, to, tag, dri_world.comm, &requests[1]);
    TRY(complete_requests(2, requests));
    size_t at = have->size;
    if (receive.size < 0)
        note(t, &receive.is.error);
    else if (!t->class)
        note_own(t, dri_reserve(have, at + receive.size));
    char *to_fill = NULL;
    if (!t->class && receive.size > 0) {
        memcpy(have->data + at, receive.is.data, receive.size < FIRST ? receive.size : FIRST);
        have->size += receive.size;
        to_fill = have->data + at + FIRST;
    }
    return swap_rest(have->data, send.size, to, to_fill, receive.size, from, tag);
}

/* Gathers all messages in `have`, by Bruck's algorithm: after step k, each process has the messages of 2^k processes, in
 * order, beginning with its own. A process with an error takes part in all steps, so an error in `t` at the start gets to
 * all processes. */
static int gather(const int *procs, int n, int me, int tag, struct trouble *t, struct bytes *have)
{
    for (int held = 1; held < n;) {
        int more = held < n - held ? held : n - held;
        struct reader r = {have->data};
        for (int i = 0; !t->class && i < more; i++)
            dri_get(&r, dri_get_number(&r));
        TRY(swap(have, t->class ? 0 : r.at - have->data, t, procs[(me - held + n) % n], procs[(me + held) % n], tag));
        held += more;
    }
    return DRI_SUCCESS;
}

int dri_exchange(const int *procs, int n, int me, int tag, int class, const struct bytes *mine, struct reader *all, char **memory)
{
    struct bytes have = {0};
    struct trouble t = {0};
    *memory = NULL;
    /* If all messages have this size, no memory is needed later. */
    if (!class)
        class = dri_reserve(&have, n * (mine->size + sizeof(int64_t)));
    if (!class)
        class = dri_put_number(&have, mine->size);
    if (!class)
        class = dri_put(&have, mine->data, mine->size);
    note_own(&t, class);
    class = gather(procs, n, me, tag, &t, &have);
    *memory = have.data;
    if (!class)
        class = agreed(&t);
    struct reader r = {have.data};
    for (int i = 0; !class && i < n; i++) {
        size_t size = dri_get_number(&r);
        all[(me + i) % n] = r;
        dri_get(&r, size);
    }
    return class;
}

/* An exchange without data: after log2(n) steps every process has the lowest error class. */
int dri_agree(const int *procs, int n, int me, int tag, int mine)
{
    struct bytes none = {0};
    struct trouble t = {0};
    note_own(&t, mine);
    for (int distance = 1; distance < n; distance *= 2)
        TRY(swap(&none, 0, &t, procs[(me - distance + n) % n], procs[(me + distance) % n], tag));
    return agreed(&t);
}
