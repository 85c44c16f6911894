/*
 * A long message that a receive takes from the unexpected messages, in a receiver with several
 * threads (adi_shm_accept, adi_begin_pushing, adi_shm_prepare, adi_push_part): one thread takes the
 * message, copies its first part and answers (ADI_CTS); another one drains the sender's lines, gets
 * the other part (ADI_CHUNK) and completes the receive. The sender has two threads, too: one waits
 * and copies the next part meanwhile, the other one handles the answer.
 *
 * Lines are those of lines.pml, each a variable of its own here.
 *
 * Shows: both parts have arrived when the receive is complete; no access races with another; nobody
 * waits forever.
 * WITHOUT: the step that is left out, see the uses of LACKS.
 */
#ifndef WITHOUT
#define WITHOUT 0
#endif
#define LACKS(n) (WITHOUT == n)

#define THREADS 4
#define ATOMICS 5
#define PLAINS 5
#define MESSAGES 6
#include "memory.pml"

#define WAITER 0   /* of the sender: adi_shm_prepare */
#define PUSHER 1   /* of the sender: adi_begin_pushing, adi_push_part */
#define TAKER 2    /* of the receiver: adi_shm_accept */
#define DRAINER 3  /* of the receiver: adi_drain */

#define CTS 0
#define CHUNK 1
#define LOCK 2     /* of the sender's adi_out */
#define SENT 3     /* is_complete of the send */
#define RECEIVED 4 /* is_complete of the receive */

#define SEND 0     /* the send: what is sent, and whether a part is prepared */
#define PART 1     /* the part in the ring */
#define RECEIVE 2  /* the receive: bytes that have arrived */
#define FIRST 3    /* the receive's buffer: first part, other part */
#define REST 4

/* The lock. 6: there is none. */
inline take_lock(me)
{
    if
    :: !LACKS(6) ->
        atomic {
            HAS(LOCK, 0);
            exchange(me, LOCK, 1, ACQUIRE, old)
        }
    :: else
    fi
}
inline give_lock(me)
{
    if
    :: !LACKS(6) -> exchange(me, LOCK, 0, RELEASE, old) /* a store; the history has several writers */
    :: else
    fi
}

active proctype waiter()
{
    LOCALS;
    byte got, old;
    take_lock(WAITER);
    read(WAITER, SEND, got);
    if
    :: got == 0 -> /* the answer has not come yet */
        write(WAITER, PART, 7);
        write(WAITER, SEND, 1)
    :: else
    fi;
    give_lock(WAITER);
    await(WAITER, SENT, ACQUIRE, got, (AT(SENT) == 1));
    read(WAITER, SEND, got)
}

active proctype pusher()
{
    LOCALS;
    byte got, old;
    await(PUSHER, CTS, (LACKS(3) -> RELAXED : ACQUIRE), got, (AT(CTS) == 1));
    take_lock(PUSHER);
    read(PUSHER, SEND, got);
    if
    :: got == 0 -> write(PUSHER, PART, 7)
    :: else /* it is prepared */
    fi;
    write(PUSHER, SEND, 2);
    store(PUSHER, CHUNK, 1, (LACKS(4) -> RELAXED : RELEASE));
    store(PUSHER, SENT, 1, RELEASE);
    give_lock(PUSHER)
}

active proctype taker()
{
    LOCALS;
    byte got;
    write(TAKER, RECEIVE, 1);
    if
    :: !LACKS(1) -> write(TAKER, FIRST, 5)
    :: else
    fi;
    store(TAKER, CTS, 1, (LACKS(2) -> RELAXED : RELEASE));
    if
    :: LACKS(1) -> write(TAKER, FIRST, 5) /* 1: the answer before the first part is copied */
    :: else
    fi
}

active proctype drainer()
{
    LOCALS;
    byte got;
    await(DRAINER, CHUNK, (LACKS(5) -> RELAXED : ACQUIRE), got, (AT(CHUNK) == 1));
    read(DRAINER, RECEIVE, got);
    read(DRAINER, PART, got);
    assert(got == 7);
    write(DRAINER, REST, got);
    write(DRAINER, RECEIVE, 2);
    store(DRAINER, RECEIVED, 1, RELEASE);
    /* The thread may be the receive's owner, too. */
    read(DRAINER, FIRST, got);
    assert(got == 5)
}
