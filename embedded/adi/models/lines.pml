/*
 * The ring of lines of an ordered pair of ranks (adi_put_lines, adi_publish, adi_drain,
 * adi_publish_feedback, adi_lines_are_free): one writer, one reader. A message has a header line and
 * perhaps further lines. The lap in the header is the valid flag of all of them; further lines have
 * their laps too. The reader writes to a line that it has read (adi_give_line), and publishes its
 * position at any time.
 *
 * Shows: every message arrives once, in order and whole; no access to a line's data races with
 * another; neither side waits forever.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define LINES 4
#define MOST 2 /* lines of a message */
#define END 7 /* the last message begins before this position */

#define THREADS 2
#define ATOMICS (LINES + 1)
#define PLAINS LINES
#define MESSAGES (END + 2)
#include "memory.pml"

#define WRITER 0
#define READER 1
#define FEEDBACK LINES
#define LINE(at) ((at) % LINES)
#define LAP(at) (LACKS(6) -> 1 : (at) / LINES + 1) /* 6: a flag without a number */
/* Data of a line: its position, and in a header the number of lines. */
#define DATA(at, lines) ((at) * 4 + (lines))

active proctype writer()
{
    LOCALS;
    byte at = 0, limit = LINES, got, lines, n;
    do
    :: at >= END -> break
    :: at < END ->
        select(lines : 1 .. MOST);
        if
        :: at + lines <= limit || LACKS(5) /* 5: the writer does not check for room */
        :: else ->
            await(WRITER, FEEDBACK, (LACKS(4) -> RELAXED : ACQUIRE), got, (AT(FEEDBACK) + LINES >= at + lines));
            limit = got + LINES
        fi;
        if
        :: LACKS(7) -> store(WRITER, LINE(at), LAP(at), RELEASE) /* 7: the lap first */
        :: else
        fi;
        n = 1;
        do
        :: n == lines -> break
        :: n < lines ->
            write(WRITER, LINE(at + n), DATA(at + n, 0));
            if
            :: !LACKS(10) -> store(WRITER, LINE(at + n), LAP(at + n), RELAXED)
            :: else /* 10: further lines have no laps. They need none. */
            fi;
            n++
        od;
        write(WRITER, LINE(at), DATA(at, lines));
        if
        :: !LACKS(7) -> store(WRITER, LINE(at), LAP(at), (LACKS(1) -> RELAXED : RELEASE))
        :: else
        fi;
        at = at + lines; n = 0
    od
}

active proctype reader()
{
    LOCALS;
    byte at = 0, published = 0, got, lines, n;
    do
    :: at >= END -> break
    :: at < END && HAS(LINE(at), LAP(at)) ->
        await(READER, LINE(at), (LACKS(2) -> RELAXED : ACQUIRE), got, (AT(LINE(at)) == LAP(at)));
        if
        :: LACKS(8) -> store(READER, FEEDBACK, at + 1, RELEASE) /* 8: published before the line is read */
        :: else
        fi;
        read(READER, LINE(at), got);
        assert(got / 4 == at);
        lines = got % 4;
        n = 1;
        do
        :: n == lines -> break
        :: n < lines ->
            read(READER, LINE(at + n), got);
            assert(got == DATA(at + n, 0));
            n++
        od;
        write(READER, LINE(at), 0);
        at = at + lines; n = 0; lines = 0
    :: at != published && !LACKS(8) && !LACKS(9) -> /* 9: never published */
        store(READER, FEEDBACK, at, (LACKS(3) -> RELAXED : RELEASE));
        published = at
    od
}
