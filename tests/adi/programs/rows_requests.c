/* Rows of requests and of waiting. */
#include <pthread.h>

#include "check.h"
#include "rows.h"

enum { CONTEXT = 8 };

/* Requests are the caller's, here on the stack; several are under way at a time. */
void row_A6(void)
{
    enum { N = 40 };
    static const int64_t lengths[] = {8, 1000, 50000};
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char *out = malloc(N * 50000), *in = malloc(N * 50000);
    MPIR_SHANDLE sends[N];
    MPIR_RHANDLE receives[N];
    for (int mode = 0; mode < 3; mode++) {
        memset(in, 0, N * 50000);
        for (int i = 0; i < N; i++) {
            memset(out + i * 50000, 'a' + i, 50000);
            MPID_IrecvContig(NULL, in + i * 50000, 50000, other, i, CONTEXT, &receives[i], &err);
        }
        meet(); /* ready sends need the receives */
        for (int i = N; i-- > 0;)
            (mode == 0 ? MPID_IsendContig : mode == 1 ? MPID_IssendContig : MPID_IrsendContig)(NULL, out + i * 50000, lengths[i % 3], MPID_MyWorldRank, i, CONTEXT, other,
                                                                                              MPID_MSGFORM_OK, &sends[i], &err);
        for (int i = 0; i < N; i++) {
            MPID_Status status;
            while (!MPID_RecvIcomplete(&receives[i], &status, &err)) {
            }
            EQUAL(lengths[i % 3], status.count);
            EQUAL((char)('a' + i), in[i * 50000 + lengths[i % 3] - 1]);
            if (lengths[i % 3] < 50000)
                EQUAL(0, in[i * 50000 + lengths[i % 3]]);
        }
        for (int i = 0; i < N; i++)
            while (!MPID_SendIcomplete(&sends[i], &err)) {
            }
        EQUAL(UNTOUCHED, err);
        meet();
    }
    free(out);
    free(in);
}

/* is_complete changes while another call makes progress. */
void row_A7(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, first = 0, second = 0;
    for (int i = 1; i < 100; i++) {
        MPIR_RHANDLE request;
        MPID_IrecvContig(NULL, &first, sizeof first, other, 1, CONTEXT, &request, &err);
        EQUAL(0, request.is_complete);
        meet();
        MPID_SendContig(NULL, &i, sizeof i, MPID_MyWorldRank, 1, CONTEXT, other, MPID_MSGFORM_OK, &err);
        MPID_SendContig(NULL, &i, sizeof i, MPID_MyWorldRank, 2, CONTEXT, other, MPID_MSGFORM_OK, &err);
        MPID_RecvContig(NULL, &second, sizeof second, other, 2, CONTEXT, NULL, &err);
        EQUAL(1, request.is_complete); /* its message was sent before */
        EQUAL(i, first);
        MPID_RecvComplete(&request, NULL, &err);
    }
    EQUAL(UNTOUCHED, err);
}

void row_A8(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char data[100] = "";
    MPID_Status status = {.MPI_TAG = -9};
    MPIR_RHANDLE request;
    MPIR_SHANDLE send;
    MPID_IrecvContig(NULL, data, 10, other, 1, CONTEXT, &request, &err);
    EQUAL(0, MPID_RecvIcomplete(&request, &status, &err)); /* nothing was sent */
    EQUAL(-9, status.MPI_TAG);
    EQUAL(MPIR_COOKIE, request.cookie);
    meet();
    MPID_IssendContig(NULL, data, 100, MPID_MyWorldRank, 1, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
    while (!MPID_RecvIcomplete(&request, &status, &err)) {
    }
    EQUAL(MPIR_ERR_TRUNCATE, err); /* complete, with an error */
    EQUAL(10, status.count);
    err = UNTOUCHED;
    while (!(MPID_SendIcomplete)(&send, &err)) {
    }
    EQUAL(UNTOUCHED, err);
    EQUAL(1, MPID_RecvIcomplete(&request, &status, &err)); /* no longer live */
    EQUAL(MPIR_ERR_REQUEST, err);
    err = UNTOUCHED;
    EQUAL(1, (MPID_SendIcomplete)(&send, &err));
    EQUAL(MPIR_ERR_REQUEST, err);
}

/* Complete waits for this request, whatever else is under way. */
void row_A9(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, values[3] = {0}, got[3] = {0};
    MPIR_RHANDLE receives[3];
    MPIR_SHANDLE sends[3];
    for (int i = 0; i < 3; i++)
        MPID_IrecvContig(NULL, &got[i], sizeof got[i], other, i, CONTEXT, &receives[i], &err);
    meet();
    values[1] = 11;
    MPID_IssendContig(NULL, &values[1], sizeof values[1], MPID_MyWorldRank, 1, CONTEXT, other, MPID_MSGFORM_OK, &sends[1], &err);
    MPID_RecvComplete(&receives[1], NULL, &err);
    EQUAL(11, got[1]);
    EQUAL(0, receives[0].is_complete);
    EQUAL(0, receives[2].is_complete);
    MPID_SendComplete(&sends[1], &err);
    meet();
    for (int i = 0; i < 3; i += 2) {
        values[i] = 20 + i;
        MPID_IssendContig(NULL, &values[i], sizeof values[i], MPID_MyWorldRank, i, CONTEXT, other, MPID_MSGFORM_OK, &sends[i], &err);
    }
    for (int i = 2; i >= 0; i -= 2) {
        MPID_RecvComplete(&receives[i], NULL, &err);
        EQUAL(20 + i, got[i]);
        MPID_SendComplete(&sends[i], &err);
    }
    EQUAL(UNTOUCHED, err);
}

/* A blocked check returns on any message. No wake-up is lost: each round both ranks sleep. */
void row_A10(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    int64_t late;
    long rounds = count_of(2000), checks = 0;
    for (long i = 0; i < rounds; i++) {
        long value = i, got = -1;
        MPIR_RHANDLE request;
        MPID_IrecvContig(NULL, &got, sizeof got, other, 1, CONTEXT, &request, &err);
        if (MPID_MyWorldRank == 1)
            MPID_SendContig(NULL, &value, sizeof value, 1, 1, CONTEXT, 0, MPID_MSGFORM_OK, &err);
        for (; !request.is_complete; checks++)
            MPID_DeviceCheck(MPID_BLOCKING);
        EQUAL(i, got);
        if (MPID_MyWorldRank == 0)
            MPID_SendContig(NULL, &value, sizeof value, 0, 1, CONTEXT, 1, MPID_MSGFORM_OK, &err);
        MPID_RecvComplete(&request, NULL, &err);
    }
    int64_t sleeps = MPID_Sleeps(&late);
    CHECK(sleeps > 0 || rounds < 1000);
    EQUAL(0, late);
    printf("rank %d has slept %lld times in %ld rounds\n", MPID_MyWorldRank, (long long)sleeps, rounds);
    /* A message that no rank waits for. */
    if (MPID_MyWorldRank == 0) {
        tell_rank(1);
        MPID_DeviceCheck(MPID_BLOCKING);
        MPID_RecvContig(NULL, NULL, 0, 1, 77, CONTEXT, NULL, &err);
    } else {
        wait_for_rank(0);
        MPID_SendContig(NULL, NULL, 0, 1, 77, CONTEXT, 0, MPID_MSGFORM_OK, &err);
    }
    EQUAL(UNTOUCHED, err);
}

/* Freed requests: the device completes and frees them. */
void row_A11(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    long n = count_of(3000);
    int64_t space = 0;
    static const int lengths[] = {8, 300, 20000};
    char *data = calloc(1, 20000), *in = malloc(20000);
    for (long i = 0; i < n; i++) {
        int length = lengths[i % 3];
        MPIR_SHANDLE *send = malloc(sizeof *send);
        memcpy(data, &i, sizeof i);
        if (MPID_MyWorldRank == 0) {
            (i & 1 ? MPID_IsendContig : MPID_IssendContig)(NULL, data, length, 0, 1, CONTEXT, other, MPID_MSGFORM_OK, send, &err);
            MPID_SendFree(send, &err);
            MPID_RecvContig(NULL, NULL, 0, other, 2, CONTEXT, NULL, &err); /* data may change again */
        } else {
            free(send);
            long got = -1;
            if (i % 4 == 0) {
                MPIR_RHANDLE *receive = malloc(sizeof *receive);
                memset(in, 0xff, 20000);
                MPID_IrecvContig(NULL, in, 20000, other, 1, CONTEXT, receive, &err);
                if (i % 8 == 0)
                    MPID_RecvFree(receive, &err);
                else
                    MPID_Request_free((union MPIR_HANDLE *)receive, &err);
                for (volatile char *last = in + length - 1; *last != 0;)
                    MPID_DeviceCheck(MPID_NOTBLOCKING);
            } else {
                MPID_RecvContig(NULL, in, 20000, other, 1, CONTEXT, NULL, &err);
            }
            memcpy(&got, in, sizeof got);
            EQUAL(i, got);
            MPID_SendContig(NULL, NULL, 0, 1, 2, CONTEXT, other, MPID_MSGFORM_OK, &err);
        }
        if (i == n / 2)
            space = MPID_Space_used();
    }
    EQUAL(UNTOUCHED, err);
    CHECK(MPID_Space_used() <= space + 200000); /* messages that are kept for reuse */
    free(data);
    free(in);
}

/* Kinds, and cookies of live requests. */
void row_A12(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char data[8];
    MPIR_SHANDLE send;
    MPIR_RHANDLE receive;
    MPID_IrecvContig(NULL, data, sizeof data, other, 1, CONTEXT, &receive, &err);
    meet();
    MPID_IsendContig(NULL, data, sizeof data, MPID_MyWorldRank, 1, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
    EQUAL(MPIR_SEND, send.handle_type);
    EQUAL(MPIR_RECV, receive.handle_type);
    EQUAL(MPIR_COOKIE, send.cookie);
    EQUAL(MPIR_COOKIE, receive.cookie);
    EQUAL(UNTOUCHED, err);
    MPID_RecvComplete((MPIR_RHANDLE *)&send, NULL, &err); /* of the wrong kind */
    EQUAL(MPIR_ERR_REQUEST, err);
    err = UNTOUCHED;
    MPID_RecvComplete(&receive, NULL, &err);
    MPID_SendComplete(&send, &err);
    EQUAL(UNTOUCHED, err);
    MPID_RecvComplete(&receive, NULL, &err); /* no longer live */
    EQUAL(MPIR_ERR_REQUEST, err);
    err = UNTOUCHED;
    MPID_SendFree(&send, &err);
    EQUAL(MPIR_ERR_REQUEST, err);
    union MPIR_HANDLE foreign;
    memset(&foreign, 0x5a, sizeof foreign);
    err = UNTOUCHED;
    MPID_Request_free(&foreign, &err);
    EQUAL(MPIR_ERR_REQUEST, err);
    err = UNTOUCHED;
    MPID_SendCancel(&foreign.shandle, &err);
    EQUAL(MPIR_ERR_REQUEST, err);
}

/* A persistent receive with wildcards matches any message at each start. */
void row_A13(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, got = -1;
    MPIR_PRHANDLE receive = {.perm_source = MPID_ANY_SOURCE, .perm_tag = MPID_ANY_TAG, .perm_context = CONTEXT, .perm_buf = &got, .perm_count = sizeof got};
    MPIR_PSHANDLE send = {.perm_source = MPID_MyWorldRank, .perm_context = CONTEXT, .perm_dest = other, .perm_count = sizeof(int)};
    for (int i = 0; i < 1000; i++) {
        MPID_Status status;
        MPID_IrecvContig(NULL, receive.perm_buf, receive.perm_count, receive.perm_source, receive.perm_tag, receive.perm_context, &receive.rhandle, &err);
        receive.rhandle.handle_type = MPIR_PERSISTENT_RECV;
        send.perm_buf = &i;
        MPID_IsendContig(NULL, send.perm_buf, send.perm_count, send.perm_source, i * 13 % 1000, send.perm_context, send.perm_dest, MPID_MSGFORM_OK, &send.shandle, &err);
        MPID_RecvComplete(&receive.rhandle, &status, &err);
        MPID_SendComplete(&send.shandle, &err);
        EQUAL(i * 13 % 1000, status.MPI_TAG);
        EQUAL(i, got);
    }
    EQUAL(UNTOUCHED, err);
}

/* A send that the receiver may know stays; an unknown one is cancelled. */
static void cancel_sends(int other)
{
    int err = UNTOUCHED;
    if (MPID_MyWorldRank == 0) {
        enum { MANY = 5000 };
        MPIR_SHANDLE *sends = malloc(MANY * sizeof *sends);
        for (int i = 0; i < MANY; i++)
            MPID_IsendContig(NULL, &i, sizeof i, 0, 3, CONTEXT, other, MPID_MSGFORM_OK, &sends[i], &err);
        MPID_SendCancel(&sends[0], &err);
        int sent = 0;
        for (int i = MANY; i-- > 0;) {
            MPID_SendCancel(&sends[i], &err);
            if (!sends[i].is_complete || sends[i].errval != MPIR_ERR_CANCELLED)
                sent++;
        }
        for (int i = 0; i < MANY; i++) {
            int error = UNTOUCHED;
            MPID_SendComplete(&sends[i], &error);
            CHECK(error == UNTOUCHED || error == MPIR_ERR_CANCELLED);
        }
        MPID_SendContig(NULL, &sent, sizeof sent, 0, 4, CONTEXT, other, MPID_MSGFORM_OK, &err);
        tell_rank(1);
        free(sends);
    } else {
        MPIR_RHANDLE end;
        int sent = 0, flag = 0, got = 0, value;
        for (double begin, now = (MPID_Wtime(&begin), begin); now < begin + 0.05;) /* the ring fills */
            MPID_Wtime(&now);
        MPID_IrecvContig(NULL, NULL, 0, 0, 999, 999, &end, &err);
        MPID_RecvComplete(&end, NULL, &err);
        MPID_RecvContig(NULL, &sent, sizeof sent, 0, 4, CONTEXT, NULL, &err);
        for (MPID_Iprobe(NULL, 3, CONTEXT, 0, &flag, &err, NULL); flag; MPID_Iprobe(NULL, 3, CONTEXT, 0, &flag, &err, NULL), got++)
            MPID_RecvContig(NULL, &value, sizeof value, 0, 3, CONTEXT, NULL, &err);
        EQUAL(sent, got);
    }
    EQUAL(UNTOUCHED, err);
}

/* A cancel and a message: exactly one of them succeeds. */
void row_A21(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    long n = count_of(3000), cancelled = 0;
    uint64_t random = 12345;
    for (long i = 0; i < n; i++) {
        MPIR_RHANDLE receive;
        MPID_Status status;
        long got = -1;
        if (MPID_MyWorldRank == 1) {
            wait_for_rank(0);
            MPID_SendContig(NULL, &i, sizeof i, 1, 1, CONTEXT, other, MPID_MSGFORM_OK, &err);
            continue;
        }
        MPID_IrecvContig(NULL, &got, sizeof got, other, 1, CONTEXT, &receive, &err);
        tell_rank(1);
        for (uint64_t polls = random_next(&random) % 40; polls > 0; polls--)
            MPID_DeviceCheck(MPID_NOTBLOCKING);
        MPID_RecvCancel(&receive, &err);
        MPID_RecvComplete(&receive, &status, &err);
        if (status.count == MPID_REQUEST_CANCELLED) {
            cancelled++;
            EQUAL(-1, got);
            MPID_RecvContig(NULL, &got, sizeof got, other, 1, CONTEXT, &status, &err); /* the message is still there */
        }
        EQUAL(sizeof got, status.count);
        EQUAL(i, got);
    }
    CHECK(MPID_MyWorldRank == 1 || cancelled > 0);
    cancel_sends(other);
    EQUAL(UNTOUCHED, err);
}

/* The handle of the layer above is in the object, and the device leaves it alone. */
void row_A29(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, got = 0;
    static const int ranks[2] = {1, 0};
    struct MPIR_COMMUNICATOR comm = {.np = 2, .lrank_to_grank = ranks, .self = &err};
    MPIR_SHANDLE send;
    MPIR_RHANDLE receive;
    send.self = &send;
    receive.self = &receive;
    MPID_IrecvContig(&comm, &got, sizeof got, MPID_ANY_SOURCE, 1, CONTEXT, &receive, &err);
    MPID_IssendContig(&comm, &err, sizeof err, !MPID_MyWorldRank, 1, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
    MPID_RecvComplete(&receive, NULL, &err);
    MPID_SendComplete(&send, &err);
    CHECK(send.self == &send && receive.self == &receive && comm.self == &err);
    CHECK(send.comm == &comm && receive.comm == &comm);
    EQUAL(UNTOUCHED, got);
    EQUAL(UNTOUCHED, err);
}
