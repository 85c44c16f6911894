/* Eight ranks on one core pass a message around, in the order of their numbers. After some laps the core must take them in
 * this order. Prints how often a rank was out of turn then, or that the kernel gives no process a slice of its own. */
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"
#include "internal.h"

enum { RANKS = 8, CONTEXT = 6, FIRST_LAPS = 5000, LAPS = 20000, TAG_COUNT = 1 };

static void pass(int laps)
{
    int me = MPID_MyWorldRank, err = UNTOUCHED;
    for (int lap = 0; lap < laps; lap++) {
        if (me != 0)
            MPID_RecvContig(NULL, NULL, 0, me - 1, 0, CONTEXT, NULL, &err);
        MPID_SendContig(NULL, NULL, 0, me, 0, CONTEXT, (me + 1) % RANKS, MPID_MSGFORM_OK, &err);
        if (me == 0)
            MPID_RecvContig(NULL, NULL, 0, RANKS - 1, 0, CONTEXT, NULL, &err);
    }
    EQUAL(UNTOUCHED, err);
}

static int rank_main(int argc, char **argv)
{
    int err = UNTOUCHED;
    unsigned count[2] = {0}; /* how often a rank was out of turn; whether it cannot change its slice */
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    EQUAL(RANKS, MPID_MyWorldSize);
    pass(FIRST_LAPS);
    unsigned before = adi_self->out_of_turn, all = 0;
    pass(LAPS);
    count[0] = adi_self->out_of_turn - before;
    count[1] = adi_self->unsorted;
    if (MPID_MyWorldRank == 0) {
        bool unsorted = count[1];
        all = count[0];
        for (int rank = 1; rank < RANKS; rank++) {
            MPID_RecvContig(NULL, count, sizeof count, rank, TAG_COUNT, CONTEXT, NULL, &err);
            all += count[0];
            unsorted |= count[1];
        }
        printf("out of turn: %u in %d laps\n%s", all, LAPS, unsorted ? "no slices\n" : "");
        printf("turns: %s\n", unsorted || all < LAPS / 10 ? "right" : "wrong");
        fflush(stdout);
    } else {
        MPID_SendContig(NULL, count, sizeof count, MPID_MyWorldRank, TAG_COUNT, CONTEXT, 0, MPID_MSGFORM_OK, &err);
    }
    EQUAL(UNTOUCHED, err);
    MPID_End();
    return 0;
}

/* Keeps this process, and the ranks that it starts, on the first core that it may use. */
static void use_one_core(void)
{
    cpu_set_t all, one;
    int core = 0;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        exit(2);
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_SET(core, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        exit(2);
}

int main(int argc, char **argv)
{
    use_one_core();
    return adi_main(argc, argv, RANKS, rank_main);
}
