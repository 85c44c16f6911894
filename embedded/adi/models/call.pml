/*
 * The roll call that finds a job which hangs (answer_call; internal/embedded/hang.go): two ranks and the launcher.
 * Rank 1 sends a message, each rank answers a message by another one, CHAIN in all. Then both wait forever. A rank may stop
 * anywhere for any time. Sleeping and waking are left out (sleep.pml): a rank that waits polls.
 *
 * Shows: the launcher reports the job only if both ranks wait forever.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define RANKS 2
#define CHAIN 2
#ifndef CALLS
#define CALLS 1 /* most calls of the launcher, which may give up */
#endif

#define THREADS (RANKS + 1)
#define ATOMICS (3 * RANKS + 1)
#define PLAINS 1
#define MESSAGES 12
#include "memory.pml"

#define LAUNCHER RANKS
#define LINE(rank) (rank) /* the number of messages for the rank */
#define VERSION(rank) (RANKS + (rank))
#define ANSWER(rank) (2 * RANKS + (rank))
#define CALL (3 * RANKS)
#define VALUE(call, version) (LACKS(3) -> (call) : (call) * 16 + (version)) /* 3: an answer without the version */

byte sent, received; /* messages */
bool over;

inline send()
{
    sent++;
    lines++;
    store(_pid, LINE(1 - _pid), lines, RELEASE)
}

active [RANKS] proctype rank()
{
    LOCALS;
    byte lines = 0, next = 0, got, call, seen = 0, version = 0, answer = 0;
    bool progress = true;
    if
    :: _pid == 1 -> send()
    :: else
    fi;
    do
    :: over -> break
    :: !over ->
        load(_pid, LINE(_pid), ACQUIRE, got);
        if
        :: got > next ->
            next++;
            received++;
            progress = version == 0 || !LACKS(2); /* 2: the version stays */
            if
            :: sent < CHAIN -> send()
            :: else
            fi
        :: else ->
            if
            :: progress ->
                version++;
                store(_pid, VERSION(_pid), version, (LACKS(4) -> RELAXED : RELEASE));
                progress = false
            :: else
            fi;
            load(_pid, CALL, (LACKS(6) -> RELAXED : SEQ_CST), call);
            if
            :: (call == seen || LACKS(1)) && answer != VALUE(call, version) -> /* 1: an answer without a further look */
                answer = VALUE(call, version);
                store(_pid, ANSWER(_pid), answer, (LACKS(8) -> RELAXED : RELEASE))
            :: else
            fi;
            seen = call;
            call = 0
        fi;
        got = 0
    od
}

inline look()
{
    for (r : 0 .. RANKS - 1) {
        await(LAUNCHER, VERSION(r), (LACKS(5) -> RELAXED : ACQUIRE), versions[r], AT(VERSION(r)) > 0)
    }
    r = 0
}

active proctype launcher()
{
    LOCALS;
    byte calls = 0, r, got, versions[RANKS];
    do
    :: calls == CALLS -> break
    :: calls < CALLS ->
        if
        :: !LACKS(9) -> look()
        :: else
        fi;
        calls++;
        store(LAUNCHER, CALL, calls, (LACKS(7) -> RELAXED : SEQ_CST));
        if
        :: LACKS(9) -> look() /* 9: the versions from after the call */
        :: else
        fi;
        do
        :: r == RANKS -> break
        :: r < RANKS ->
            load(LAUNCHER, ANSWER(r), ACQUIRE, got);
            if
            :: got == VALUE(calls, versions[r]) -> r++
            :: else -> break
            fi
        od;
        if
        :: r == RANKS -> assert(received == CHAIN); break /* the report */
        :: else
        fi;
        r = 0; got = 0
    od;
    over = true
}
