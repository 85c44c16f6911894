/*
 * Two direct messages of a pair, of two pieces each (direct.c). The sender has both requests from the
 * beginning, as nonblocking sends; the receiver takes one message after the other.
 *
 * Lines are those of lines.pml: TO_SENDER is the number of the answers, which the sender handles in their
 * order (1: ADI_CTS, 2: ADI_READ of the first message, 3 and 4: of the second one); WRITTEN is the last message
 * for which the sender has written ADI_WRITTEN. A value of PIECES is the number of the message, and how many pieces are taken
 * from the back (by the sender) and from the front (by the receiver).
 *
 * Shows: all pieces have arrived when a receive is complete; each is copied once; the sender may use its memory
 * again when the send is complete; nobody waits forever.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define THREADS 2
#define ATOMICS 3
#define PLAINS 8
#define MESSAGES 12
#include "memory.pml"

#define SENDER 0
#define RECEIVER 1

#define PIECES 0
#define TO_SENDER 1
#define WRITTEN 2

#define COUNT 2 /* messages, and pieces of each */
#define VALUE(m) ((m) * 16)
#define BACK(value) ((value) / 4 % 4)
#define FRONT(value) ((value) % 4)
#define STEP(me) (me == SENDER -> 4 : 1)
#define NEXT(me, value) (me == SENDER -> COUNT - 1 - BACK(value) : FRONT(value))
#define PLACE(m, n) (((m) - 1) * COUNT + (n))
#define FROM(m, n) PLACE(m, n)       /* a piece in the sender's memory, which is 0; 9 when the memory is used again */
#define INTO(m, n) (4 + PLACE(m, n)) /* in the receiver's memory; 1 when it is copied */

/* Takes a piece of message m; piece is COUNT if none is left. 1: of any message. 2: in two steps. */
inline take_piece(me, m, piece)
{
    load(me, PIECES, RELAXED, got);
    do
    :: BACK(got) + FRONT(got) >= COUNT || (!LACKS(1) && got / 16 != m) -> piece = COUNT; break
    :: else ->
        if
        :: LACKS(2) -> store(me, PIECES, got + STEP(me), RELAXED); piece = NEXT(me, got); break
        :: else ->
            piece = COUNT;
            atomic {
                if
                :: HAS(PIECES, got) -> piece = NEXT(me, got); exchange(me, PIECES, got + STEP(me), RELAXED, old)
                :: else
                fi
            }
            if
            :: piece < COUNT -> break
            :: else -> load(me, PIECES, RELAXED, got)
            fi
        fi
    od;
    got = 0; old = 0
}

inline copy_piece(me, m, piece)
{
    read(me, FROM(m, piece), got);
    assert(got == 0);
    write(me, INTO(m, piece), 1)
}

active proctype receiver()
{
    LOCALS;
    byte got, old, m = 1, piece, taken;
    do
    :: m > COUNT -> break
    :: else ->
        taken = 0;
        store(RECEIVER, PIECES, VALUE(m), RELAXED);
        store(RECEIVER, TO_SENDER, 2 * m - 1, RELEASE);
        do
        :: take_piece(RECEIVER, m, piece);
            if
            :: piece == COUNT -> break
            :: else -> copy_piece(RECEIVER, m, piece); taken++
            fi
        od;
        if
        :: taken < COUNT && !LACKS(3) -> await(RECEIVER, WRITTEN, (LACKS(4) -> RELAXED : ACQUIRE), got, (AT(WRITTEN) == m))
        :: else
        fi;
        for (piece : 0 .. COUNT - 1) {
            read(RECEIVER, INTO(m, piece), got);
            assert(got == 1)
        }
        store(RECEIVER, TO_SENDER, 2 * m, (LACKS(5) -> RELAXED : RELEASE));
        m++
    od
}

active proctype sender()
{
    LOCALS;
    byte got, old, handled, m, piece, taken;
    do
    :: handled == 2 * COUNT -> break
    :: handled < 2 * COUNT -> /* the next line */
        await(SENDER, TO_SENDER, (LACKS(6) -> RELAXED : ACQUIRE), got, (AT(TO_SENDER) > handled || m > 0));
        if
        :: got > handled ->
            handled++;
            if
            :: handled % 2 == 1 -> m = handled / 2 + 1; taken = 0
            :: else ->
                m = 0;
                for (piece : 0 .. COUNT - 1) {
                    write(SENDER, FROM(handled / 2, piece), 9)
                }
            fi
        :: else
        fi
    :: m > 0 -> /* the next piece */
        take_piece(SENDER, m, piece);
        if
        :: piece < COUNT -> copy_piece(SENDER, m, piece); taken++
        :: else ->
            if
            :: taken > 0 -> store(SENDER, WRITTEN, m, (LACKS(7) -> RELAXED : RELEASE))
            :: else
            fi;
            m = 0
        fi
    od
}
