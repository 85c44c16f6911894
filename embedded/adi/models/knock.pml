/*
 * Knocking (knock, greet): a sender sets its bit and counts up before its first message; the
 * receiver polls only senders whose bit it has seen, and reads the bits when the counter has
 * changed.
 *
 * Shows: the first message of every sender arrives.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define SENDERS 2

#define THREADS (SENDERS + 1)
#define ATOMICS (SENDERS + 2)
#define PLAINS SENDERS
#define MESSAGES (SENDERS + 2)
#include "memory.pml"

#define RECEIVER SENDERS
#define KNOCKERS SENDERS
#define KNOCKS (SENDERS + 1)
#define HOW (LACKS(3) -> RELAXED : SEQ_CST) /* 3: neither is sequentially consistent */

active [SENDERS] proctype sender()
{
    LOCALS;
    byte old;
    write(_pid, _pid, 1);
    if
    :: LACKS(1) -> /* 1: the counter first */
        add(_pid, KNOCKS, 1, HOW, old);
        set_bits(_pid, KNOCKERS, 1 << _pid, HOW, old)
    :: else ->
        set_bits(_pid, KNOCKERS, 1 << _pid, HOW, old);
        if
        :: !LACKS(4) -> add(_pid, KNOCKS, 1, HOW, old) /* 4: no counter */
        :: else
        fi
    fi;
    store(_pid, _pid, 1, RELEASE)
}

active proctype receiver()
{
    LOCALS;
    byte all = 0, knocks = 0, bits = 0, done = 0, got, s;
    do
    :: all == SENDERS -> break
    :: all < SENDERS && NEWEST(KNOCKS) != knocks ->
        await(RECEIVER, KNOCKS, RELAXED, got, (AT(KNOCKS) != knocks));
        if
        :: LACKS(2) -> /* 2: the bits before the counter */
            load(RECEIVER, KNOCKERS, SEQ_CST, bits);
            load(RECEIVER, KNOCKS, SEQ_CST, knocks)
        :: else ->
            load(RECEIVER, KNOCKS, SEQ_CST, knocks);
            load(RECEIVER, KNOCKERS, (LACKS(3) -> ACQUIRE : SEQ_CST), bits)
        fi
    :: all < SENDERS && (bits & 1) && !(done & 1) && memory[0].last > 0 ->
        s = 0;
        goto receive
    :: all < SENDERS && (bits & 2) && !(done & 2) && memory[1].last > 0 ->
        s = 1;
receive:
        await(RECEIVER, s, ACQUIRE, got, (AT(s) == 1));
        read(RECEIVER, s, got);
        assert(got == 1);
        done = done | (1 << s);
        all++; s = 0
    od
}
