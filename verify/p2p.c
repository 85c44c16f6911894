/* Tests of point-to-point: each even rank sends, and the next odd rank receives. */
#include "verify.h"

/* The tag of data, and of the message that permits a ready-mode send. */
enum { TAG = 17, GO = 18 };

/* Returns the other rank of a pair, or MPI_PROC_NULL if there is none. */
static int pair_partner(void)
{
    int other = rank ^ 1;
    return other < size ? other : MPI_PROC_NULL;
}

/* Report whether a mode is a ready or a buffered send. */
static int is_ready_mode(int mode) { return mode == RSEND || mode == IRSEND || mode == RSEND_INIT; }
static int is_buffered(int mode) { return mode == BSEND || mode == IBSEND || mode == BSEND_INIT; }

/* Starts a send by the function of the mode, and returns its result. */
static int start_send(int mode, const DTP_obj_t *o, int to, MPI_Request *request)
{
#define MESSAGE BUFFER(o), to, TAG, MPI_COMM_WORLD
    switch (mode) {
    case SEND: return MPI_Send(MESSAGE);
    case SSEND: return MPI_Ssend(MESSAGE);
    case BSEND: return MPI_Bsend(MESSAGE);
    case RSEND: return MPI_Rsend(MESSAGE);
    case ISEND: return MPI_Isend(MESSAGE, request);
    case ISSEND: return MPI_Issend(MESSAGE, request);
    case IBSEND: return MPI_Ibsend(MESSAGE, request);
    case IRSEND: return MPI_Irsend(MESSAGE, request);
    case SEND_INIT: return MPI_Send_init(MESSAGE, request);
    case SSEND_INIT: return MPI_Ssend_init(MESSAGE, request);
    case BSEND_INIT: return MPI_Bsend_init(MESSAGE, request);
    default: return MPI_Rsend_init(MESSAGE, request);
    }
}

/* Sends an object in a mode and completes the send. A ready-mode send waits for GO, which
   the receiver sends after it has posted the receive. */
static void send_in_mode(const place *p, int mode, const DTP_obj_t *o, int to)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    if (is_ready_mode(mode))
        MUST(MPI_Recv(NULL, 0, MPI_BYTE, to, GO, MPI_COMM_WORLD, &status));
    int rc = start_send(mode, o, to, &request);
    if (rc != MPI_SUCCESS) {
        failed(p->function, rc);
        return;
    }
    if (mode >= SEND_INIT)
        MUST(MPI_Start(&request));
    MUST(MPI_Wait(&request, &status));
    if (mode < SEND_INIT)
        EXPECT("the request that is done is MPI_REQUEST_NULL", request == MPI_REQUEST_NULL, 1);
    else
        MUST(MPI_Request_free(&request));
}

/* A message in each mode. */
void p2p_mode(const place *p, int mode)
{
    int other = pair_partner();
    if (other == MPI_PROC_NULL)
        return;
    if (rank % 2 == 0) {
        char *buffer = NULL;
        DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements);
        if (!o)
            return;
        if (is_buffered(mode)) {
            int bytes;
            MUST(MPI_Pack_size(o->DTP_obj_count, o->DTP_obj_type, MPI_COMM_WORLD, &bytes));
            bytes += MPI_BSEND_OVERHEAD + 1024;
            buffer = malloc((size_t)bytes);
            MUST(MPI_Buffer_attach(buffer, bytes));
        }
        send_in_mode(p, mode, o, other);
        if (buffer) {
            void *back;
            int bytes;
            MUST(MPI_Buffer_detach(&back, &bytes));
            EXPECT("the buffer of MPI_Buffer_detach is the one attached", back == buffer, 1);
            free(buffer);
        }
        check(p->from, p->s, value(p, rank), 1, p->elements, "the buffer sent");
    } else {
        MPI_Request request;
        MPI_Status status;
        DTP_obj_t *o = object(p->to, p->r, 0, 0);
        if (!o)
            return;
        MUST(MPI_Irecv(BUFFER(o), other, TAG, MPI_COMM_WORLD, &request));
        if (is_ready_mode(mode))
            MUST(MPI_Send(NULL, 0, MPI_BYTE, other, GO, MPI_COMM_WORLD));
        MUST(MPI_Wait(&request, &status));
        check_status(p, &status, other, TAG, o);
        int cancelled = -1;
        MUST(MPI_Test_cancelled(&status, &cancelled));
        EXPECT("the flag of MPI_Test_cancelled", cancelled, 0);
        check_received(p, value(p, other));
    }
}

/* A receive from any source with any tag. The status must have the actual ones. */
void p2p_any(const place *p, int unused)
{
    int other = pair_partner();
    if (other == MPI_PROC_NULL)
        return;
    int tag = 100 + p->number;
    DTP_obj_t *o = rank % 2 == 0 ? object(p->from, p->s, value(p, rank), p->elements) : object(p->to, p->r, 0, 0);
    if (!o)
        return;
    if (rank % 2 == 0) {
        MUST(MPI_Send(BUFFER(o), other, tag, MPI_COMM_WORLD));
    } else {
        MPI_Status status;
        memset(&status, 0x55, sizeof status);
        MUST(MPI_Recv(BUFFER(o), MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        check_status(p, &status, other, tag, o);
        check_received(p, value(p, other));
    }
}

/* A receive from and a send to MPI_PROC_NULL: nothing happens. */
void p2p_proc_null(const place *p, int unused)
{
    MPI_Status status;
    int count = -1;
    DTP_obj_t *o = object(p->to, p->r, value(p, rank), p->elements);
    if (!o)
        return;
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Recv(BUFFER(o), MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status));
    EXPECT("status.MPI_SOURCE of MPI_PROC_NULL", status.MPI_SOURCE, MPI_PROC_NULL);
    EXPECT("status.MPI_TAG of MPI_PROC_NULL", status.MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Get_count(&status, o->DTP_obj_type, &count));
    EXPECT("the count received from MPI_PROC_NULL", count, 0);
    MUST(MPI_Send(BUFFER(o), MPI_PROC_NULL, TAG, MPI_COMM_WORLD));
    check(p->to, p->r, value(p, rank), 1, p->elements, "the buffer, to which nobody sent");
}

/* Several messages at once from this process to itself, completed by several functions. */
void p2p_many(const place *p, int unused)
{
    enum { MANY = 6 };
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    int received[MANY] = {0}, index, flag;
    DTP_obj_t *o = object(p->from, p->s, value(p, rank), p->elements), *last = object(p->to, p->r, 0, 0);
    if (!o || !last)
        return;
    for (int i = 0; i < MANY; i++) {
        if (i == MANY - 1)
            MUST(MPI_Irecv(BUFFER(last), rank, i, MPI_COMM_WORLD, &requests[i]));
        else
            MUST(MPI_Irecv(&received[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]));
    }
    int sent[MANY];
    for (int i = 0; i < MANY; i++) {
        sent[i] = i + 1;
        if (i == MANY - 1)
            MUST(MPI_Isend(BUFFER(o), rank, i, MPI_COMM_WORLD, &requests[MANY + i]));
        else
            MUST(MPI_Isend(&sent[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[MANY + i]));
    }
    MUST(MPI_Waitany(MANY, requests, &index, &statuses[0]));
    EXPECT("the tag of MPI_Waitany", statuses[0].MPI_TAG, index);
    EXPECT("the source of MPI_Waitany", statuses[0].MPI_SOURCE, rank);
    MUST(MPI_Waitall(2 * MANY, requests, statuses));
    for (int i = 0; i < MANY; i++) {
        EXPECT("a request that is done is MPI_REQUEST_NULL", requests[i] == MPI_REQUEST_NULL, 1);
        if (i != index)
            EXPECT("a tag of MPI_Waitall", statuses[i].MPI_TAG, i);
        if (i < MANY - 1)
            EXPECT("a message of MPI_Waitall", received[i], i + 1);
    }
    EXPECT("the source of an empty status", statuses[index].MPI_SOURCE, MPI_ANY_SOURCE);
    MUST(MPI_Testall(2 * MANY, requests, &flag, statuses));
    EXPECT("the flag of MPI_Testall", flag, 1);
    MUST(MPI_Testany(2 * MANY, requests, &index, &flag, MPI_STATUS_IGNORE));
    EXPECT("the index of MPI_Testany without requests", index, MPI_UNDEFINED);
    check_received(p, value(p, rank));
}

/* A persistent receive that is started twice. */
void p2p_recv_init(const place *p, int unused)
{
    int other = pair_partner();
    if (other == MPI_PROC_NULL)
        return;
    DTP_obj_t *o = rank % 2 == 0 ? object(p->from, p->s, value(p, rank), p->elements) : object(p->to, p->r, 0, 0);
    MPI_Request request;
    MPI_Status status;
    if (!o)
        return;
    if (rank % 2 == 1)
        MUST(MPI_Recv_init(BUFFER(o), other, TAG, MPI_COMM_WORLD, &request));
    for (int round = 0; round < 2; round++) {
        if (rank % 2 == 0) {
            MUST(MPI_Send(BUFFER(o), other, TAG, MPI_COMM_WORLD));
            continue;
        }
        MUST(MPI_Startall(1, &request));
        MUST(MPI_Wait(&request, &status));
        check_status(p, &status, other, TAG, o);
        check_received(p, value(p, other));
    }
    if (rank % 2 == 1)
        MUST(MPI_Request_free(&request));
}

/* The four ways to probe a message before it is received. */
enum look { PROBE, IPROBE, MPROBE, IMPROBE };

/* Probes a message in one way, and receives it. */
static void probe(const place *p, enum look how)
{
    int other = pair_partner(), flag = 0;
    if (other == MPI_PROC_NULL)
        return;
    DTP_obj_t *o = rank % 2 == 0 ? object(p->from, p->s, value(p, rank), p->elements) : object(p->to, p->r, 0, 0);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    if (!o)
        return;
    if (rank % 2 == 0) {
        MUST(MPI_Send(BUFFER(o), other, TAG, MPI_COMM_WORLD));
        return;
    }
    switch (how) {
    case PROBE: MUST(MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status)); break;
    case IPROBE:
        while (!flag)
            MUST(MPI_Iprobe(other, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
        break;
    case MPROBE: MUST(MPI_Mprobe(other, TAG, MPI_COMM_WORLD, &message, &status)); break;
    case IMPROBE:
        while (!flag)
            MUST(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
        break;
    }
    check_status(p, &status, other, TAG, o);
    if (how == MPROBE) {
        MUST(MPI_Mrecv(BUFFER(o), &message, &status));
    } else if (how == IMPROBE) {
        MPI_Request request;
        MUST(MPI_Imrecv(BUFFER(o), &message, &request));
        MUST(MPI_Wait(&request, &status));
    } else {
        MUST(MPI_Recv(BUFFER(o), status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status));
    }
    EXPECT("the message that is received is MPI_MESSAGE_NULL", message == MPI_MESSAGE_NULL, 1);
    check_status(p, &status, other, TAG, o);
    check_received(p, value(p, other));
}

void p2p_probe(const place *p, int unused) { probe(p, PROBE); }
void p2p_iprobe(const place *p, int unused) { probe(p, IPROBE); }
void p2p_mprobe(const place *p, int unused) { probe(p, MPROBE); }
void p2p_improbe(const place *p, int unused) { probe(p, IMPROBE); }

/* A message around a ring of all ranks. */
void p2p_sendrecv(const place *p, int unused)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Status status;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Sendrecv(BUFFER(s), next, TAG, BUFFER(r), before, TAG, MPI_COMM_WORLD, &status));
    check_status(p, &status, before, TAG, r);
    check(p->from, p->s, value(p, rank), 1, p->elements, "the buffer sent");
    check_received(p, value(p, before));
}

/* Exchanges with one buffer. */
void p2p_replace(const place *p, int unused)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Status status;
    DTP_obj_t *o = object(p->to, p->r, value(p, rank), p->elements);
    if (!o)
        return;
    MUST(MPI_Sendrecv_replace(BUFFER(o), next, TAG, before, TAG, MPI_COMM_WORLD, &status));
    check_status(p, &status, before, TAG, o);
    check(p->to, p->r, value(p, before), 1, p->elements, "the buffer replaced");
}

/* A message on MPI_COMM_SELF. */
void p2p_self(const place *p, int unused)
{
    MPI_Request request;
    MPI_Status status;
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Isend(BUFFER(s), 0, TAG, MPI_COMM_SELF, &request));
    MUST(MPI_Recv(BUFFER(r), 0, TAG, MPI_COMM_SELF, &status));
    check_status(p, &status, 0, TAG, r);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_received(p, value(p, rank));
}

/* Both ranks of a pair send at the same time. */
void p2p_pingping(const place *p, int unused)
{
    int other = pair_partner();
    if (other == MPI_PROC_NULL)
        return;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    DTP_obj_t *s = object(p->from, p->s, value(p, rank), p->elements), *r = object(p->to, p->r, 0, 0);
    if (!s || !r)
        return;
    MUST(MPI_Isend(BUFFER(s), other, TAG, MPI_COMM_WORLD, &requests[0]));
    MUST(MPI_Irecv(BUFFER(r), other, TAG, MPI_COMM_WORLD, &requests[1]));
    MUST(MPI_Waitall(2, requests, statuses));
    check_status(p, &statuses[1], other, TAG, r);
    check_received(p, value(p, other));
}

/* A message with the greatest tag, MPI_TAG_UB. */
void p2p_tag(const place *p, int unused)
{
    int other = pair_partner(), flag = 0, *most = NULL;
    MPI_Status status;
    if (other == MPI_PROC_NULL)
        return;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag));
    if (!flag || *most < 32767) {
        wrong("the attribute MPI_TAG_UB is %d", flag ? *most : -1);
        return;
    }
    DTP_obj_t *o = rank % 2 == 0 ? object(p->from, p->s, value(p, rank), p->elements) : object(p->to, p->r, 0, 0);
    if (!o)
        return;
    if (rank % 2 == 0) {
        MUST(MPI_Send(BUFFER(o), other, *most, MPI_COMM_WORLD));
        return;
    }
    MUST(MPI_Recv(BUFFER(o), other, *most, MPI_COMM_WORLD, &status));
    check_status(p, &status, other, *most, o);
    check_received(p, value(p, other));
}
