/*
 * A program written from the text of the paper: it uses each function, constant and macro that the paper names, in the order of the
 * paper's sections. Two ranks. The last step aborts the job with code 3.
 *
 * Two types of the paper are wider here: lengths, counts and positions have 64 bits, and a request has the type of its operation.
 */
#define _DEFAULT_SOURCE
#include "adi.h"
#include "adi_names.h"
#include "adi_threads.h"
#include "check.h"
#include "mpid_time.h"

enum { CONTEXT = 5, LENGTH = 256, LONG = 100000, PAIRS = 40 };

static struct MPIR_COMMUNICATOR *comm; /* NULL at first: a null communicator is allowed if the context is given */
static int me, other, err = MPI_SUCCESS;
static const int msgrep = MPID_MSGFORM_OK;

/* ---- a datatype of the layer above: every second int ---- */

static void pack_pairs(const MPIR_DATATYPE *type, const void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, void *dest, int64_t n)
{
    (void)type, (void)count;
    for (int64_t i = 0; i < n; i++) { /* XDR is big-endian */
        int64_t byte = at + i, place = act == MPID_MSG_XDR ? 3 - byte % 4 : byte % 4;
        ((char *)dest)[i] = ((const char *)buf)[byte / 4 * 8 + place];
    }
}

static void unpack_pairs(const MPIR_DATATYPE *type, void *buf, int64_t count, MPID_Msg_pack_t act, int64_t at, const void *src, int64_t n)
{
    (void)type, (void)count;
    for (int64_t i = 0; i < n; i++) {
        int64_t byte = at + i, place = act == MPID_MSG_XDR ? 3 - byte % 4 : byte % 4;
        ((char *)buf)[byte / 4 * 8 + place] = ((const char *)src)[i];
    }
}

static int64_t native_pairs(const MPIR_DATATYPE *type, int64_t n)
{
    (void)type;
    return n;
}

static const struct MPID_Type_ops operations = {.pack = pack_pairs, .unpack = unpack_pairs, .native = native_pairs};
static struct MPIR_DATATYPE pairs = {.ops = &operations, .size = 4, .xdr_size = 4, .extent = 8};

/* ---- 3: contiguous operations ---- */

static void blocking(void)
{
    char buf[LENGTH] = "blocking";
    MPI_Status status;
    if (me == 0) {
        MPID_SendContig(comm, buf, sizeof buf, me, 1, CONTEXT, other, msgrep, &err);
        MPID_SsendContig(comm, buf, sizeof buf, me, 2, CONTEXT, other, msgrep, &err);
        wait_for_rank(other);
        MPID_RsendContig(comm, buf, sizeof buf, me, 3, CONTEXT, other, msgrep, &err);
        MPID_BsendContig(comm, buf, sizeof buf, me, 4, CONTEXT, other, msgrep, &err);
        if (err == MPIR_ERR_MAY_BLOCK) {
            err = MPI_SUCCESS;
            MPID_SendContig(comm, buf, sizeof buf, me, 4, CONTEXT, other, msgrep, &err);
        }
    } else {
        MPIR_RHANDLE ready;
        for (int tag = 1; tag <= 2; tag++) {
            MPID_Probe(comm, tag, CONTEXT, other, &err, &status);
            MPID_RecvContig(comm, buf, sizeof buf, other, tag, CONTEXT, &status, &err);
            EQUAL(tag, status.MPI_TAG);
        }
        MPID_IrecvContig(comm, buf, sizeof buf, other, 3, CONTEXT, &ready, &err);
        tell_rank(other);
        MPID_RecvComplete(&ready, &status, &err);
        int flag = 0;
        while (!flag)
            MPID_Iprobe(comm, MPI_ANY_TAG, CONTEXT, MPI_ANY_SOURCE, &flag, &err, (MPI_Status *)0);
        MPID_RecvContig(comm, buf, sizeof buf, MPI_ANY_SOURCE, MPI_ANY_TAG, CONTEXT, (MPI_Status *)0, &err);
        CHECK(!strcmp(buf, "blocking"));
    }
    EQUAL(MPI_SUCCESS, err);
}

/* The paper's sketches of MPI_Wait and MPI_Waitall. */
static void wait_all(MPIR_SHANDLE *sends, int n)
{
    for (int i = 0; i < n; i++) {
        CHECK(sends[i].handle_type == MPIR_SEND && sends[i].cookie == MPIR_COOKIE);
        while (!sends[i].is_complete)
            MPID_DeviceCheck(MPID_BLOCKING);
        while (!MPID_SendIcomplete(&sends[i], &err))
            MPID_DeviceCheck(MPID_NOTBLOCKING);
    }
}

static void nonblocking(void)
{
    static char buf[LONG], parts[4][LONG];
    MPI_Status status;
    if (me == 0) {
        MPIR_SHANDLE sends[3];
        memset(buf, 7, sizeof buf);
        wait_for_rank(other);
        MPID_IsendContig(comm, buf, sizeof buf, me, 1, CONTEXT, other, msgrep, &sends[0], &err);
        MPID_IssendContig(comm, buf, sizeof buf, me, 2, CONTEXT, other, msgrep, &sends[1], &err);
        MPID_IrsendContig(comm, buf, sizeof buf, me, 3, CONTEXT, other, msgrep, &sends[2], &err);
        wait_all(sends, 3);
        MPID_IsendContig(comm, buf, sizeof buf, me, 4, CONTEXT, other, msgrep, &sends[0], &err);
        MPID_WaitForCompleteSend(&sends[0]);
        MPID_SendComplete(&sends[0], &err);
    } else {
        MPIR_RHANDLE receives[4];
        for (int i = 0; i < 4; i++) {
            MPID_IrecvContig(comm, parts[i], sizeof parts[i], other, i + 1, CONTEXT, &receives[i], &err);
            MPIR_OPTYPE type = (MPIR_OPTYPE)receives[i].handle_type;
            EQUAL(MPIR_RECV, type);
        }
        tell_rank(other);
        while (!MPID_RecvIcomplete(&receives[0], &status, &err))
            MPID_DeviceCheck(MPID_BLOCKING);
        MPID_RecvComplete(&receives[1], &status, &err);
        MPID_WaitForCompleteRecv(&receives[2]);
        EQUAL(sizeof buf, receives[2].s.count);
        MPID_RecvComplete(&receives[2], &status, &err);
        MPID_RecvComplete(&receives[3], &status, &err);
        CHECK(parts[0][0] == 7 && parts[3][LONG - 1] == 7);
    }
    EQUAL(MPI_SUCCESS, err);
}

/* 3.6 and 6.2: the device frees what the caller has given up. 6.4: a receive that nothing has matched. */
static void freed(void)
{
    static int data[3];
    MPIR_RHANDLE cancelled;
    MPI_Status status;
    MPIR_SHANDLE *send = calloc(1, sizeof *send);
    MPIR_RHANDLE *receive = calloc(1, sizeof *receive);
    union MPIR_HANDLE *any = calloc(1, sizeof *any);
    data[0] = me;
    MPID_IrecvContig(comm, &data[1], sizeof *data, other, 1, CONTEXT, receive, &err);
    MPID_RecvFree(receive, &err);
    MPID_IsendContig(comm, &data[0], sizeof *data, me, 1, CONTEXT, other, msgrep, send, &err);
    MPID_SendFree(send, &err);
    MPID_IrecvContig(comm, &data[2], sizeof *data, other, 2, CONTEXT, &any->rhandle, &err);
    MPID_Request_free(any, &err);
    MPID_SendContig(comm, &data[0], sizeof *data, me, 2, CONTEXT, other, msgrep, &err);
    MPID_SendContig(comm, &data[0], sizeof *data, me, 3, CONTEXT, other, msgrep, &err);
    MPID_RecvContig(comm, &data[0], sizeof *data, other, 3, CONTEXT, &status, &err); /* the two before it have arrived */
    EQUAL(other, data[1]);
    EQUAL(other, data[2]);
    MPID_IrecvContig(comm, data, sizeof data, other, 99, CONTEXT, &cancelled, &err);
    MPID_RecvCancel(&cancelled, &err);
    MPID_RecvComplete(&cancelled, &status, &err);
    EQUAL(MPID_REQUEST_CANCELLED, status.count);
    MPIR_SHANDLE late;
    MPID_IsendContig(comm, data, sizeof *data, me, 4, CONTEXT, other, msgrep, &late, &err);
    MPID_SendCancel(&late, &err); /* too late: no error */
    MPID_SendComplete(&late, &err);
    MPID_RecvContig(comm, data, sizeof *data, other, 4, CONTEXT, &status, &err);
    EQUAL(MPI_SUCCESS, err);
}

/* ---- 4: noncontiguous operations ---- */

/* The paper's sketch of MPI_Send. */
static void send_message(const void *buf, int64_t count, struct MPIR_DATATYPE *datatype, int tag)
{
#if !defined(MPID_HAS_HETEROGENEOUS)
    if (datatype->is_contig) {
        MPID_SendContig(comm, buf, count * datatype->size, me, tag, CONTEXT, other, msgrep, &err);
    } else
#endif
    {
        MPID_SendDatatype(comm, buf, count, datatype, me, tag, CONTEXT, other, &err);
    }
}

static void noncontiguous(void)
{
    int from[2 * PAIRS], to[2 * PAIRS];
    MPI_Status status;
    MPIR_RHANDLE receives[3];
    MPIR_SHANDLE sends[3];
    for (int i = 0; i < 2 * PAIRS; i++)
        from[i] = 1000 * me + i;
    for (int i = 0; i < 3; i++)
        MPID_IrecvDatatype(comm, to, PAIRS, &pairs, other, 10 + i, CONTEXT, &receives[i], &err);
    tell_rank(other);
    wait_for_rank(other);
    MPID_IsendDatatype(comm, from, PAIRS, &pairs, me, 10, CONTEXT, other, &sends[0], &err);
    MPID_IssendDatatype(comm, from, PAIRS, &pairs, me, 11, CONTEXT, other, &sends[1], &err);
    MPID_IrsendDatatype(comm, from, PAIRS, &pairs, me, 12, CONTEXT, other, &sends[2], &err);
    for (int i = 0; i < 3; i++) {
        MPID_SendComplete(&sends[i], &err);
        MPID_RecvComplete(&receives[i], &status, &err);
    }
    if (me == 0) {
        send_message(from, PAIRS, &pairs, 1);
        MPID_SsendDatatype(comm, from, PAIRS, &pairs, me, 2, CONTEXT, other, &err);
        MPID_RsendDatatype(comm, from, PAIRS, &pairs, me, 3, CONTEXT, other, &err);
        MPID_BsendDatatype(comm, from, PAIRS, &pairs, me, 4, CONTEXT, other, &err);
        if (err == MPIR_ERR_MAY_BLOCK) {
            err = MPI_SUCCESS;
            MPID_SendDatatype(comm, from, PAIRS, &pairs, me, 4, CONTEXT, other, &err);
        }
    } else {
        for (int tag = 1; tag <= 4; tag++)
            MPID_RecvDatatype(comm, to, PAIRS, &pairs, other, tag, CONTEXT, &status, &err);
    }
    for (int i = 0; i < PAIRS; i++)
        EQUAL(1000 * other + 2 * i, to[2 * i]);
    EQUAL(MPI_SUCCESS, err);
}

/* 4.1 */
static void packing(void)
{
    int from[2 * PAIRS], to[2 * PAIRS] = {0};
    char packed[8 * PAIRS];
    int64_t position = 0, in_position = 0, out_position = 0, size = 0;
    MPID_Msgrep_t representation;
    MPID_Msg_pack_t action, received;
    for (int i = 0; i < 2 * PAIRS; i++)
        from[i] = i;
    MPID_Msg_rep(comm, MPI_ANY_SOURCE, &pairs, &representation, &action);
    MPID_Msg_act(comm, MPI_ANY_SOURCE, &pairs, representation, &received);
    EQUAL(representation == MPID_MSGFORM_XDR, (int)action != (int)MPID_MSG_OK);
    EQUAL(action, received);
    MPID_Pack_size(PAIRS, &pairs, action, &size);
    CHECK(size <= (int64_t)sizeof packed);
    MPID_Pack(from, PAIRS, &pairs, packed, sizeof packed, &position, comm, MPI_ANY_SOURCE, representation, action, &err);
    MPID_Unpack(packed, position, representation, &in_position, to, PAIRS, &pairs, &out_position, comm, MPI_ANY_SOURCE, &err);
    EQUAL(position, in_position);
    EQUAL(2 * (PAIRS - 1), to[2 * (PAIRS - 1)]);
    EQUAL(MPI_SUCCESS, err);
}

/* ---- 5: other functions ---- */

static void environment(void)
{
    char name[256], version[MPID_MAX_VERSION_NAME];
    double before, after, tick;
    MPID_Node_name(name, sizeof name);
    MPID_Version_name(version);
    MPID_Wtime(&before);
    MPID_Wtick(&tick);
    MPID_Wtime(&after);
    CHECK(*name && *version && tick > 0 && after >= before);
    CHECK(MPID_TAG_UB >= 32767 && (int)MPID_MAX_CONTEXT_ID >= CONTEXT);
    CHECK(MPID_STDOUT && MPID_STDIN == 0 && MPID_WTIME_IS_GLOBAL && MPID_HOST < 0);
    MPID_SetPktSize(64);
    MPID_Set_tracefile("/dev/null");
    MPID_SetDebugFile("/dev/null");
    MPID_SetDebugFlag(1);
    MPID_SetSpaceDebugFlag(1);
}

/* 5.3: a communicator in which the ranks have the reverse numbers. */
static void communicators(void)
{
    static const int reversed[] = {1, 0};
    struct MPIR_COMMUNICATOR world = {.np = 2}, turned = {.np = 2, .lrank_to_grank = reversed};
    int mine = 1 - me, got = -1;
    MPI_Status status;
    MPID_CommInit(NULL, &world);
    MPID_CommInit(&world, &turned);
    comm = &turned;
    MPID_SendContig(comm, &mine, sizeof mine, mine, 1, CONTEXT, turned.lrank_to_grank[1 - mine], msgrep, &err);
    MPID_RecvContig(comm, &got, sizeof got, 1 - mine, 1, CONTEXT, &status, &err);
    EQUAL(1 - mine, got);
    noncontiguous();
    packing();
    comm = NULL;
    MPID_CommFree(&turned);
    MPID_CommFree(&world);
    EQUAL(MPI_SUCCESS, err);
}

/* ---- 6: requests and threads ---- */

struct foo {
    MPID_THREAD_DS_LOCK_DECLARE
    int other_stuff;
};

static void locks(void)
{
    struct foo *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    MPID_THREAD_DS_INIT(p)
    MPID_THREAD_DS_LOCK_INIT(q);
    MPID_THREAD_DS_LOCK(p)
    p->other_stuff = 1;
    MPID_THREAD_DS_UNLOCK(p)
    MPID_THREAD_DS_LOCK(q)
    q->other_stuff = p->other_stuff;
    MPID_THREAD_DS_UNLOCK(q)
    EQUAL(1, q->other_stuff);
    MPID_THREAD_DS_FREE(p)
    MPID_THREAD_DS_LOCK_FREE(q);
    free(p);
    free(q);
}

/* 6.1: a persistent receive with a wildcard, which each start keeps. */
static void persistent(void)
{
    int data = me, got = -1;
    MPIR_PSHANDLE send = {.perm_buf = &data, .perm_count = sizeof data, .perm_source = me, .perm_context = CONTEXT, .perm_dest = other};
    MPIR_PRHANDLE receive = {.perm_buf = &got, .perm_count = sizeof got, .perm_source = other, .perm_tag = MPI_ANY_TAG, .perm_context = CONTEXT};
    for (int tag = 0; tag < 3; tag++) {
        send.perm_tag = tag;
        MPID_IrecvContig(comm, receive.perm_buf, receive.perm_count, receive.perm_source, receive.perm_tag, receive.perm_context, &receive.rhandle, &err);
        receive.rhandle.handle_type = MPIR_PERSISTENT_RECV;
        MPID_IsendContig(comm, send.perm_buf, send.perm_count, send.perm_source, send.perm_tag, send.perm_context, send.perm_dest, msgrep, &send.shandle, &err);
        send.shandle.handle_type = MPIR_PERSISTENT_SEND;
        MPI_Status status;
        MPID_RecvComplete(&receive.rhandle, &status, &err);
        MPID_SendComplete(&send.shandle, &err);
        EQUAL(tag, status.MPI_TAG);
        EQUAL(other, got);
    }
    EQUAL(MPI_SUCCESS, err);
}

static int rank_main(int argc, char **argv)
{
    MPID_Init(&argc, &argv, (void *)0, &err);
    EQUAL(MPI_SUCCESS, err);
    EQUAL(2, MPID_MyWorldSize);
    me = MPID_MyWorldRank;
    other = 1 - me;
    for (int round = 0; round < 2; round++) { /* the second one with short packets and all output */
        blocking();
        nonblocking();
        freed();
        noncontiguous();
        packing();
        communicators();
        locks();
        persistent();
        environment();
    }
    if (me == 0) {
        wait_for_rank(other);
        printf("each name of the paper\n");
        MPID_Abort(comm, 3, "paper", "the end");
    }
    tell_rank(other);
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
