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

/* Makes room for size bytes in all. */
static int reserve_bytes(struct bytes *b, size_t size)
{
    if (size <= b->room)
        return DRI_SUCCESS;
    char *data = realloc(b->data, size);
    if (!data)
        return dri_fail(DRI_ERR_NOMEM, "no memory for %zu bytes", size);
    b->data = data, b->room = size;
    return DRI_SUCCESS;
}

/* Sends the first `out` bytes of `have` to one process and appends the bytes that another one sends. The first message has
 * the size and the first FIRST bytes, which is everything in most cases; a second one has the rest. */
static int swap(struct bytes *have, int64_t out, int to, int from, int tag)
{
    struct {
        int64_t size;
        char beginning[FIRST];
    } send, receive;
    MPI_Request requests[2];
    int first = out < FIRST ? out : FIRST;
    send.size = out;
    memcpy(send.beginning, have->data, first);
    MPI(MPI_Irecv, &receive, sizeof receive, MPI_BYTE, from, tag, dri_world.comm, &requests[0]);
    MPI(MPI_Isend, &send, (int)sizeof send.size + first, MPI_BYTE, to, tag, dri_world.comm, &requests[1]);
    TRY(complete_requests(2, requests));
    if (out > INT_MAX || receive.size > INT_MAX)
        return dri_fail(DRI_ERR_NOMEM, "the description of the parts is larger than 2 GiB");
    size_t at = have->size;
    TRY(reserve_bytes(have, at + receive.size));
    have->size += receive.size;
    int begun = receive.size < FIRST ? receive.size : FIRST, n = 0;
    memcpy(have->data + at, receive.beginning, begun);
    if (receive.size > begun)
        MPI(MPI_Irecv, have->data + at + begun, (int)receive.size - begun, MPI_BYTE, from, tag, dri_world.comm, &requests[n++]);
    if (out > first)
        MPI(MPI_Isend, have->data + first, (int)out - first, MPI_BYTE, to, tag, dri_world.comm, &requests[n++]);
    return complete_requests(n, requests);
}

/* Gathers all messages in `have`, by Bruck's algorithm: after step k, each process has the messages of 2^k processes, in
 * order, beginning with its own. */
static int gather(const int *procs, int n, int me, int tag, struct bytes *have)
{
    for (int held = 1; held < n;) {
        int more = held < n - held ? held : n - held;
        struct reader r = {have->data};
        for (int i = 0; i < more; i++)
            dri_get(&r, dri_get_number(&r));
        TRY(swap(have, r.at - have->data, procs[(me - held + n) % n], procs[(me + held) % n], tag));
        held += more;
    }
    return DRI_SUCCESS;
}

int dri_exchange(const int *procs, int n, int me, int tag, const struct bytes *mine, struct reader *all, char **memory)
{
    struct bytes have = {0};
    *memory = NULL;
    int class = dri_put_number(&have, mine->size);
    if (!class)
        class = dri_put(&have, mine->data, mine->size);
    if (!class)
        class = gather(procs, n, me, tag, &have);
    *memory = have.data;
    struct reader r = {have.data};
    for (int i = 0; !class && i < n; i++) {
        size_t size = dri_get_number(&r);
        all[(me + i) % n] = r;
        dri_get(&r, size);
    }
    return class;
}

int dri_put_error(struct bytes *b, int class)
{
    char text[ERROR_TEXT] = "";
    if (class)
        strncpy(text, dri_error_text(), sizeof text - 1);
    TRY(dri_put_number(b, class));
    return dri_put(b, text, sizeof text);
}

int dri_first_error(const int *procs, int n, struct reader *all)
{
    int first = DRI_SUCCESS, who = 0;
    const char *text = "";
    for (int i = 0; i < n; i++) {
        int class = dri_get_number(&all[i]);
        const char *said = dri_get(&all[i], ERROR_TEXT);
        if (class && (!first || class < first))
            first = class, text = said, who = procs[i];
    }
    if (!first)
        return DRI_SUCCESS;
    return strncmp(text, "rank ", 5) ? dri_fail(first, "rank %d: %s", who, text) : dri_fail(first, "%s", text);
}

/* Exchanges only the classes and texts of errors. */
int dri_agree(const int *procs, int n, int me, int tag, int mine)
{
    struct bytes b = {0};
    char *memory = NULL;
    struct reader *all = calloc(n, sizeof *all);
    int class = all ? dri_put_error(&b, mine) : dri_fail(DRI_ERR_NOMEM, "no memory for %d processes", n);
    if (!class)
        class = dri_exchange(procs, n, me, tag, &b, all, &memory);
    if (!class)
        class = dri_first_error(procs, n, all);
    free(b.data);
    free(all);
    free(memory);
    return class;
}
