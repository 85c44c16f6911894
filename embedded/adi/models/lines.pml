/*
 * The ring of lines of an ordered pair of ranks (adi_publish, adi_drain, adi_publish_feedback,
 * line_is_free): one writer, one reader. The lap in a line is its valid flag; the reader publishes
 * its position now and then in the feedback.
 *
 * Shows: every message arrives once, in order and whole; no access to a line's data races with
 * another; neither side waits for ever.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define LINES 2
#define COUNT 6

#define THREADS 2
#define ATOMICS (LINES + 1)
#define PLAINS LINES
#define MESSAGES (COUNT + 2)
#include "memory.pml"

#define WRITER 0
#define READER 1
#define FEEDBACK LINES
#define LINE(at) ((at) % LINES)
#define LAP(at) (LACKS(6) -> 1 : (at) / LINES + 1) /* 6: a flag without a number */
#define DATA(at) (100 + (at))

active proctype writer()
{
    LOCALS;
    byte at = 0, limit = LINES, got;
    do
    :: at == COUNT -> break
    :: at < COUNT ->
        if
        :: at < limit || LACKS(5) /* 5: the writer does not look for room */
        :: else ->
            await(WRITER, FEEDBACK, (LACKS(4) -> RELAXED : ACQUIRE), got, (AT(FEEDBACK) + LINES > at));
            limit = got + LINES
        fi;
        if
        :: LACKS(7) -> /* 7: the lap first */
            store(WRITER, LINE(at), LAP(at), RELEASE);
            write(WRITER, LINE(at), DATA(at))
        :: else ->
            write(WRITER, LINE(at), DATA(at));
            store(WRITER, LINE(at), LAP(at), (LACKS(1) -> RELAXED : RELEASE))
        fi;
        at++
    od
}

active proctype reader()
{
    LOCALS;
    byte at = 0, published = 0, got;
    do
    :: at == COUNT -> break
    :: at < COUNT ->
        await(READER, LINE(at), (LACKS(2) -> RELAXED : ACQUIRE), got, (AT(LINE(at)) == LAP(at)));
        if
        :: LACKS(8) -> store(READER, FEEDBACK, at + 1, RELEASE) /* 8: published before the line is read */
        :: else
        fi;
        read(READER, LINE(at), got);
        assert(got == DATA(at));
        at++;
        if
        :: at - published < LINES || LACKS(8) /* later */
        :: !LACKS(8) && !LACKS(9) -> /* 9: never published */
            store(READER, FEEDBACK, at, (LACKS(3) -> RELAXED : RELEASE));
            published = at
        fi
    od
}
