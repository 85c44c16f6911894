/*
 * The ring of bytes of an ordered pair (adi_ring_reserve, adi_drain, adi_publish_feedback): the writer takes
 * blocks of any length up to LARGEST in one piece, and so skips the end of the ring if a block does
 * not fit there. A line announces each block, with the position behind it. The reader publishes
 * its position if more than a quarter is unpublished, and before it sleeps.
 *
 * Lines are those of lines.pml; here each has a variable of its own, and its contents are known
 * good. The unit is a cache line of the ring.
 *
 * Shows: every block arrives whole, no access races, neither side waits forever.
 * WITHOUT: the step that is left out, see the uses of LACKS. LARGEST: the largest block. SLEEPLESS:
 * the reader never sleeps.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#ifdef SLEEPLESS
#define UNPUBLISHED (UNITS / 4)
#else
#define UNPUBLISHED 0
#endif

#define UNITS 8
#define COUNT 4
#ifndef LARGEST
#define LARGEST (UNITS * 3 / 8)
#endif

#define THREADS 2
#define ATOMICS (COUNT + 1)
#define PLAINS UNITS
#define MESSAGES (COUNT + 2)
#include "memory.pml"

#define WRITER 0
#define READER 1
#define FEEDBACK COUNT

/* Contents of the lines. */
byte offset[COUNT], length[COUNT], end[COUNT];

active proctype writer()
{
    LOCALS;
    byte n = 0, at = 0, freed = 0, need, place, begin, u;
    do
    :: n == COUNT -> break
    :: n < COUNT ->
        select(need : 1 .. LARGEST);
        place = at % UNITS;
        begin = at;
        if
        :: place + need > UNITS && !LACKS(5) -> begin = at + UNITS - place /* 5: blocks are not kept in one piece */
        :: else
        fi;
        if
        :: begin + need - freed <= UNITS || LACKS(6) /* 6: the writer does not check for room */
        :: else ->
            await(WRITER, FEEDBACK, (LACKS(4) -> RELAXED : ACQUIRE), freed, (begin + need - AT(FEEDBACK) <= UNITS))
        fi;
        at = begin + need;
        for (u : 0 .. need - 1) {
            assert(begin % UNITS + u < UNITS); /* within the ring */
            write(WRITER, begin % UNITS + u, n + 1)
        }
        offset[n] = begin % UNITS; length[n] = need; end[n] = at;
        store(WRITER, n, 1, (LACKS(1) -> RELAXED : RELEASE));
        n++; need = 0; place = 0; begin = 0; u = 0
    od
}

active proctype reader()
{
    LOCALS;
    byte n = 0, at = 0, published = 0, got, u;
    do
    :: n == COUNT -> break
    :: n < COUNT && memory[n].last > 0 ->
        await(READER, n, (LACKS(2) -> RELAXED : ACQUIRE), got, (AT(n) == 1));
        if
        :: LACKS(7) -> store(READER, FEEDBACK, end[n], RELEASE) /* 7: published before the block is read */
        :: else
        fi;
        for (u : 0 .. length[n] - 1) {
            read(READER, offset[n] + u, got);
            assert(got == n + 1)
        }
        at = end[n]; n++; u = 0
    :: n < COUNT && !LACKS(7) && at - published > UNPUBLISHED ->
        store(READER, FEEDBACK, at, (LACKS(3) -> RELAXED : RELEASE));
        published = at
    od
}
