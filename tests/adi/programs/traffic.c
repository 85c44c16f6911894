/* Random traffic between all ranks, also with themselves: modes, sizes, wildcards, types of waits, freed
 * requests. Each message carries its sender, its number for this receiver and tag, and data computed
 * from both, so that order and contents are checked at the receiver. `traffic SEED`; ADI_COUNT
 * messages for each rank. */
#include <sched.h>

#include "check.h"

enum { CONTEXT = 2, TAGS = 3, FLYING = 12 };

static const int64_t sizes[] = {24, 24, 24, 24, 40, 100, 100, 1000, 4096, 5000, 33000, 150000};

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

static void fill(char *data, int64_t length, const struct header *h)
{
    memcpy(data, h, sizeof *h);
    for (int64_t i = sizeof *h; i < length; i++)
        data[i] = (char)(h->number * 31 + h->from * 7 + i);
}

static void check(struct rank *r, const char *data, const MPID_Status *status)
{
    struct header h;
    memcpy(&h, data, sizeof h);
    EQUAL(h.length, status->count);
    EQUAL(h.from, status->MPI_SOURCE);
    EQUAL(h.tag, status->MPI_TAG);
    EQUAL(r->received[h.from * TAGS + h.tag]++, h.number); /* in order */
    for (int64_t i = sizeof h; i < h.length; i += i < 200 ? 1 : 37)
        EQUAL((char)(h.number * 31 + h.from * 7 + i), data[i]);
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
    fill(f->data, h.length, &h);
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

/* Receives a message, if there is one, in one of several ways. */
static void receive_one(struct rank *r, char *data)
{
    int err = UNTOUCHED, flag = 0;
    MPID_Status status;
    int from = below(r, 2) ? MPID_ANY_SOURCE : below(r, MPID_MyWorldSize), tag = below(r, 2) ? MPID_ANY_TAG : below(r, TAGS);
    if (below(r, 2)) {
        MPID_Iprobe(NULL, tag, CONTEXT, from, &flag, &err, &status);
        if (!flag)
            return;
        int64_t count = status.count;
        MPID_RecvContig(NULL, data, count, status.MPI_SOURCE, status.MPI_TAG, CONTEXT, &status, &err);
        EQUAL(count, status.count);
    } else {
        MPIR_RHANDLE request;
        MPID_IrecvContig(NULL, data, 150000, from, tag, CONTEXT, &request, &err);
        for (int polls = below(r, 30); polls > 0 && !request.is_complete; polls--)
            MPID_DeviceCheck(MPID_NOTBLOCKING);
        MPID_RecvCancel(&request, &err);
        MPID_RecvComplete(&request, &status, &err);
        if (status.count == MPID_REQUEST_CANCELLED)
            return;
    }
    EQUAL(UNTOUCHED, err);
    check(r, data, &status);
}

static void run(uint64_t seed, long count)
{
    size_t counters = (size_t)MPID_MyWorldSize * TAGS;
    struct rank *r = calloc(1, sizeof *r);
    char *data = malloc(150000);
    count = count / MPID_MyWorldSize * MPID_MyWorldSize;
    r->seed = seed * 2654435769u + (uint64_t)MPID_MyWorldRank * 88172645463325252ull + 1;
    r->to_send = r->to_receive = count;
    r->sent = calloc(counters, sizeof *r->sent);
    r->received = calloc(counters, sizeof *r->received);
    while (r->to_send > 0 || r->to_receive > 0) {
        if (MPID_MyWorldSize > 2)
            sched_yield(); /* the ranks may outnumber the cores, and this one only polls */
        if (r->to_send > 0 && below(r, 2))
            send_one(r);
        else if (r->to_receive > 0)
            receive_one(r, data);
        else
            MPID_DeviceCheck(MPID_NOTBLOCKING);
    }
    for (int i = 0; i < FLYING; i++)
        if (r->flights[i].used)
            finish_flight(&r->flights[i]);
    free(r->sent);
    free(r->received);
    free(data);
    free(r);
}

static int rank_main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
    long count = count_of(2000);
    int err = UNTOUCHED;
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    int64_t space[3];
    for (int part = 0; part < 3; part++) { /* memory does not grow from part to part */
        run(seed * 3 + (uint64_t)part, count / 3);
        meet();
        space[part] = MPID_Space_used();
    }
    CHECK(space[2] < space[0] + space[0] / 2 + 200000);
    if (MPID_MyWorldRank == 0)
        printf("traffic: right\n");
    fflush(stdout);
    MPID_End();
    return 0;
}

int main(int argc, char **argv) { return adi_main(argc, argv, 2, rank_main); }
