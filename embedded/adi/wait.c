/*
 * Waiting and waking.
 *
 * A wait polls for spin_ns; if ranks outnumber cores, it leaves the core to another rank after each
 * poll instead (turns.c), for yield_ns, which is faster than a futex. Both times change with what each sleep shows (adapt). Then it sleeps on the bell of the rank's
 * block. A sleeper stores asleep = 1, examines once more every place where work may arrive, and waits
 * for the bell; a waker makes its work visible, loads asleep, and if it was 1 sets it to 0, adds 1 to
 * the bell and calls futex. No wake-up is lost if the sleeper's store of asleep comes before its
 * loads, and the waker's store before its load. There are two ways to order them:
 *
 *   fence       both have a full fence between their two accesses
 *   membarrier  the waker's two accesses are ordered for the compiler only; between its own two the
 *               sleeper calls membarrier, which runs a fence on every core that runs a thread of a
 *               registered process
 *
 * The head of the segment stores the way of the job. A waker may always use a fence, and must if it
 * could not register. A sleeper whose membarrier fails naps instead. Ranks nap too if any rank
 * cannot call futex. A nap takes an eighth of the time that the rank has waited, 50 us to 32 ms.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "segment.h"
#include "turns.h"
#include "wake.h"

/* How long a wait polls before it sleeps, if no setting gives the time. */
static const int64_t usual_spin_us = 20, longer_spin_us = 200, usual_yield_us = 500;

/* Sets how long a wait polls, and whether it leaves its core for some time before it sleeps. */
static void set_patience(struct adi_state *st, int64_t spin_us, bool yields)
{
    atomic_store_explicit(&st->spin_ns, 1000 * spin_us, memory_order_relaxed);
    atomic_store_explicit(&st->yield_ns, yields ? 1000 * usual_yield_us : 0, memory_order_relaxed);
}

/* Finds out which calls work here. */
void adi_wait_init(struct adi_state *st)
{
    st->oversubscribed = st->segment->ranks > st->segment->cores;
    st->adapts = st->config.spin_us < 0 && !st->oversubscribed;
    set_patience(st, st->config.spin_us >= 0 ? st->config.spin_us : st->oversubscribed ? 0 : usual_spin_us, st->config.spin_us < 0 && st->oversubscribed);
    st->fence = st->config.fence || st->segment->fence ||
                syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) != 0;
    st->no_futex = st->config.no_futex || (adi_futex(&st->block->bell, FUTEX_WAKE, 0, NULL) < 0 && errno != EINTR);
    st->unsorted = !adi_can_sort(st);
    adi_place(st);
    adi_have_core(st);
    if (st->no_futex)
        atomic_store_explicit(&st->segment->no_futex, 1, memory_order_seq_cst);
}

/* ---- sleeping ---- */

int64_t MPID_Sleeps(int64_t *late)
{
    *late = (int64_t)atomic_load_explicit(&adi_self->late, memory_order_relaxed);
    return (int64_t)atomic_load_explicit(&adi_self->sleeps, memory_order_relaxed);
}

/* Informs senders of the room that they have. Returns whether one did not know. */
static bool publish_positions(struct adi_state *st)
{
    bool any = false;
    for (int i = 0; i < st->device_count; i++)
        if (st->devices[i]->publish)
            any |= st->devices[i]->publish(st);
    return any;
}

static void nap(int64_t ns)
{
    struct timespec length = {.tv_nsec = (long)ns};
    nanosleep(&length, NULL);
}

/* Naps for an eighth of the time that this rank has waited, so that a message is late by no more
 * than that. The first naps leave the core to another rank; the longest ones end 30 times a second,
 * so that a rank that waits long uses nearly no time even where a nap is expensive. */
static void nap_on(struct adi_state *st, struct adi_pause *pause)
{
    static const int64_t shortest_ns = 50000, longest_ns = 32000000;
    int64_t idle = adi_now() - pause->begin, ns = idle / 8;
    atomic_fetch_add_explicit(&st->sleeps, 1, memory_order_relaxed);
    adi_answer_call(st, pause);
    if (idle < 200000 && st->oversubscribed)
        adi_yield(st, pause, -1);
    else
        nap(ns < shortest_ns ? shortest_ns : ns > longest_ns ? longest_ns : ns);
}

/* Counts a lost wake-up after a sleep that ended by its limit although there is work, unless the
 * waker is only late, for example because other processes use its core. */
static void look_for_waker(struct adi_state *st, unsigned bell)
{
    enum { LATEST_MS = 5000 };
    for (int naps = 0; naps < LATEST_MS; naps++) {
        if (atomic_load_explicit(&st->block->bell, memory_order_seq_cst) != bell)
            return;
        nap(1000000);
    }
    atomic_fetch_add_explicit(&st->late, 1, memory_order_relaxed);
}

/* Reports whether the wait may be over. */
static bool is_over(const struct adi_state *st, const struct adi_pause *pause)
{
    return atomic_load_explicit(&st->events, memory_order_seq_cst) != pause->ticket || (pause->ready && pause->ready(pause->argument));
}

/* Sleeps until the bell rings. */
static void sleep_on(struct adi_state *st, struct adi_pause *pause)
{
    struct adi_block *block = st->block;
    unsigned bell = atomic_load_explicit(&block->bell, memory_order_seq_cst);
    atomic_store_explicit(&block->asleep, 1, memory_order_seq_cst);
    if (st->segment->fence)
        adi_full_fence();
    else if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) != 0) {
        atomic_store_explicit(&block->asleep, 0, memory_order_relaxed);
        nap_on(st, pause); /* it worked for the launcher; a sandbox may deny it here */
        return;
    }
    bool any = adi_poll(st, true);
    if (!any && !is_over(st, pause) && !atomic_load_explicit(&st->segment->over, memory_order_seq_cst) && adi_answer_call(st, pause)) {
        struct timespec limit = {.tv_sec = 1};
        atomic_fetch_add_explicit(&st->sleeps, 1, memory_order_relaxed);
        bool timeout = adi_futex(&block->bell, FUTEX_WAIT, bell, &limit) < 0 && errno == ETIMEDOUT;
        any = timeout && adi_poll(st, true);
        if (any || (timeout && is_over(st, pause)))
            look_for_waker(st, bell);
    }
    pause->progress |= any;
    if (!st->threads) /* with threads another one may sleep */
        atomic_store_explicit(&block->asleep, 0, memory_order_relaxed);
}

/* Returns the rank that a wait is for, or -1 if it is not known: with threads another one may complete what this one looks at. */
static int awaited(const struct adi_state *st, const struct adi_pause *pause, const struct MPID_Blocked *why)
{
    if (st->threads)
        return -1;
    if (pause->awaited)
        return pause->awaited(pause->argument);
    return why ? why->peer[0].grank : -1;
}

/* Decides after a sleep how long the next waits poll. came: when work came. If that was soon after the wait began, to poll is
 * cheaper than to sleep and be woken; otherwise two ranks may wake each other in turn forever, because a rank that has to be
 * woken answers too late for one that polls. A rank that shares its core leaves it instead, as if ranks outnumbered cores. */
static void adapt(struct adi_state *st, const struct adi_pause *pause, int64_t came)
{
    if (came - pause->begin >= 1000 * longer_spin_us)
        set_patience(st, usual_spin_us, false);
    else if (adi_part(st))
        set_patience(st, longer_spin_us, false);
    else
        set_patience(st, 0, true);
}

/* Only every 512th call tries to move this rank, because an attempt costs system calls. If no core is free, waits no
 * longer poll but leave the core before they sleep. */
void adi_look_for_core(struct adi_state *st)
{
    enum { CALLS = 512 };
    if (!st->adapts || atomic_fetch_add_explicit(&st->looks, 1, memory_order_relaxed) % CALLS != CALLS - 1)
        return;
    if (!adi_part(st))
        set_patience(st, 0, true);
    else if (atomic_load_explicit(&st->yield_ns, memory_order_relaxed))
        set_patience(st, longer_spin_us, false);
}

/* Returns when a rank has woken this one, or if it slept for another reason now. */
static int64_t woken_at(const struct adi_state *st, const struct adi_pause *pause)
{
    int64_t now = adi_now(), rung = atomic_load_explicit(&st->block->rung_at, memory_order_relaxed);
    return rung > pause->begin && rung < now ? rung : now;
}

int adi_pause(struct adi_state *st, struct adi_pause *pause, const struct MPID_Blocked *why)
{
    /* Relaxed: hints. */
    int64_t spin_ns = atomic_load_explicit(&st->spin_ns, memory_order_relaxed), yield_ns = atomic_load_explicit(&st->yield_ns, memory_order_relaxed);
    if (pause->idle++ == 0)
        pause->begin = 0;
    if (yield_ns && pause->idle % 8) { /* to read the clock takes as long as a poll */
        adi_yield(st, pause, awaited(st, pause, why));
        adi_look_for_core(st);
        return MPID_SUCCESS;
    }
    MPID_Relax();
    if (spin_ns && pause->idle % 64)
        return MPID_SUCCESS;
    unsigned over = atomic_load_explicit(&st->segment->over, memory_order_acquire);
    if (adi_unlikely(over == ADI_OVER_ABORT))
        adi_job_is_over(st, why); /* else each rank that handles errors would report one */
    if (adi_unlikely(over))
        return MPIR_ERR_PEER;
    int64_t now = adi_now();
    if (!pause->begin)
        pause->begin = now;
    if (now - pause->begin < spin_ns) {
        adi_show_core(st);
        return MPID_SUCCESS;
    }
    if (now - pause->begin < yield_ns) {
        adi_yield(st, pause, awaited(st, pause, why));
        return MPID_SUCCESS;
    }
    if (atomic_exchange_explicit(&st->stalled, false, memory_order_relaxed)) {
        bool any = adi_poll(st, true);
        pause->progress |= any;
        if (!any && atomic_load_explicit(&st->stalled, memory_order_relaxed)) {
            nap(1000000);
            return MPIR_ERR_EXHAUSTED;
        }
    }
    struct MPID_Blocked described = {0};
    if (pause->describe) {
        pause->describe(pause->argument, &described);
        why = &described;
    }
    pause->progress |= publish_positions(st);
    adi_describe_wait(st, pause, why);
    pause->idle = 63; /* one poll, then the next sleep */
    adi_leave_core(st);
    if (st->no_futex || atomic_load_explicit(&st->segment->no_futex, memory_order_relaxed))
        nap_on(st, pause);
    else
        sleep_on(st, pause);
    adi_place(st);
    adi_have_core(st);
    if (st->adapts)
        adapt(st, pause, woken_at(st, pause));
    return MPID_SUCCESS;
}
