/* What happens at limits: `limits NAME` runs one of the jobs below. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "adi_names.h"

enum { CONTEXT = 6 };

static ADI_OF_RANK int init_error; /* of MPID_Init */

/* ---- memory ---- */

static ADI_OF_RANK bool no_memory;

static void *allocate(size_t bytes) { return no_memory ? NULL : malloc(bytes); }

/* Row A17: an unexpected message without memory for it is an error of the receive that has to wait
 * after it, and arrives later. */
static void failing_allocator(void)
{
    char data[1000] = "x";
    int err = UNTOUCHED;
    for (int length = 8; length <= 1000; length += 992) {
        if (MPID_MyWorldRank == 1) {
            MPID_SendContig(NULL, data, length, 1, 1, CONTEXT, 0, MPID_MSGFORM_OK, &err);
            EQUAL(UNTOUCHED, err);
            wait_for_rank(0);
            continue;
        }
        for (int i = 0; i < 300; i++) { /* entries that are kept for reuse are used up */
            MPIR_SHANDLE own;
            MPID_IsendContig(NULL, data, 8, 0, 50, CONTEXT, 0, MPID_MSGFORM_OK, &own, &err);
            MPID_SendComplete(&own, &err);
        }
        EQUAL(UNTOUCHED, err);
        no_memory = true;
        MPID_RecvContig(NULL, data, sizeof data, 1, 2, CONTEXT, NULL, &err); /* no rank sends this */
        EQUAL(MPIR_ERR_EXHAUSTED, err);
        err = UNTOUCHED;
        MPID_Probe(NULL, 2, CONTEXT, 1, &err, NULL);
        EQUAL(MPIR_ERR_EXHAUSTED, err);
        err = UNTOUCHED;
        MPIR_SHANDLE own;
        MPID_IsendContig(NULL, data, 8, 0, 3, CONTEXT, 0, MPID_MSGFORM_OK, &own, &err);
        MPID_SendComplete(&own, &err);
        EQUAL(MPIR_ERR_EXHAUSTED, err);
        err = UNTOUCHED;
        MPID_BsendContig(NULL, data, 8, 0, 3, CONTEXT, 0, MPID_MSGFORM_OK, &err);
        EQUAL(MPIR_ERR_MAY_BLOCK, err);
        err = UNTOUCHED;
        MPID_RecvContig(NULL, data, sizeof data, 1, 1, CONTEXT, NULL, &err); /* needs no memory */
        EQUAL(UNTOUCHED, err);
        no_memory = false;
        for (int i = 0; i < 300; i++)
            MPID_RecvContig(NULL, data, sizeof data, 0, 50, CONTEXT, NULL, &err);
        EQUAL(UNTOUCHED, err);
        tell_rank(1);
    }
}

/* The memory for unexpected messages of one sender is bounded, and all messages arrive. */
static void bounded(void)
{
    enum { MESSAGES = 3000, LENGTH = 3000 };
    int err = UNTOUCHED;
    if (MPID_MyWorldRank == 1) {
        MPIR_SHANDLE *sends = malloc(MESSAGES * sizeof *sends);
        char *data = malloc((size_t)MESSAGES * LENGTH);
        for (int i = 0; i < MESSAGES; i++) {
            memset(data + i * LENGTH, i % 128, LENGTH);
            MPID_IsendContig(NULL, data + i * LENGTH, i % 3 ? LENGTH : 20, 1, 1, CONTEXT, 0, MPID_MSGFORM_OK, &sends[i], &err);
            MPID_DeviceCheck(MPID_NOTBLOCKING);
        }
        MPID_SendContig(NULL, NULL, 0, 1, 2, CONTEXT, 0, MPID_MSGFORM_OK, &err);
        for (int i = 0; i < MESSAGES; i++)
            MPID_SendComplete(&sends[i], &err);
        EQUAL(UNTOUCHED, err);
        free(sends);
        free(data);
        return;
    }
    int64_t before = MPID_Space_used();
    MPID_Status status;
    char data[LENGTH];
    MPID_Probe(NULL, 2, CONTEXT, 1, &err, NULL); /* now everything is here */
    /* A limit of 100,000 bytes, what was in the rings at that time, and the headers. */
    CHECK(MPID_Space_used() - before < 100000 + 300000 + MESSAGES * 500);
    MPID_RecvContig(NULL, NULL, 0, 1, 2, CONTEXT, NULL, &err);
    for (int i = 0; i < MESSAGES; i++) {
        MPID_RecvContig(NULL, data, LENGTH, 1, 1, CONTEXT, &status, &err);
        EQUAL(i % 3 ? LENGTH : 20, status.count);
        EQUAL(i % 128, data[status.count - 1]);
    }
    EQUAL(UNTOUCHED, err);
}

/* A receiver that never sleeps, but only polls, frees the rings in time for the next message. */
static void polling(void)
{
    enum { LARGEST = 40000, MESSAGES = 2000 };
    uint64_t random = 99;
    char *data = calloc(1, LARGEST);
    for (int i = 0; i < MESSAGES; i++) {
        int err = UNTOUCHED;
        int64_t length = (int64_t)(random_next(&random) % LARGEST);
        if (MPID_MyWorldRank == 1) {
            MPID_SendContig(NULL, data, length, 1, 1, CONTEXT, 0, MPID_MSGFORM_OK, &err);
        } else {
            MPIR_RHANDLE request;
            MPID_Status status;
            MPID_IrecvContig(NULL, data, LARGEST, 1, 1, CONTEXT, &request, &err);
            while (!MPID_RecvIcomplete(&request, &status, &err)) {
            }
            EQUAL(length, status.count);
        }
        EQUAL(UNTOUCHED, err);
    }
    free(data);
}

/* ---- waits of the other rank ---- */

static ADI_OF_RANK void *job; /* the segment, as an observer maps it */

/* Returns when a rank sleeps in a function. */
static struct MPID_Blocked wait_until_blocked(int rank, const char *function)
{
    struct MPID_Blocked wait = {.requests = 0};
    while (!MPID_Read_blocked(job, rank, 0, &wait) || strcmp(wait.function, function))
        usleep(1000);
    return wait;
}

/* ---- the end of jobs ---- */

static void abort_job(void)
{
    int err = UNTOUCHED, got;
    if (MPID_MyWorldRank == 1)
        MPID_Abort(NULL, 42, "limits", "the disk is full");
    MPID_RecvContig(NULL, &got, sizeof got, 1, 1, CONTEXT, NULL, &err);
}

static void abort_plainly(void) { MPID_Abort(NULL, 3, NULL, NULL); }

static void die(void)
{
    int err = UNTOUCHED, got;
    if (MPID_MyWorldRank == 1) {
        wait_until_blocked(0, "MPID_Recv");
        kill(getpid(), SIGKILL);
    }
    MPID_RecvContig(NULL, &got, sizeof got, 1, 1, CONTEXT, NULL, &err);
}

/* ---- waiting ---- */


/* A blocked rank shows what it waits for. */
static void blocked(void)
{
    int err = UNTOUCHED, got;
    static const int ranks[2] = {0, 1};
    struct MPIR_COMMUNICATOR comm = {.np = 2, .lrank_to_grank = ranks};
    if (MPID_MyWorldRank == 0) {
        MPID_RecvContig(&comm, &got, sizeof got, 1, 1234, CONTEXT, NULL, &err);
        MPID_SsendContig(&comm, &got, sizeof got, 0, 77, CONTEXT, 1, MPID_MSGFORM_OK, &err);
        struct MPID_Blocked why = {.function = "Waitall", .requests = 9, .peers = 2, .peer = {{1, 1, 5, 6, 0}, {MPID_ANY_SOURCE, -1, MPID_ANY_TAG, 7, 0}}};
        uint32_t ticket = MPID_Ticket();
        EQUAL(MPID_SUCCESS, MPID_Sleep(ticket, &why));
        return;
    }
    static const struct { const char *function; int lrank, grank, tag; } expected[] = {
        {"MPID_Recv", 1, 1, 1234}, {"MPID_Ssend", -1, 1, 77}, {"Waitall", 1, 1, 5}};
    for (int i = 0; i < 3; i++) {
        struct MPID_Blocked wait = wait_until_blocked(0, expected[i].function);
        EQUAL(i == 2 ? 9 : 1, wait.requests);
        EQUAL(i == 2 ? 2 : 1, wait.peers);
        EQUAL(expected[i].lrank, wait.peer[0].lrank);
        EQUAL(expected[i].grank, wait.peer[0].grank);
        EQUAL(expected[i].tag, wait.peer[0].tag);
        EQUAL(i == 2 ? 6 : CONTEXT, wait.peer[0].context);
        double now;
        MPID_Wtime(&now);
        CHECK(wait.since > 0 && 1e-9 * (double)wait.since <= now);
        EQUAL(0, MPID_Read_blocked(job, 1, 0, &wait)); /* this rank does not wait */
        EQUAL(0, MPID_Read_blocked(job, 2, 0, &wait));
        if (i == 1)
            MPID_RecvContig(&comm, &got, sizeof got, 0, 77, CONTEXT, NULL, &err);
        else
            MPID_SendContig(&comm, &i, sizeof i, 1, i ? 99 : 1234, CONTEXT, 0, MPID_MSGFORM_OK, &err);
    }
}

/* A waiting rank uses nearly no time of a core: it sleeps or naps all the time, and rarely wakes. The
 * bound depends on the length of the wait, because other processes may make that longer: 100 short
 * naps at the beginning, and 50 a second later. */
static void idle(void)
{
    int err = UNTOUCHED;
    int64_t late;
    double begin, end;
    if (MPID_MyWorldRank == 1) {
        wait_until_blocked(0, "MPID_Recv");
        usleep(1500000);
        MPID_SendContig(NULL, NULL, 0, 1, 1, CONTEXT, 0, MPID_MSGFORM_OK, &err);
        return;
    }
    MPID_Wtime(&begin);
    int64_t before = MPID_Sleeps(&late);
    MPID_RecvContig(NULL, NULL, 0, 1, 1, CONTEXT, NULL, &err);
    int64_t sleeps = MPID_Sleeps(&late) - before;
    MPID_Wtime(&end);
    CHECK(sleeps > 0);
    CHECK(sleeps < 100 + (int64_t)(50 * (end - begin)));
    EQUAL(0, late);
    EQUAL(UNTOUCHED, err);
}

/* ---- settings ---- */

/* In checking mode a ready send without a posted receive is an error; otherwise it is received. */
static void ready(void)
{
    static const int lengths[] = {8, 2000, 50000};
    char *data = calloc(1, 50000);
    for (int i = 0; i < 6; i++) {
        int err = UNTOUCHED, length = lengths[i % 3], to = i < 3 ? !MPID_MyWorldRank : MPID_MyWorldRank;
        MPIR_SHANDLE send;
        MPID_Status status;
        MPID_IrsendContig(NULL, data, length, 7, i, CONTEXT, to, MPID_MSGFORM_OK, &send, &err);
        meet();
        MPID_Probe(NULL, i, CONTEXT, 7, &err, &status); /* it has arrived without a receive */
        EQUAL(UNTOUCHED, err);
        MPID_RecvContig(NULL, data, length, 7, i, CONTEXT, &status, &err);
        EQUAL(getenv("ADI_CHECK") ? MPIR_ERR_NOT_READY : UNTOUCHED, err);
        EQUAL(length, status.count);
        err = UNTOUCHED;
        MPID_SendComplete(&send, &err);
        EQUAL(UNTOUCHED, err);
    }
    free(data);
}

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Row A24. */
static void environment(void)
{
    char name[256], version[MPID_MAX_VERSION_NAME], host[256];
    int err = UNTOUCHED;
    gethostname(host, sizeof host);
    MPID_Node_name(name, sizeof name);
    CHECK(!strcmp(name, host));
    MPID_Node_name(name, 3);
    EQUAL(2, strlen(name));
    MPID_Version_name(version);
    CHECK(strlen(version) > 0 && strlen(version) < sizeof version);
    MPID_Init(NULL, NULL, NULL, &err); /* a second time */
    EQUAL(MPIR_ERR_OTHER, err);
    double tick, time;
    MPID_Wtick(&tick);
    CHECK(tick > 0);
    for (int i = 0; i < 3; i++) { /* in seconds, between two times of the clock */
        double before = clock_seconds();
        MPID_Wtime(&time);
        CHECK(before - tick <= time && time <= clock_seconds() + tick);
        usleep(1000);
    }
}

static void nothing(void) {}

/* Row A24: jobs of one rank without a launcher, one after the other. */
static void single(void)
{
    for (int i = 0; i < 3; i++) {
        struct MPID_Config config;
        int err = UNTOUCHED, got = 0;
        MPIR_SHANDLE send;
        MPID_End();
        MPID_Config_init(&config);
        config.fd = config.rank = -1;
        config.segment = NULL;
        MPID_Init(NULL, NULL, &config, &err);
        EQUAL(1, MPID_MyWorldSize);
        EQUAL(0, MPID_MyWorldRank);
        MPID_IsendContig(NULL, &i, sizeof i, 0, 1, CONTEXT, 0, MPID_MSGFORM_OK, &send, &err);
        MPID_RecvContig(NULL, &got, sizeof got, MPID_ANY_SOURCE, 1, CONTEXT, NULL, &err);
        MPID_SendComplete(&send, &err);
        EQUAL(i, got);
        EQUAL(UNTOUCHED, err);
    }
}

/* Memory that the rank may map is less than the segment. */
static void prepare_small(void) { setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, 1 << 20}); }

static void check_small(void)
{
    CHECK(init_error == MPIR_ERR_EXHAUSTED || init_error == MPIR_ERR_CANCELLED); /* one rank gets the first, see MPID_Init */
    _exit(0);
}

static void prepare_no_memory(void) { no_memory = true; }

static const struct job {
    const char *name;
    void (*prepare)(void);
    void (*run)(void);
} jobs[] = {
    {"failing-allocator", nothing, failing_allocator}, {"no-memory", prepare_no_memory, check_small}, {"small", prepare_small, check_small},
    {"bounded", nothing, bounded}, {"polling", nothing, polling}, {"abort", nothing, abort_job}, {"abort-plainly", nothing, abort_plainly}, {"die", nothing, die},
    {"blocked", nothing, blocked}, {"idle", nothing, idle}, {"ready", nothing, ready}, {"environment", nothing, environment}, {"single", nothing, single},
};

static int rank_main(int argc, char **argv)
{
    struct MPID_Config config;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        if (argc < 2 || strcmp(jobs[i].name, argv[1]))
            continue;
        init_error = UNTOUCHED;
        MPID_Config_init(&config);
        config.allocate = allocate;
        job = config.fd >= 0 ? adi_segment_map(config.fd) : config.segment;
        jobs[i].prepare();
        MPID_Init(&argc, &argv, &config, &init_error);
        if (jobs[i].prepare == nothing)
            EQUAL(UNTOUCHED, init_error);
        jobs[i].run();
        if (MPID_MyWorldRank == 0)
            printf("%s: right\n", jobs[i].name);
        fflush(stdout);
        MPID_End();
        return 0;
    }
    fprintf(stderr, "limits: there is no such job\n");
    return 2;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
