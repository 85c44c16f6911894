/*
 * Turns: how a rank that waits leaves its core to other ranks, if ranks outnumber cores.
 *
 * A context switch costs more than a short message, so the time of a step depends on how many it
 * needs. The kernel gives a core to its ranks in turn and keeps their order, whatever it is: it takes the one with the
 * earliest deadline, and each call of sched_yield puts the rank's deadline off by its slice. Three things make them
 * fewer if ranks wait for each other in the order of their numbers, as in a ring, a pipeline, or broadcasts
 * with the next root each time:
 *
 * placing    The ranks begin on the cores in turn, because the kernel takes some tenths of a second until each core has as many
 *            of them. Nothing keeps them there, but a rank returns if it yields often while it is away.
 * looking    A rank that waits for one which runs on another core now looks for a while instead of
 *            leaving its own core at once. adi_block.core shows where a rank runs.
 * sorting    The ranks of a core get it in the order of their numbers. A round begins with a rank that is lower than the
 *            one before; it should be no higher than the rank that began the round before. If it is, it begins a sort:
 *            all ranks of the core yield with the shortest slice until their deadlines are close together, and
 *            then each once with a slice that is longer the higher its number. The slices are the usual ones again after that.
 *            Kernels before 6.12 have no slice of a process's own, and nothing is sorted there.
 *
 * If each rank can have a core, a rank that finds itself on another rank's core moves to a free one (adi_part).
 *
 * adi_turn is the state of a core. There are more ranks than cores, so each rank's block has room for one. Only
 * ranks that run on the core write to it; relaxed, because a wrong order costs nothing but time. No locks.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "progress.h"
#include "segment.h"
#include "turns.h"

enum {
    SHORTEST_NS = 100000, /* the kernel's limit */
    GATHERING = 20,       /* turns in which a rank's deadline comes close to the others': more than slices of SHORTEST_NS in the usual one */
    APART = 4096,         /* turns of a core from one sort to the next */
    MOST_RANKS = 10,      /* ranks on a core: with more, their deadlines would be closer together than SHORTEST_NS */
    LOOKS = 60,           /* about as long as two context switches */
    SHARES = 4096,        /* parts of the usual slice, the unit of this file's sums */
    PLACINGS = 3,         /* when the rank begins, and after the first sleeps, in which it waits for the others to begin */
    AWAY = 512,           /* turns on another core than its own after which a rank is placed again the first time */
    DOUBLINGS = 4,        /* each return doubles this number, at most so often: the kernel may have moved the rank for a reason */
    SOON_NS = 24000,      /* longest average turn of a rank that is placed again: if turns take longer, the ranks compute, and the kernel knows better */
};

/* The kernel's struct sched_attr in its first version. */
struct slice {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t ns; /* with the usual policies: of the slice */
    uint64_t deadline, period;
};

/* Yields with another slice than the usual one: of part/SHARES of it, or SHORTEST_NS for 0. */
static void yield_with_slice(struct adi_state *st, uint64_t part)
{
    struct slice usual = {.size = sizeof usual}, other;
    bool has = syscall(SYS_sched_getattr, 0, &usual, sizeof usual, 0) == 0 && usual.ns && (usual.policy == SCHED_OTHER || usual.policy == SCHED_BATCH);
    other = usual;
    other.ns = part ? usual.ns * part / SHARES : SHORTEST_NS;
    has = has && syscall(SYS_sched_setattr, 0, &other, 0) == 0;
    sched_yield();
    if (has)
        syscall(SYS_sched_setattr, 0, &usual, 0);
    else
        st->unsorted = true;
}

static uint32_t load_word(atomic_uint *word) { return atomic_load_explicit(word, memory_order_relaxed); }
static void store_word(atomic_uint *word, uint32_t value) { atomic_store_explicit(word, value, memory_order_relaxed); }

/* Notes that this rank has a core's turn. */
static void note_turn(struct adi_state *st, struct adi_turn *turn)
{
    uint32_t me = (uint32_t)st->rank, count = load_word(&turn->count) + 1, before = load_word(&turn->last), first = load_word(&turn->first);
    store_word(&turn->count, count);
    store_word(&turn->last, me);
    if (before > me) {
        store_word(&turn->first, me);
        if (me > first) {
            st->out_of_turn++;
            if (!load_word(&turn->sorting) && count - load_word(&turn->sorted) > APART)
                store_word(&turn->sorting, 1);
        }
    }
    if (load_word(&turn->sorting) && st->gathered++ == GATHERING) {
        store_word(&turn->sorting, 0);
        store_word(&turn->sorted, count);
    }
}

static struct adi_turn *turn_of(struct adi_state *st, int core) { return &adi_block_of(st->segment, core % st->size)->turn; }

static void yield(struct adi_state *st)
{
    int core = atomic_load_explicit(&st->block->core, memory_order_relaxed);
    adi_leave_core(st);
    if (!st->gathered || core <= 0) {
        sched_yield();
    } else if (load_word(&turn_of(st, core - 1)->sorting)) {
        yield_with_slice(st, 0);
    } else {
        st->gathered = 0;
        yield_with_slice(st, SHARES + SHARES * (uint64_t)st->rank / (uint64_t)st->size);
    }
}

int adi_show_core(struct adi_state *st)
{
    int core = sched_getcpu();
    if (atomic_load_explicit(&st->block->core, memory_order_relaxed) != core + 1)
        atomic_store_explicit(&st->block->core, core + 1, memory_order_relaxed);
    return core;
}

void adi_leave_core(struct adi_state *st) { atomic_store_explicit(&st->block->core, -1 - sched_getcpu(), memory_order_relaxed); }

void adi_have_core(struct adi_state *st)
{
    int core = adi_show_core(st);
    if (core >= 0 && st->oversubscribed && !st->unsorted)
        note_turn(st, turn_of(st, core));
}

bool adi_can_sort(const struct adi_state *st) { return !st->threads && st->size <= MOST_RANKS * (int)st->segment->cores; }

/* Moves the rank to its core. Nothing keeps it there. */
static void move_home(struct adi_state *st)
{
    cpu_set_t all, one;
    int core = 0, cores = (int)st->segment->cores;
    st->home = -1;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) != cores)
        return;
    for (int before = st->rank % cores; !CPU_ISSET(core, &all) || before--; core++)
        continue;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        return;
    sched_setaffinity(0, sizeof all, &all);
    st->home = core;
}

void adi_place(struct adi_state *st)
{
    /* With threads only the rank's first one, which begins alone, may change the number, and place itself. */
    if (st->oversubscribed && st->placings < (st->threads ? 1 : PLACINGS)) {
        st->placings++;
        move_home(st);
    }
}

/* Counts a turn on another core than the rank's own. After enough of them, places the rank again if they were short. */
static void return_home(struct adi_state *st)
{
    unsigned most = AWAY << (st->returns < DOUBLINGS ? st->returns : DOUBLINGS);
    if (adi_likely(++st->away < most))
        return;
    int64_t now = adi_now();
    if (now - st->away_since < (int64_t)most * SOON_NS) {
        st->returns++;
        move_home(st);
        adi_have_core(st);
    }
    st->away = 0;
    st->away_since = now;
}

/* Reports whether a rank runs on a core that is not this rank's. */
static bool runs_elsewhere(struct adi_state *st, int rank)
{
    int core = rank < 0 ? 0 : atomic_load_explicit(&adi_block_of(st->segment, rank)->core, memory_order_relaxed);
    return core > 0 && core != atomic_load_explicit(&st->block->core, memory_order_relaxed);
}

/* Adds the cores that other ranks run on, or did before they slept. */
static void add_cores_of_others(struct adi_state *st, cpu_set_t *cores)
{
    for (int rank = 0; rank < st->size; rank++) {
        int core = rank == st->rank ? 0 : abs(atomic_load_explicit(&adi_block_of(st->segment, rank)->core, memory_order_relaxed));
        if (core && core <= CPU_SETSIZE)
            CPU_SET(core - 1, cores);
    }
}

bool adi_part(struct adi_state *st)
{
    cpu_set_t all, used, one;
    int mine = adi_show_core(st), core;
    CPU_ZERO(&used);
    add_cores_of_others(st, &used);
    if (mine < 0 || mine >= CPU_SETSIZE || !CPU_ISSET(mine, &used))
        return true;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return false;
    for (core = (mine + 1) % CPU_SETSIZE; core != mine && (!CPU_ISSET(core, &all) || CPU_ISSET(core, &used));)
        core = (core + 1) % CPU_SETSIZE;
    if (core == mine)
        return false;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        return false;
    sched_setaffinity(0, sizeof all, &all);
    atomic_fetch_add_explicit(&st->parted, 1, memory_order_relaxed);
    adi_show_core(st);
    return true;
}

void adi_yield(struct adi_state *st, struct adi_pause *pause, int awaited)
{
    for (int looks = 0; looks < LOOKS && runs_elsewhere(st, awaited); looks++) {
        MPID_Relax();
        if (adi_poll(st, false)) {
            pause->progress = true;
            return;
        }
        if (pause->ready && pause->ready(pause->argument))
            return;
    }
    yield(st);
    adi_have_core(st);
    if (!st->threads && st->home >= 0 && atomic_load_explicit(&st->block->core, memory_order_relaxed) != st->home + 1)
        return_home(st);
}
