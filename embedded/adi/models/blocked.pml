/*
 * The description of a wait (describe, MPID_Read_blocked): a sequence lock. The rank changes the
 * words between two stores of the version, which is odd meanwhile; an observer reads the version,
 * the words and the version again, and repeats if it has changed.
 *
 * Shows: an observer never gets words of two descriptions.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define WORDS 2
#define COUNT 3 /* descriptions; each has its number in all words */

#define THREADS 2
#define ATOMICS (WORDS + 1)
#define PLAINS 1
#define MESSAGES (2 * COUNT + 2)
#include "memory.pml"

#define RANK 0
#define OBSERVER 1
#define VERSION WORDS

active proctype rank()
{
    LOCALS;
    byte n = 1, w;
    do
    :: n > COUNT -> break
    :: n <= COUNT ->
        if
        :: !LACKS(1) -> store(RANK, VERSION, 2 * n - 1, RELAXED)
        :: else /* 1: the version is never odd */
        fi;
        for (w : 0 .. WORDS - 1) {
            store(RANK, w, n, (LACKS(2) -> RELAXED : RELEASE))
        }
        store(RANK, VERSION, 2 * n, (LACKS(3) -> RELAXED : RELEASE));
        n++; w = 0
    od
}

active proctype observer()
{
    LOCALS;
    byte before, after, w, got[WORDS];
    do
    :: true ->
        load(OBSERVER, VERSION, (LACKS(4) -> RELAXED : ACQUIRE), before);
        if
        :: before % 2 == 1 && !LACKS(5)
        :: else ->
            for (w : 0 .. WORDS - 1) {
                load(OBSERVER, w, (LACKS(6) -> RELAXED : ACQUIRE), got[w])
            }
            load(OBSERVER, VERSION, RELAXED, after);
            if
            :: after == before || LACKS(7) -> break /* 5, 7: the first or the second version is not examined */
            :: else
            fi
        fi;
        before = 0; after = 0; w = 0
    od;
    assert(got[0] == got[1])
}
