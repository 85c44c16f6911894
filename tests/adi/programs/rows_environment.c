/* Rows of the rank's environment, settings and debugging. */
#include <unistd.h>

#include "check.h"
#include "rows.h"

enum { CONTEXT = 4 };

void row_A23(void)
{
    EQUAL(2, MPID_MyWorldSize);
    CHECK(MPID_MyWorldRank == 0 || MPID_MyWorldRank == 1);
    EQUAL(0x7fffffff, MPID_TAG_UB);
    EQUAL(1, MPID_WTIME_IS_GLOBAL);
    int err = UNTOUCHED, got = 0, other = !MPID_MyWorldRank;
    MPIR_SHANDLE send;
    MPID_IsendContig(NULL, &MPID_MyWorldRank, sizeof(int), MPID_MyWorldRank, MPID_TAG_UB, MPID_MAX_CONTEXT_ID, other, MPID_MSGFORM_OK, &send, &err);
    MPID_RecvContig(NULL, &got, sizeof got, other, MPID_TAG_UB, MPID_MAX_CONTEXT_ID, NULL, &err);
    MPID_SendComplete(&send, &err);
    EQUAL(other, got);
    /* One clock: a time that was sent is in the past. */
    double mine, theirs = 0, tick = 0;
    if (MPID_MyWorldRank == 0) {
        MPID_Wtime(&mine);
        MPID_SendContig(NULL, &mine, sizeof mine, 0, 1, CONTEXT, 1, MPID_MSGFORM_OK, &err);
    } else {
        MPID_RecvContig(NULL, &theirs, sizeof theirs, 0, 1, CONTEXT, NULL, &err);
        MPID_Wtime(&mine);
        CHECK(theirs > 0 && mine >= theirs);
    }
    MPID_Wtick(&tick);
    CHECK(tick > 0 && tick < 0.1);
    EQUAL(UNTOUCHED, err);
}

/* Packet sizes change no result; the trace names each message; WaitFor leaves the request live. */
void row_A26(void)
{
    static const int64_t packets[] = {1, 64, 1000, 65536, 1 << 20};
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char name[64], line[400], *out = malloc(300000), *in = malloc(300000);
    snprintf(name, sizeof name, "/tmp/adi-trace-%ld-%%d", (long)getpid());
    for (int i = 0; i < 300000; i++)
        out[i] = (char)(i * 31);
    for (int p = 0; p < 5; p++) {
        int length = packets[p] < 64 ? 3000 : 300000;
        MPIR_SHANDLE send;
        MPIR_RHANDLE receive;
        memset(in, 0, 300000);
        MPID_SetPktSize(packets[p]);
        MPID_IrecvContig(NULL, in, 300000, other, p, CONTEXT, &receive, &err);
        MPID_IsendContig(NULL, out, length, MPID_MyWorldRank, p, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
        MPID_WaitForCompleteRecv(&receive);
        EQUAL(1, receive.is_complete);
        EQUAL(MPIR_COOKIE, receive.cookie);
        MPID_WaitForCompleteSend(&send);
        EQUAL(1, send.is_complete);
        MPID_RecvComplete(&receive, NULL, &err);
        MPID_SendComplete(&send, &err);
        CHECK(!memcmp(in, out, (size_t)length));
    }
    MPID_SetPktSize(INT64_MAX);
    meet();
    MPID_Set_tracefile(name);
    MPID_SetDebugFile("/dev/null");
    MPID_SetDebugFlag(1);
    for (int i = 0; i < 3; i++) {
        MPIR_SHANDLE send;
        MPID_IsendContig(NULL, out, 10 + 5000 * i, MPID_MyWorldRank, 70 + i, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
        MPID_RecvContig(NULL, in, 300000, other, 70 + i, CONTEXT, NULL, &err);
        MPID_SendComplete(&send, &err);
    }
    MPID_SetDebugFlag(0);
    MPID_SetDebugFile(NULL);
    MPID_Set_tracefile(NULL);
    snprintf(name, sizeof name, "/tmp/adi-trace-%ld-%d", (long)getpid(), MPID_MyWorldRank);
    FILE *trace = fopen(name, "r");
    CHECK(trace);
    int sent = 0, received = 0;
    while (fgets(line, sizeof line, trace)) {
        for (int i = 0; i < 3; i++) {
            char wanted[100];
            snprintf(wanted, sizeof wanted, "sent peer %d context %d source %d tag %d bytes %d", other, CONTEXT, MPID_MyWorldRank, 70 + i, 10 + 5000 * i);
            sent += strstr(line, wanted) != NULL;
            snprintf(wanted, sizeof wanted, "received peer %d context %d source %d tag %d bytes %d", other, CONTEXT, other, 70 + i, 10 + 5000 * i);
            received += strstr(line, wanted) != NULL;
        }
    }
    fclose(trace);
    unlink(name);
    EQUAL(3, sent);
    EQUAL(3, received);
    EQUAL(UNTOUCHED, err);
    free(out);
    free(in);
}
