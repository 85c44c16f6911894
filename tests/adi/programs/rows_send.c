/* Rows of sends, receives and probes. */
#include "check.h"
#include "rows.h"
#include "rows_layouts.h"

enum { CONTEXT = 5 };

static const int64_t sizes[] = {0, 1, 3, 8, 31, 32, 33, 39, 40, 41, 63, 64, 65, 500, 4095, 4096, 4097, 40000, 200000, 3000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void fill(unsigned char *buf, int64_t n, unsigned seed)
{
    for (int64_t i = 0; i < n; i++)
        buf[i] = (unsigned char)(seed + (unsigned)i * 7 + (unsigned)(i >> 8));
}

static bool filled(const unsigned char *buf, int64_t n, unsigned seed)
{
    for (int64_t i = 0; i < n; i++)
        if (buf[i] != (unsigned char)(seed + (unsigned)i * 7 + (unsigned)(i >> 8)))
            return false;
    return true;
}

typedef void send_function(struct MPIR_COMMUNICATOR *, const void *, int64_t, int, int, int, int, MPID_Msgrep_t, int *);

/* Each mode: lengths are bytes, the destination is a rank of the job, the source is the sender's word. */
void row_A2(void)
{
    send_function *const modes[] = {MPID_SendContig, MPID_SsendContig, MPID_RsendContig};
    unsigned char *buf = malloc(3000000);
    for (int mode = 0; mode < 3; mode++)
        for (int k = 0; k < SIZES; k++) {
            int err = UNTOUCHED;
            MPID_Status status;
            if (MPID_MyWorldRank == 1) {
                fill(buf, sizes[k], (unsigned)k);
                wait_for_rank(0); /* the receive is posted */
                modes[mode](NULL, buf, sizes[k], 70 + mode, 3, CONTEXT, 0, MPID_MSGFORM_OK, &err);
            } else {
                MPIR_RHANDLE other, request;
                MPID_IrecvContig(NULL, buf, 0, 1, 3, CONTEXT, &other, &err); /* 1 is the rank, but not what the sender says */
                MPID_IrecvContig(NULL, buf, sizes[k], 70 + mode, 3, CONTEXT, &request, &err);
                tell_rank(1);
                MPID_RecvComplete(&request, &status, &err);
                EQUAL(70 + mode, status.MPI_SOURCE);
                EQUAL(3, status.MPI_TAG);
                EQUAL(sizes[k], status.count);
                CHECK(filled(buf, sizes[k], (unsigned)k));
                EQUAL(0, other.is_complete);
                MPID_RecvCancel(&other, &err);
                MPID_RecvComplete(&other, &status, &err);
                EQUAL(MPID_REQUEST_CANCELLED, status.count);
            }
            EQUAL(UNTOUCHED, err);
        }
    /* A synchronous send is not complete before its receive, of whatever size. */
    for (int k = 0; k < SIZES; k++) {
        int err = UNTOUCHED;
        MPIR_SHANDLE request;
        if (MPID_MyWorldRank == 1) {
            MPID_IssendContig(NULL, buf, sizes[k], 1, 4, CONTEXT, 0, MPID_MSGFORM_OK, &request, &err);
            MPID_Status status;
            MPID_RecvContig(NULL, NULL, 0, 0, 5, CONTEXT, &status, &err); /* the receiver has seen the message */
            MPID_DeviceCheck(MPID_NOTBLOCKING);
            EQUAL(0, request.is_complete);
            tell_rank(0);
            MPID_SendComplete(&request, &err);
        } else {
            MPID_Probe(NULL, 4, CONTEXT, 1, &err, NULL);
            MPID_SendContig(NULL, NULL, 0, 0, 5, CONTEXT, 1, MPID_MSGFORM_OK, &err);
            wait_for_rank(1);
            MPID_RecvContig(NULL, buf, sizes[k], 1, 4, CONTEXT, NULL, &err);
        }
        EQUAL(UNTOUCHED, err);
    }
    free(buf);
}

/* A buffered send delivers, or changes nothing. */
void row_A3(void)
{
    char data[4096] = {0};
    int err = UNTOUCHED;
    for (int bytes = 8; bytes <= 4096; bytes *= 8) {
        int sent = 0, last = -1;
        if (MPID_MyWorldRank == 1) {
            for (; err == UNTOUCHED; sent += err == UNTOUCHED) {
                memcpy(data, &sent, sizeof sent);
                MPID_BsendContig(NULL, data, bytes, 1, 6, CONTEXT, 0, MPID_MSGFORM_OK, &err);
                CHECK(sent < 10000000);
            }
            EQUAL(MPIR_ERR_MAY_BLOCK, err);
            CHECK(sent > 2);
            err = UNTOUCHED;
            tell_rank(0); /* waits for a free line */
            wait_for_rank(0);
            MPID_BsendContig(NULL, &sent, sizeof sent, 1, 7, CONTEXT, 0, MPID_MSGFORM_OK, &err);
            EQUAL(UNTOUCHED, err);
        } else {
            MPIR_RHANDLE end;
            MPID_IrecvContig(NULL, NULL, 0, 1, 999, 999, &end, &err);
            for (double begin, now = (MPID_Wtime(&begin), begin); now < begin + 0.02;) /* lets the sender fill the ring */
                MPID_Wtime(&now);
            int got = 0;
            for (int flag = 1; flag || !end.is_complete;) {
                MPID_Iprobe(NULL, 6, CONTEXT, 1, &flag, &err, NULL);
                if (!flag)
                    continue;
                MPID_RecvContig(NULL, data, bytes, 1, 6, CONTEXT, NULL, &err);
                memcpy(&last, data, sizeof last);
                EQUAL(got++, last);
            }
            MPID_RecvComplete(&end, NULL, &err);
            tell_rank(1);
            MPID_RecvContig(NULL, &sent, sizeof sent, 1, 7, CONTEXT, NULL, &err);
            EQUAL(got, sent);
        }
        EQUAL(UNTOUCHED, err);
    }
}

/* A send and the receive that takes it at once, or nothing. */
static void check_sendrecv_own(void)
{
    int err = UNTOUCHED, me = MPID_MyWorldRank, value = 3, got = 0;
    const char *threads = getenv("ADI_THREADS");
    bool one_thread = !threads || atoi(threads) == 0;
    MPID_Status status = {.MPI_TAG = -9};
    MPIR_RHANDLE receive;
    MPIR_SHANDLE send;
    EQUAL(one_thread, MPID_SendrecvOwn(&value, 4, 8, 5, &got, 4, MPID_ANY_SOURCE, MPID_ANY_TAG, CONTEXT, &status, &err));
    EQUAL(UNTOUCHED, err);
    if (one_thread) {
        EQUAL(3, got);
        EQUAL(8, status.MPI_SOURCE);
        EQUAL(5, status.MPI_TAG);
        EQUAL(4, status.count);
        EQUAL(1, MPID_SendrecvOwn(&value, 4, 8, 5, &got, 3, 8, 5, CONTEXT, NULL, &err));
        EQUAL(MPIR_ERR_TRUNCATE, err);
        err = UNTOUCHED;
    }
    /* They do not match, or are not valid. */
    EQUAL(0, MPID_SendrecvOwn(&value, 4, 8, 5, &got, 4, 8, 6, CONTEXT, NULL, &err));
    EQUAL(0, MPID_SendrecvOwn(&value, 4, 8, 5, &got, 4, 7, 5, CONTEXT, NULL, &err));
    EQUAL(0, MPID_SendrecvOwn(&value, -1, 8, 5, &got, 4, 8, 5, CONTEXT, NULL, &err));
    EQUAL(0, MPID_SendrecvOwn(NULL, 4, 8, 5, &got, 4, 8, 5, CONTEXT, NULL, &err));
    EQUAL(0, MPID_SendrecvOwn(&value, 4, 8, 5, NULL, 4, 8, 5, CONTEXT, NULL, &err));
    /* An earlier receive takes the message, and an earlier message comes first. */
    MPID_IrecvContig(NULL, &got, 4, 8, 5, CONTEXT, &receive, &err);
    EQUAL(0, MPID_SendrecvOwn(&value, 4, 8, 5, &got, 4, 8, 5, CONTEXT, NULL, &err));
    value = 4;
    MPID_SendContig(NULL, &value, 4, 8, 5, CONTEXT, me, MPID_MSGFORM_OK, &err);
    MPID_RecvComplete(&receive, NULL, &err);
    EQUAL(4, got);
    MPID_IsendContig(NULL, &value, 4, 8, 5, CONTEXT, me, MPID_MSGFORM_OK, &send, &err);
    EQUAL(0, MPID_SendrecvOwn(&value, 4, 9, 5, &got, 4, MPID_ANY_SOURCE, 5, CONTEXT, NULL, &err));
    MPID_RecvContig(NULL, &got, 4, MPID_ANY_SOURCE, 5, CONTEXT, &status, &err);
    MPID_SendComplete(&send, &err);
    EQUAL(8, status.MPI_SOURCE);
    EQUAL(UNTOUCHED, err);
}

/* Wildcards, a NULL status, truncation. */
void row_A4(void)
{
    check_sendrecv_own();
    unsigned char *buf = malloc(3000000 + 16);
    int other = !MPID_MyWorldRank;
    for (int own = 0; own < 2; own++) /* from the other rank, and from itself */
        for (int k = 0; k < SIZES; k++)
            for (int way = 0; way < 4; way++) {
                int err = UNTOUCHED;
                int64_t room = way == 3 ? sizes[k] / 2 : sizes[k];
                MPID_Status status = {.MPI_SOURCE = -9};
                MPIR_SHANDLE send;
                MPIR_RHANDLE receive;
                unsigned char *data = malloc((size_t)sizes[k] + 1);
                fill(data, sizes[k], (unsigned)(way + k));
                fill(buf, room + 16, 200);
                if (way == 1) /* posted before the message */
                    MPID_IrecvContig(NULL, buf, room, MPID_ANY_SOURCE, MPID_ANY_TAG, CONTEXT, &receive, &err);
                MPID_IsendContig(NULL, data, sizes[k], 3, 40 + k, CONTEXT, own ? MPID_MyWorldRank : other, MPID_MSGFORM_OK, &send, &err);
                if (way == 1)
                    MPID_RecvComplete(&receive, &status, &err);
                else if (way == 2)
                    MPID_RecvContig(NULL, buf, room, 3, MPID_ANY_TAG, CONTEXT, NULL, &err);
                else
                    MPID_RecvContig(NULL, buf, room, MPID_ANY_SOURCE, 40 + k, CONTEXT, &status, &err);
                bool truncated = room < sizes[k];
                EQUAL(truncated ? MPIR_ERR_TRUNCATE : UNTOUCHED, err);
                err = UNTOUCHED;
                CHECK(filled(buf, room, (unsigned)(way + k)));
                for (int i = 0; i < 16; i++) /* after the buffer nothing has changed */
                    EQUAL((unsigned char)(200 + (room + i) * 7 + ((room + i) >> 8)), buf[room + i]);
                if (way != 2) {
                    EQUAL(3, status.MPI_SOURCE);
                    EQUAL(40 + k, status.MPI_TAG);
                    EQUAL(room, status.count);
                    EQUAL(truncated ? MPIR_ERR_TRUNCATE : 0, status.MPI_ERROR);
                }
                MPID_SendComplete(&send, &err);
                EQUAL(UNTOUCHED, err);
                int flag = 1; /* the rest of a truncated message is gone */
                MPID_Iprobe(NULL, MPID_ANY_TAG, CONTEXT, MPID_ANY_SOURCE, &flag, &err, NULL);
                EQUAL(0, flag);
                meet();
                free(data);
            }
    free(buf);
}

/* A probe names the message that the next receive gets. */
void row_A20(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, flag = 1;
    MPID_Status status;
    MPID_Iprobe(NULL, 1, CONTEXT, MPID_ANY_SOURCE, &flag, &err, &status);
    EQUAL(0, flag);
    meet(); /* nothing is sent before */
    unsigned char *buf = malloc(3000000);
    MPIR_SHANDLE sends[SIZES];
    unsigned char *data = calloc(1, 3000000);
    for (int k = 0; k < SIZES; k++)
        MPID_IsendContig(NULL, data, sizes[k], MPID_MyWorldRank, k % 5, CONTEXT, other, MPID_MSGFORM_OK, &sends[k], &err);
    bool seen[SIZES] = {false};
    for (int k = 0; k < SIZES; k++) {
        int tag = k % 3 ? k % 5 : MPID_ANY_TAG;
        int wanted = -1;
        for (int i = 0; i < SIZES && wanted < 0; i++)
            if (!seen[i] && (tag == MPID_ANY_TAG || i % 5 == tag))
                wanted = i;
        if (wanted < 0)
            tag = MPID_ANY_TAG;
        for (int i = 0; i < SIZES && wanted < 0; i++)
            if (!seen[i])
                wanted = i;
        MPID_Probe(NULL, tag, CONTEXT, MPID_ANY_SOURCE, &err, &status);
        EQUAL(sizes[wanted], status.count);
        EQUAL(wanted % 5, status.MPI_TAG);
        EQUAL(other, status.MPI_SOURCE);
        for (flag = 0; !flag;)
            MPID_Iprobe(NULL, tag, CONTEXT, other, &flag, &err, NULL);
        MPID_Status received;
        MPID_RecvContig(NULL, buf, 3000000, status.MPI_SOURCE, status.MPI_TAG, CONTEXT, &received, &err);
        EQUAL(status.count, received.count);
        seen[wanted] = true;
    }
    for (int k = 0; k < SIZES; k++)
        MPID_SendComplete(&sends[k], &err);
    EQUAL(UNTOUCHED, err);
    free(buf);
    free(data);
}

/* Arguments: tag and buffer are the device's to check. */
void row_A28(void)
{
    char data[8] = {0};
    int err = MPID_SUCCESS, other = !MPID_MyWorldRank;
    struct { int expected; const void *buf; int64_t len; int source, tag, dest; } sends[] = {
        {MPIR_ERR_BUFFER, NULL, 1, 0, 0, other}, {MPIR_ERR_COUNT, data, -1, 0, 0, other}, {MPIR_ERR_TAG, data, 1, 0, -1, other},
        {MPIR_ERR_TAG, data, 1, 0, MPID_ANY_TAG, other}, {MPIR_ERR_RANK, data, 1, 0, 0, MPID_MyWorldSize}, {MPIR_ERR_RANK, data, 1, 0, 0, -1},
        {MPIR_ERR_RANK, data, 1, -1, 0, other},
    };
    for (size_t i = 0; i < sizeof sends / sizeof *sends; i++) {
        MPIR_SHANDLE request;
        err = UNTOUCHED;
        MPID_SendContig(NULL, sends[i].buf, sends[i].len, sends[i].source, sends[i].tag, CONTEXT, sends[i].dest, MPID_MSGFORM_OK, &err);
        EQUAL(sends[i].expected, err);
        err = UNTOUCHED;
        MPID_IssendContig(NULL, sends[i].buf, sends[i].len, sends[i].source, sends[i].tag, CONTEXT, sends[i].dest, MPID_MSGFORM_OK, &request, &err);
        EQUAL(sends[i].expected, err);
        err = UNTOUCHED;
        MPID_BsendContig(NULL, sends[i].buf, sends[i].len, sends[i].source, sends[i].tag, CONTEXT, sends[i].dest, MPID_MSGFORM_OK, &err);
        EQUAL(sends[i].expected, err);
    }
    struct { int expected; void *buf; int64_t len; int source, tag; } receives[] = {
        {MPIR_ERR_BUFFER, NULL, 1, 0, 0}, {MPIR_ERR_COUNT, data, -1, 0, 0}, {MPIR_ERR_TAG, data, 1, 0, -1}, {MPIR_ERR_RANK, data, 1, -2, 0},
    };
    for (size_t i = 0; i < sizeof receives / sizeof *receives; i++) {
        err = UNTOUCHED;
        MPID_RecvContig(NULL, receives[i].buf, receives[i].len, receives[i].source, receives[i].tag, CONTEXT, NULL, &err);
        EQUAL(receives[i].expected, err);
    }
    /* A datatype of absolute addresses makes a NULL buffer valid. */
    int value = 4711 + MPID_MyWorldRank, got = 0;
    int64_t one = 1, from = (int64_t)(intptr_t)&value, to = (int64_t)(intptr_t)&got;
    MPIR_DATATYPE *basic = layout_basic(BASIC_INT), *source = layout_struct(1, &one, &from, &basic), *target = layout_struct(1, &one, &to, &basic);
    MPIR_SHANDLE request;
    err = UNTOUCHED;
    MPID_IsendDatatype(NULL, NULL, 1, source, MPID_MyWorldRank, 2, CONTEXT, other, &request, &err);
    EQUAL(MPIR_ERR_BUFFER, err);
    source->is_absolute = target->is_absolute = true;
    err = UNTOUCHED;
    MPID_IsendDatatype(NULL, NULL, 1, source, MPID_MyWorldRank, 2, CONTEXT, other, &request, &err);
    MPID_RecvDatatype(NULL, NULL, 1, target, other, 2, CONTEXT, NULL, &err);
    MPID_SendComplete(&request, &err);
    EQUAL(UNTOUCHED, err);
    EQUAL(4711 + other, got);
    layout_free(source);
    layout_free(target);
}
