/*
 * The end of a memory object and its next use (MPID_Memory_drop, MPID_Memory_take): two users give up their parts, and the
 * last one keeps the object as a spare one, or gives its pages back to the kernel and makes its range free. A third rank
 * takes the range at any time. With KILLED, a user is killed while it holds the lock of the heap.
 *
 * Shows: the next owner's accesses come after those of all earlier users, and a free range is all zeros. No rank waits
 * for the lock of a killed one.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define THREADS 3
#define ATOMICS 3
#define PLAINS 2
#define MESSAGES 9
#include "memory.pml"

#define TAKER 2
#define LOCK 0
#define USERS 1 /* counts up to PARTS, because a history begins with 0 */
#define OVER 2
#define DATA 0  /* the pages of the object */
#define STATE 1 /* its entry in the table */

#define PARTS 2
#define TAKEN 0
#define FREE 1
#define SPARE 2

inline lock(me)
{
    atomic {
        if
        :: HAS(LOCK, 0) -> exchange(me, LOCK, 1, (LACKS(3) -> RELAXED : ACQUIRE), got)
        :: !LACKS(6) && HAS(OVER, 1) -> goto out /* 6: the lock is waited for in any case */
        fi
    }
}

inline unlock(me)
{
    store(me, LOCK, 0, (LACKS(4) -> RELAXED : RELEASE))
}

inline set_state(me, what)
{
    lock(me);
    write(me, STATE, what);
    unlock(me)
}

active [PARTS] proctype user()
{
    LOCALS;
    byte got, old;
    read(_pid, DATA, got); /* its last access */
    add(_pid, USERS, 1, (LACKS(1) -> RELAXED : ACQUIRE), old);
    if
    :: old + 1 < PARTS -> goto out
    :: else
    fi;
#ifdef KILLED
    lock(_pid);
    store(_pid, OVER, 1, RELEASE); /* the launcher does this */
#else
    if
    :: true ->
        if
        :: LACKS(5) -> write(_pid, STATE, SPARE) /* 5: without the lock */
        :: else -> set_state(_pid, SPARE)
        fi
    :: LACKS(2) -> /* 2: the range is free before its pages are given back */
        set_state(_pid, FREE);
        write(_pid, DATA, 0)
    :: !LACKS(2) ->
        write(_pid, DATA, 0); /* the kernel takes the pages */
        set_state(_pid, FREE)
    fi;
#endif
out:
    skip
}

active proctype taker()
{
    LOCALS;
    byte got, state;
    lock(TAKER);
    read(TAKER, STATE, state);
    if
    :: state == TAKEN -> unlock(TAKER)
    :: else ->
        write(TAKER, STATE, TAKEN);
        unlock(TAKER);
        read(TAKER, DATA, got);
        assert(got == 0);
        write(TAKER, DATA, 1)
    fi;
out:
    skip
}
