/* Random traffic between all ranks, also with themselves: modes, sizes, wildcards, types of waits, freed
 * requests. Each message carries its sender, its number for this receiver and tag, and data computed
 * from both, so that order and contents are checked at the receiver. `traffic SEED`; ADI_COUNT
 * messages for each rank. `traffic SEED PARTS` also prints the messages and the memory of each part. */
#include <malloc.h>
#include <sched.h>

#include "check.h"

enum { CONTEXT = 2, TAGS = 3, FLYING = 12 };

enum { LARGEST = 150000 };

/* On both sides of each usual threshold, and often short. */
static const int64_t sizes[] = {24, 24, 24, 24, 24, 24, 24, 24, 40, 41, 100, 100, 100, 100, 520, 521, 1000, 1000, 4096, 4097, 5000, 16400, 33000, LARGEST};

static char pattern[256 + LARGEST]; /* data begins in it at a place that its header gives */

struct header {
    int32_t from, tag;
    int64_t number;
    int64_t length;
};

struct flight { /* a send that is under way */
    MPIR_SHANDLE request;
    char *data;
    bool used;
};

struct rank {
    uint64_t seed;
    long to_send, to_receive;
    int64_t *sent;     /* number of messages by receiver and tag */
    int64_t *received; /* the same by sender */
    struct flight flights[FLYING];
};

static int below(struct rank *r, int n) { return (int)(random_next(&r->seed) % (uint64_t)n); }

/* Returns the data of a message that follows its header. */
static const char *data_of(const struct header *h) { return pattern + (h->number * 31 + h->from * 7) % 256; }

static void fill(char *data, const struct header *h)
{
    memcpy(data, h, sizeof *h);
    memcpy(data + sizeof *h, data_of(h), (size_t)h->length - sizeof *h);
}

static void check(struct rank *r, const char *data, const MPID_Status *status)
{
    struct header h;
    memcpy(&h, data, sizeof h);
    EQUAL(h.length, status->count);
    EQUAL(h.from, status->MPI_SOURCE);
    EQUAL(h.tag, status->MPI_TAG);
    EQUAL(r->received[h.from * TAGS + h.tag]++, h.number); /* in order */
    EQUAL(0, memcmp(data + sizeof h, data_of(&h), (size_t)h.length - sizeof h));
    r->to_receive--;
}

static void finish_flight(struct flight *f)
{
    int err = UNTOUCHED;
    MPID_SendComplete(&f->request, &err);
    EQUAL(UNTOUCHED, err);
    free(f->data);
    f->used = false;
}

/* Sends the next message, to ranks in turn, so that each rank knows how many it receives. */
static void send_one(struct rank *r)
{
    struct flight *f = &r->flights[below(r, FLYING)];
    int to = (int)(r->to_send % MPID_MyWorldSize), err = UNTOUCHED, tag = below(r, TAGS);
    struct header h = {MPID_MyWorldRank, tag, r->sent[to * TAGS + tag], sizes[below(r, sizeof sizes / sizeof *sizes)]};
    if (f->used && !f->request.is_complete)
        return;
    if (f->used)
        finish_flight(f);
    f->data = malloc((size_t)h.length);
    fill(f->data, &h);
    if (below(r, 3) == 0) {
        MPID_BsendContig(NULL, f->data, h.length, MPID_MyWorldRank, tag, CONTEXT, to, MPID_MSGFORM_OK, &err);
        free(f->data);
        if (err == MPIR_ERR_MAY_BLOCK)
            return;
    } else {
        (below(r, 4) ? MPID_IsendContig : MPID_IssendContig)(NULL, f->data, h.length, MPID_MyWorldRank, tag, CONTEXT, to, MPID_MSGFORM_OK, &f->request, &err);
        f->used = true;
    }
    EQUAL(UNTOUCHED, err);
    r->sent[to * TAGS + tag]++;
    r->to_send--;
}

/* Receives a message that MPID_Probe or MPID_Iprobe has found. */
static void receive_found(struct rank *r, char *data, const MPID_Status *found)
{
    int err = UNTOUCHED;
    MPID_Status status;
    MPID_RecvContig(NULL, data, found->count, found->MPI_SOURCE, found->MPI_TAG, CONTEXT, &status, &err);
    EQUAL(UNTOUCHED, err);
    EQUAL(found->count, status.count);
    check(r, data, &status);
}

/* Receives a message, if there is one, in one of several ways. */
static bool receive_one(struct rank *r, char *data)
{
    int err = UNTOUCHED, flag = 0;
    MPID_Status status;
    MPIR_RHANDLE request;
    int from = below(r, 2) ? MPID_ANY_SOURCE : below(r, MPID_MyWorldSize), tag = below(r, 2) ? MPID_ANY_TAG : below(r, TAGS);
    if (below(r, 2)) {
        MPID_Iprobe(NULL, tag, CONTEXT, from, &flag, &err, &status);
        EQUAL(UNTOUCHED, err);
        if (flag)
            receive_found(r, data, &status);
        return flag;
    }
    MPID_IrecvContig(NULL, data, LARGEST, from, tag, CONTEXT, &request, &err);
    for (int polls = below(r, 30); polls > 0 && !request.is_complete; polls--)
        MPID_DeviceCheck(MPID_NOTBLOCKING);
    MPID_RecvCancel(&request, &err);
    MPID_RecvComplete(&request, &status, &err);
    EQUAL(UNTOUCHED, err);
    if (status.count == MPID_REQUEST_CANCELLED)
        return false;
    check(r, data, &status);
    return true;
}

/* Lets other ranks run if this one has found nothing to receive. If it has more to receive than to send, it may sleep
 * until a message comes: if all ranks did, a message would be under way to one of them. */
static void idle(struct rank *r, char *data)
{
    int err = UNTOUCHED;
    MPID_Status status;
    if (r->to_receive > r->to_send && below(r, 2)) {
        MPID_Probe(NULL, MPID_ANY_TAG, CONTEXT, MPID_ANY_SOURCE, &err, &status);
        EQUAL(UNTOUCHED, err);
        receive_found(r, data, &status);
    } else if (below(r, 8) == 0) {
        sched_yield();
    }
}

static void run(uint64_t seed, long count)
{
    size_t counters = (size_t)MPID_MyWorldSize * TAGS;
    struct rank *r = calloc(1, sizeof *r);
    char *data = malloc(LARGEST);
    r->seed = seed * 2654435769u + (uint64_t)MPID_MyWorldRank * 88172645463325252ull + 1;
    r->to_send = r->to_receive = count;
    r->sent = calloc(counters, sizeof *r->sent);
    r->received = calloc(counters, sizeof *r->received);
    while (r->to_send > 0 || r->to_receive > 0) {
        if (r->to_send > 0 && below(r, 2))
            send_one(r);
        else if (r->to_receive == 0)
            MPID_DeviceCheck(MPID_NOTBLOCKING);
        else if (!receive_one(r, data) && MPID_MyWorldSize > 1)
            idle(r, data);
    }
    for (int i = 0; i < FLYING; i++)
        if (r->flights[i].used)
            finish_flight(&r->flights[i]);
    free(r->sent);
    free(r->received);
    free(data);
    free(r);
}

/* Returns the memory of the process that is resident, in bytes. */
static int64_t resident(void)
{
    char text[100] = "";
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fgets(text, sizeof text, f));
    fclose(f);
    return atoll(strchr(text, ' ')) * 4096;
}

/* Checks that the memory of the device does not grow from part to part. The memory of the process is checked too if there
 * are so many parts that after a fifth of them each page of the segment and of the heap is in use. */
static void check_memory(const int64_t *space, const int64_t *pages, int parts)
{
    CHECK(space[parts - 1] < space[0] + space[0] / 2 + 200000);
    if (parts >= 10)
        CHECK(pages[parts - 1] < pages[parts / 5] + pages[parts / 5] / 10 + 1000000);
}

static int rank_main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
    int parts = argc > 2 ? atoi(argv[2]) : 3, err = UNTOUCHED;
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    CHECK(parts > 0 && parts <= 100);
    int64_t space[100], pages[100];
    long count = count_of(2000) / parts / MPID_MyWorldSize * MPID_MyWorldSize;
    for (int part = 0; part < parts; part++) {
        run(seed * (uint64_t)parts + (uint64_t)part, count);
        meet();
        space[part] = MPID_Space_used();
        pages[part] = resident();
    }
    check_memory(space, pages, parts);
    if (MPID_MyWorldRank == 0) {
        for (int part = 0; part < parts && argc > 2; part++)
            printf("%ld messages, %lld bytes of the device, %lld resident in rank 0\n", (part + 1) * count * MPID_MyWorldSize, (long long)space[part], (long long)pages[part]);
        printf("traffic: right\n");
    }
    fflush(stdout);
    MPID_End();
    return 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (char)i;
    mallopt(M_MMAP_THRESHOLD, 1 << 25); /* memory of messages is not returned to the kernel; before there are threads */
    mallopt(M_TRIM_THRESHOLD, 1 << 25);
    return adi_main(argc, argv, 2, rank_main);
}
