/*
 * Ranks on fewer cores pass a message around, in the order of their numbers.
 *
 * turns         Eight ranks on one core: after some laps the core must take them in this order. Prints how often a rank was out
 *               of turn then, or that the kernel gives no process a slice of its own.
 * turns places  Four ranks on two cores, each moved to the core that is not its own: they must return. Prints "slow" if other
 *               programs use the cores, because the ranks need not return then.
 *
 * The others count the sleeps of two ranks that exchange messages, because a sleep at each message is many times slower:
 *
 * turns late    One rank answers later than a wait usually polls: the other one must poll longer.
 * turns one     The ranks must stay on one core although the job has two: each must leave it to the other one.
 * turns apart   Both ranks are moved to one core, while other processes use both cores: one rank must move away.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "check.h"
#include "state.h"

enum { RANKS = 8, PLACED_RANKS = 4, CONTEXT = 6, FIRST_LAPS = 5000, LAPS = 20000, PARTS = 100, PART_LAPS = 400, TAG_COUNT = 1 };
static const int64_t slow_ns = 400000000; /* time of PARTS; on an idle machine they take 0.15 s */

static void pass(int laps)
{
    int me = MPID_MyWorldRank, err = UNTOUCHED;
    for (int lap = 0; lap < laps; lap++) {
        if (me != 0)
            MPID_RecvContig(NULL, NULL, 0, me - 1, 0, CONTEXT, NULL, &err);
        MPID_SendContig(NULL, NULL, 0, me, 0, CONTEXT, (me + 1) % MPID_MyWorldSize, MPID_MSGFORM_OK, &err);
        if (me == 0)
            MPID_RecvContig(NULL, NULL, 0, MPID_MyWorldSize - 1, 0, CONTEXT, NULL, &err);
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

/* Moves this process to a core, which it may leave. */
static void move_to(int core)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0 && sched_setaffinity(0, sizeof one, &one) == 0 && sched_setaffinity(0, sizeof all, &all) == 0);
}

/* Gives every rank a number of each rank, by rank. */
static void exchange_numbers(int *numbers)
{
    int me = MPID_MyWorldRank, err = UNTOUCHED;
    for (int rank = 0; rank < PLACED_RANKS; rank++) {
        if (rank == me)
            continue;
        MPID_SendContig(NULL, &numbers[me], sizeof(int), me, TAG_COUNT, CONTEXT, rank, MPID_MSGFORM_OK, &err);
        MPID_RecvContig(NULL, &numbers[rank], sizeof(int), rank, TAG_COUNT, CONTEXT, NULL, &err);
    }
    EQUAL(UNTOUCHED, err);
}

static int place_main(int argc, char **argv)
{
    int err = UNTOUCHED, homes[PLACED_RANKS], slow[PLACED_RANKS] = {0};
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    int me = MPID_MyWorldRank;
    pass(2); /* all ranks have begun */
    homes[me] = adi_self->home;
    exchange_numbers(homes);
    CHECK(homes[0] >= 0 && homes[1] >= 0 && homes[0] != homes[1] && homes[0] == homes[2] && homes[1] == homes[3]);
    move_to(homes[(me + 1) % 2]);
    int64_t begin = adi_now();
    for (int part = 0; part < PARTS && !slow[0]; part++) {
        pass(PART_LAPS);
        slow[me] = adi_now() - begin > slow_ns;
        exchange_numbers(slow);
    }
    bool returned = adi_self->returns > 0 || sched_getcpu() == homes[me];
    printf("%splaces: %s\n", returned || !slow[0] ? "" : "slow\n", returned || slow[0] ? "right" : "wrong");
    fflush(stdout);
    MPID_End();
    return 0;
}

/* Exchanges messages of two ranks. late_ns: how long rank 1 works before each of them. Returns how often this rank slept. */
static int64_t exchange(int messages, int64_t late_ns)
{
    int me = MPID_MyWorldRank, err = UNTOUCHED;
    int64_t late, before = MPID_Sleeps(&late);
    for (int i = 0; i < messages; i++) {
        for (int64_t begin = adi_now(); me == 1 && late_ns && adi_now() - begin < late_ns;)
            MPID_Relax();
        MPID_SendContig(NULL, NULL, 0, me, 0, CONTEXT, !me, MPID_MSGFORM_OK, &err);
        MPID_RecvContig(NULL, NULL, 0, !me, 0, CONTEXT, NULL, &err);
    }
    EQUAL(UNTOUCHED, err);
    return MPID_Sleeps(&late) - before;
}

enum { MESSAGES = 2000, DISTURBANCES = 20, PAIR = 2 };

static int start_pair(int argc, char **argv)
{
    int err = UNTOUCHED;
    MPID_Init(&argc, &argv, NULL, &err);
    EQUAL(UNTOUCHED, err);
    CHECK(!MPID_Oversubscribed());
    return MPID_MyWorldRank;
}

static int end_pair(const char *test, int64_t sleeps, bool right)
{
    printf("%s: %lld sleeps\n%s: %s\n", test, (long long)sleeps, test, right ? "right" : "wrong");
    fflush(stdout);
    MPID_End();
    return 0;
}

static int late_main(int argc, char **argv)
{
    enum { LATE_NS = 60000 }; /* three times as long as a wait usually polls */
    start_pair(argc, argv);
    int64_t sleeps = exchange(MESSAGES, LATE_NS);
    return end_pair("late", sleeps, sleeps < MESSAGES / 4);
}

static int one_main(int argc, char **argv)
{
    start_pair(argc, argv);
    int64_t sleeps = exchange(MESSAGES, 0);
    return end_pair("one", sleeps, sleeps < MESSAGES / 4);
}

/* Returns the first core that this process may use. */
static int first_core(void)
{
    cpu_set_t all;
    int core = 0;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    while (!CPU_ISSET(core, &all))
        core++;
    return core;
}

static int apart_main(int argc, char **argv)
{
    int me = start_pair(argc, argv), err = UNTOUCHED;
    int64_t sleeps = 0, all[PAIR];
    for (int i = 0; i < DISTURBANCES; i++) {
        exchange(1, 0);
        move_to(first_core());
        sleeps += exchange(MESSAGES, 0);
    }
    all[me] = atomic_load(&adi_self->parted);
    MPID_SendContig(NULL, &all[me], sizeof all[me], me, TAG_COUNT, CONTEXT, !me, MPID_MSGFORM_OK, &err);
    MPID_RecvContig(NULL, &all[!me], sizeof all[!me], !me, TAG_COUNT, CONTEXT, NULL, &err);
    printf("moved %lld times\n", (long long)all[me]);
    return end_pair("apart", sleeps, all[0] + all[1] > 0 && sleeps < DISTURBANCES * MESSAGES / 4);
}

/* Keeps this process, and the ranks that it starts, on the first cores that it may use. */
static void use_cores(int n)
{
    cpu_set_t all, some;
    CPU_ZERO(&some);
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < n)
        exit(2);
    for (int core = 0; CPU_COUNT(&some) < n; core++)
        if (CPU_ISSET(core, &all))
            CPU_SET(core, &some);
    if (sched_setaffinity(0, sizeof some, &some) != 0)
        exit(2);
}

static bool is_rank(void) { return getenv("ADI_RANK") != NULL; }

/* Starts a process that only computes, and ends with this one. Returns 0 in a rank, which starts none. */
static pid_t start_busy(void)
{
    pid_t pid = is_rank() ? 0 : fork();
    if (pid != 0 || is_rank())
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        MPID_Relax();
}

int main(int argc, char **argv)
{
    const char *test = argc > 1 ? argv[1] : "";
    bool one = !strcmp(test, "one"), apart = !strcmp(test, "apart");
    use_cores(*test && !one ? 2 : 1);
    if (!strcmp(test, "places"))
        return adi_main(argc, argv, PLACED_RANKS, place_main);
    if (!*test)
        return adi_main(argc, argv, RANKS, rank_main);
    if (!apart)
        return adi_main(argc, argv, PAIR, one ? one_main : late_main);
    pid_t busy[] = {start_busy(), start_busy()};
    int result = adi_main(argc, argv, PAIR, apart_main);
    for (int i = 0; i < 2 && busy[i] > 0; i++) {
        kill(busy[i], SIGKILL);
        waitpid(busy[i], NULL, 0);
    }
    return result;
}
