/*
 * A thread that sleeps until another thread of its rank completes a request (MPID_Ticket, MPID_Sleep,
 * adi_wake_threads): the waiter takes a ticket, looks at is_complete, and sleeps; the other thread
 * sets is_complete, counts an event, and wakes.
 *
 * Shows: no wake-up is lost, and what the completing thread has written is visible.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define REQUESTS 2

#define THREADS 2
#define ATOMICS (REQUESTS + 3)
#define PLAINS REQUESTS
#define MESSAGES (4 * REQUESTS + 6)
#include "memory.pml"

#define WAITER 0
#define COMPLETER 1
#define EVENTS REQUESTS
#define ASLEEP (REQUESTS + 1)
#define BELL (REQUESTS + 2)

bool in_futex;

active proctype waiter()
{
    LOCALS;
    byte n = 0, ticket, got, bell;
    do
    :: n == REQUESTS -> break
    :: n < REQUESTS ->
        if
        :: !LACKS(4) -> load(WAITER, EVENTS, ACQUIRE, ticket)
        :: else
        fi;
        load(WAITER, n, ACQUIRE, got);
        if
        :: LACKS(4) -> load(WAITER, EVENTS, ACQUIRE, ticket) /* 4: the ticket after the look */
        :: else
        fi;
        if
        :: got ->
            read(WAITER, n, got);
            assert(got == n + 1);
            n++
        :: else ->
            load(WAITER, BELL, SEQ_CST, bell);
            store(WAITER, ASLEEP, 1, SEQ_CST);
            if
            :: LACKS(5) -> got = ticket /* 5: the events are not looked at again */
            :: else -> load(WAITER, EVENTS, (LACKS(6) -> ACQUIRE : SEQ_CST), got)
            fi;
            if
            :: got == ticket ->
                d_step {
                    if
                    :: NEWEST(BELL) == bell -> in_futex = true
                    :: else
                    fi
                };
                !in_futex
            :: else
            fi
        fi;
        got = 0; bell = 0
    od
}

active proctype completer()
{
    LOCALS;
    byte n = 0, got, old;
    do
    :: n == REQUESTS -> break
    :: n < REQUESTS ->
        write(COMPLETER, n, n + 1);
        if
        :: LACKS(1) -> /* 1: the event before the result */
            add(COMPLETER, EVENTS, 1, SEQ_CST, old);
            store(COMPLETER, n, 1, RELEASE)
        :: else ->
            store(COMPLETER, n, 1, RELEASE);
            add(COMPLETER, EVENTS, 1, (LACKS(2) -> RELEASE : SEQ_CST), old)
        fi;
        load(COMPLETER, ASLEEP, (LACKS(3) -> RELAXED : SEQ_CST), got);
        if
        :: got ->
            exchange(COMPLETER, ASLEEP, 0, SEQ_CST, old);
            if
            :: old -> add(COMPLETER, BELL, 1, SEQ_CST, got); in_futex = false
            :: else
            fi
        :: else
        fi;
        n++; got = 0; old = 0
    od
}
