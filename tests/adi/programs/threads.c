/* Row A27 and the rest of A10: several threads of each rank send, receive and wait at a time. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { THREADS = 3, CONTEXT = 3 };

static const int lengths[] = {0, 8, 40, 300, 5000, 40000};
static const int wait_sets = 4;

/* Exchanges messages with the thread of the same number of the other rank. */
static void *exchange(void *argument)
{
    long me = (long)(intptr_t)argument, n = count_of(300);
    int other = !MPID_MyWorldRank, err = UNTOUCHED;
    char *out = malloc(40000), *in = malloc(40000);
    for (long i = 0; i < n; i++) {
        int length = lengths[(i + me) % 6];
        MPIR_RHANDLE receive;
        MPIR_SHANDLE send;
        MPID_Status status;
        memset(out, (int)(i + me), 40000);
        memset(in, 0, 40000);
        MPID_IrecvContig(NULL, in, 40000, i % 5 ? other : MPID_ANY_SOURCE, (int)me, CONTEXT, &receive, &err);
        (i % 3 ? MPID_IsendContig : MPID_IssendContig)(NULL, out, length, MPID_MyWorldRank, (int)me, CONTEXT, other, MPID_MSGFORM_OK, &send, &err);
        if (i % wait_sets == 0) {
            /* A set of requests: ticket, look, sleep. */
            for (uint32_t ticket = MPID_Ticket(); !receive.is_complete || !send.is_complete; ticket = MPID_Ticket())
                if (!receive.is_complete || !send.is_complete)
                    EQUAL(MPID_SUCCESS, MPID_Sleep(ticket, NULL));
        } else if (i % wait_sets == 1) {
            while (!MPID_RecvIcomplete(&receive, &status, &err))
                MPID_DeviceCheck(MPID_BLOCKING);
            receive.cookie = MPIR_COOKIE;
        }
        MPID_RecvComplete(&receive, &status, &err);
        MPID_SendComplete(&send, &err);
        EQUAL(length, status.count);
        for (int k = 0; k < length; k += 97)
            EQUAL((char)(i + me), in[k]);
        EQUAL(UNTOUCHED, err);
    }
    free(out);
    free(in);
    return NULL;
}

/* One thread waits for a request that the other one completes: it sleeps meanwhile. */
static _Atomic int late_value;
static void *wait_for_other(void *argument)
{
    MPIR_RHANDLE *request = argument;
    int err = UNTOUCHED;
    for (uint32_t ticket = MPID_Ticket(); !request->is_complete; ticket = MPID_Ticket())
        if (!request->is_complete)
            MPID_Sleep(ticket, NULL);
    late_value = 1;
    (void)err;
    return NULL;
}

static void completion_by_another_thread(void)
{
    int other = !MPID_MyWorldRank, err = UNTOUCHED, got = 0, value = 5;
    MPIR_RHANDLE request;
    pthread_t waiter;
    MPID_IrecvContig(NULL, &got, sizeof got, other, 50, CONTEXT, &request, &err);
    pthread_create(&waiter, NULL, wait_for_other, &request);
    usleep(2000);
    meet(); /* this thread makes progress */
    MPID_SendContig(NULL, &value, sizeof value, MPID_MyWorldRank, 50, CONTEXT, other, MPID_MSGFORM_OK, &err);
    for (int flag = 0; !request.is_complete;)
        MPID_Iprobe(NULL, 51, CONTEXT, other, &flag, &err, NULL);
    pthread_join(waiter, NULL);
    MPID_RecvComplete(&request, NULL, &err);
    EQUAL(5, got);
    EQUAL(UNTOUCHED, err);
}

static int rank_main(int argc, char **argv)
{
    struct MPID_Config config;
    int err = UNTOUCHED;
    int64_t late;
    pthread_t threads[THREADS];
    MPID_Config_init(&config);
    config.threads = true;
    MPID_Init(&argc, &argv, &config, &err);
    for (int i = 0; i < 20; i++)
        completion_by_another_thread();
    for (long i = 0; i < THREADS; i++)
        EQUAL(0, pthread_create(&threads[i], NULL, exchange, (void *)(intptr_t)i));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    meet();
    MPID_Sleeps(&late);
    EQUAL(0, late);
    EQUAL(UNTOUCHED, err);
    if (MPID_MyWorldRank == 0)
        printf("threads: right\n");
    fflush(stdout);
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
