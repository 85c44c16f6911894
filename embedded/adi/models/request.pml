/*
 * The end of a request in a rank with several threads (end, abandon_request, wait_for_send): the
 * owner waits for the operation, or gives the request to the device; another thread handles the
 * answer to the message (ADI_ACK, or the last part) and ends the operation.
 *
 * Shows: the request is freed exactly once, by the owner after a wait; no access to it races with
 * another, and none comes after it is freed.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define THREADS 2
#define ATOMICS 3
#define PLAINS 2
#define MESSAGES 6
#include "memory.pml"

#define OWNER 0
#define ENDER 1
#define ANSWER 0      /* the line of the answer */
#define FATE 1
#define IS_COMPLETE 2
#define COOKIE 0      /* the request: the owner's part, and the device's */
#define RESULT 1

#define COMPLETE 1
#define ABANDONED 2
#define HOW (LACKS(5) -> RELAXED : SEQ_CST) /* 5: the bits order nothing */

byte freed, ended;

/* Sets a bit of the fate. 3: in two steps. */
inline set_fate(me, what, old)
{
    if
    :: LACKS(3) ->
        load(me, FATE, ACQUIRE, old);
        store(me, FATE, (old | what), RELEASE)
    :: else -> set_bits(me, FATE, what, HOW, old)
    fi
}

inline free(me)
{
    write(me, COOKIE, 0);
    write(me, RESULT, 0);
    freed++
}

inline finish()
{
    atomic {
        ended++;
        assert(ended < 2 || freed == 1)
    }
}

active proctype owner()
{
    LOCALS;
    byte got, old;
    write(OWNER, COOKIE, 1);
    write(OWNER, RESULT, 1);
    store(OWNER, ANSWER, 1, RELEASE); /* the message, and its answer */
    if
    :: true -> /* waits */
        await(OWNER, IS_COMPLETE, (LACKS(2) -> RELAXED : ACQUIRE), got, (AT(IS_COMPLETE) == 1));
        read(OWNER, RESULT, got);
        assert(got == 2);
        free(OWNER)
    :: true -> /* abandons */
        read(OWNER, COOKIE, got);
        set_fate(OWNER, ABANDONED, old);
        if
        :: old & COMPLETE ->
            if
            :: !LACKS(4) -> await(OWNER, IS_COMPLETE, ACQUIRE, got, (AT(IS_COMPLETE) == 1))
            :: else /* 4: the owner frees before the other thread has finished */
            fi;
            free(OWNER)
        :: else
        fi
    fi;
    finish()
}

active proctype ender()
{
    LOCALS;
    byte got, old;
    await(ENDER, ANSWER, ACQUIRE, got, (AT(ANSWER) == 1));
    write(ENDER, RESULT, 2); /* the result */
    set_fate(ENDER, COMPLETE, old);
    if
    :: old & ABANDONED -> free(ENDER)
    :: else ->
        assert(freed == 0); /* the request is still there */
        store(ENDER, IS_COMPLETE, 1, (LACKS(1) -> RELAXED : RELEASE));
        if
        :: LACKS(6) -> write(ENDER, RESULT, 2) /* 6: it touches the request once more */
        :: else
        fi
    fi;
    finish()
}
