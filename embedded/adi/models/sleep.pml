/*
 * Sleeping and waking (sleep_on, adi_publish, adi_wake): one rank that sleeps on its bell, and
 * WAKERS ranks that send COUNT messages each. A sleep has no time limit here.
 *
 * The sleeper calls membarrier, and a waker has no fence. With FENCES both have a fence instead.
 * With UNREGISTERED, membarrier does not reach the last waker, which has a fence.
 * BEHIND: what the sleeper waits for is not the waker's last store, but one before it (a position
 * of the feedback line).
 *
 * Shows: no wake-up is lost; in the end all messages have arrived.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)
#ifdef FENCES
#define HAS_FENCE(waker) true
#define SLEEPER_HAS_FENCE true
#else
#define SLEEPER_HAS_FENCE false
#ifdef UNREGISTERED
#define IS_REGISTERED(thread) ((thread) != WAKERS - 1)
#define HAS_FENCE(waker) ((waker) == WAKERS - 1)
#else
#define HAS_FENCE(waker) false
#endif
#endif
#ifndef WAKERS
#define WAKERS 2
#endif
#ifndef COUNT
#define COUNT 1
#endif

#define THREADS (WAKERS + 1)
#define LINES (WAKERS * COUNT)
#define ATOMICS (LINES + 3)
#define PLAINS 1
#define MESSAGES (6 * LINES + 4)
#include "memory.pml"

#define SLEEPER WAKERS
#define ASLEEP LINES
#define BELL (LINES + 1)
#define OTHER (LINES + 2) /* with BEHIND: the last store */
#define LINE(w, n) ((w) * COUNT + (n))

bool in_futex;

/* The waker's accesses. 3: sequentially consistent accesses, no fence; 4: neither. */
#define STORED (LACKS(3) -> SEQ_CST : RELEASE)
#define LOADED (LACKS(3) -> SEQ_CST : RELAXED)

inline publish(n)
{
#ifdef BEHIND
    store(_pid, LINE(_pid, n), 1, RELEASE);
    store(_pid, OTHER, 1, STORED)
#else
    store(_pid, LINE(_pid, n), 1, STORED)
#endif
}

active [WAKERS] proctype waker()
{
    LOCALS;
    byte n = 0, got, old;
    do
    :: n == COUNT -> break
    :: n < COUNT ->
        if
        :: LACKS(5) -> /* 5: the waker loads before it stores */
            load(_pid, ASLEEP, LOADED, got);
            publish(n)
        :: else ->
            publish(n);
            if
            :: HAS_FENCE(_pid) && !LACKS(3) && !LACKS(4) -> fence(_pid)
            :: else
            fi;
            load(_pid, ASLEEP, LOADED, got)
        fi;
        if
        :: got ->
            exchange(_pid, ASLEEP, 0, SEQ_CST, old);
            if
            :: old && !LACKS(6) -> /* 6: the bell does not change */
                add(_pid, BELL, 1, SEQ_CST, got)
            :: else
            fi;
            if
            :: old -> in_futex = false
            :: else
            fi
        :: else
        fi;
        n++; got = 0; old = 0
    od
}

/* Polls the next line of each waker. how: of the loads. */
inline poll(how)
{
    any = false;
    w = 0;
    do
    :: w == WAKERS -> break
    :: w < WAKERS && next[w] == COUNT -> w++
    :: w < WAKERS && next[w] < COUNT ->
        load(SLEEPER, LINE(w, next[w]), how, got);
        if
        :: got -> next[w]++; all++; any = true
        :: else
        fi;
        w++
    od;
    w = 0; got = 0
}

active proctype sleeper()
{
    LOCALS;
    byte next[WAKERS], all = 0, w, got, bell, other;
    bool any;
    do
    :: all == LINES -> break
    :: all < LINES ->
        poll(ACQUIRE);
        if
        :: any
        :: else ->
            if
            :: !LACKS(7) -> load(SLEEPER, BELL, SEQ_CST, bell)
            :: else
            fi;
            if
            :: !LACKS(1) -> store(SLEEPER, ASLEEP, 1, SEQ_CST)
            :: else
            fi;
            if
            :: !SLEEPER_HAS_FENCE && !LACKS(2) -> membarrier(SLEEPER)
            :: SLEEPER_HAS_FENCE && !LACKS(2) -> fence(SLEEPER) /* 2: the store may come after the loads */
            :: LACKS(2)
            fi;
            poll(ACQUIRE);
            if
            :: LACKS(7) -> load(SLEEPER, BELL, SEQ_CST, bell) /* 7: the bell is read after the last poll */
            :: else
            fi;
            if
            :: LACKS(1) -> store(SLEEPER, ASLEEP, 1, SEQ_CST); fence(SLEEPER) /* 1: asleep after the last poll */
            :: else
            fi;
            if
            :: any
            :: !any ->
                d_step {
                    if
                    :: NEWEST(BELL) == bell -> in_futex = true
                    :: else
                    fi
                };
                !in_futex
            fi;
            store(SLEEPER, ASLEEP, 0, RELAXED);
            bell = 0
        fi
    od
}
