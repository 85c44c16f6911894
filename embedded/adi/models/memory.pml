/*
 * The memory of the models: C11 atomics as a machine of views (release and acquire, relaxed and
 * sequentially consistent accesses, fences; RC11 without load buffering). It is weaker than the
 * memory of x86-64. Unlike that of arm64, it executes the accesses of a thread in their order; but
 * a load may return any value that the thread does not know to be overwritten.
 *
 * An atomic variable has a history: all values that it has had. A view is a position in the history
 * of each variable. A thread reads at its view or later, and its view moves there. A release store
 * keeps the view of the thread with the value; an acquire load joins that view to the thread's.
 * `order` is the view of sequential consistency: a fence joins it with the thread's view, both
 * ways; a sequentially consistent access does so for its variable.
 *
 * A store takes the last place in the history. This is exact for a variable with one writer, and
 * for several if all but one only exchange or add.
 *
 * A plain variable must not be raced for. Its reads and writes are counted, and the counts are a
 * part of the views: a thread that reads must know all writes; a thread that writes must know all
 * reads and writes.
 *
 * Needs: THREADS, ATOMICS, PLAINS (numbers), MESSAGES (longest history). Each proctype begins with
 * LOCALS. Gives: load, await, store, exchange, add, set_bits, fence, membarrier, read, write.
 */
#define RELAXED 0
#define ACQUIRE 1
#define RELEASE 1
#define SEQ_CST 2

#define WRITES(p) (ATOMICS + (p))
#define READS(p) (ATOMICS + PLAINS + (p))
#define ENTRIES (ATOMICS + 2 * PLAINS)

typedef view { byte at[ENTRIES] }
typedef message { byte value; view seen }
typedef history { byte last; message sent[MESSAGES] } /* sent[0]: the initial zero */

history memory[ATOMICS];
view current[THREADS];
view order;
byte plain[PLAINS], writes[PLAINS], reads[PLAINS];

#define LOCALS byte i, k
/* The newest value, which no thread need see. */
#define NEWEST(l) memory[l].sent[memory[l].last].value
/* Whether a value is the newest. */
#define HAS(l, what) (NEWEST(l) == what)
/* In a condition of await: the value that it may load. */
#define AT(l) memory[l].sent[i].value

inline join(to, from)
{
    for (k : 0 .. ENTRIES - 1) {
        if
        :: from.at[k] > to.at[k] -> to.at[k] = from.at[k]
        :: else
        fi
    }
    k = 0
}

/* Reads place i of a history. */
inline take(me, l, how, result)
{
    current[me].at[l] = i;
    result = memory[l].sent[i].value;
    if
    :: how != RELAXED -> join(current[me], memory[l].sent[i].seen)
    :: else
    fi;
    if
    :: how == SEQ_CST && order.at[l] < i -> order.at[l] = i
    :: else
    fi;
    i = 0
}

inline first(me, l, how)
{
    i = current[me].at[l];
    if
    :: how == SEQ_CST && order.at[l] > i -> i = order.at[l]
    :: else
    fi
}

inline load(me, l, how, result)
{
    atomic {
        first(me, l, how);
        do
        :: i < memory[l].last -> i++
        :: break
        od;
        d_step { take(me, l, how, result) }
    }
}

/* Loads until the condition holds: every store is seen in the end. */
inline await(me, l, how, result, condition)
{
    atomic {
        first(me, l, how);
        do
        :: i < memory[l].last -> i++
        :: condition -> break
        od;
        d_step { take(me, l, how, result) }
    }
}

inline append(me, l, new, how)
{
    memory[l].last++;
    assert(memory[l].last < MESSAGES);
    i = memory[l].last;
    current[me].at[l] = i;
    memory[l].sent[i].value = new;
    if
    :: how != RELAXED -> join(memory[l].sent[i].seen, current[me])
    :: else -> memory[l].sent[i].seen.at[l] = i
    fi;
    if
    :: how == SEQ_CST -> order.at[l] = i
    :: else
    fi;
    i = 0
}

inline store(me, l, new, how)
{
    d_step { append(me, l, new, how) }
}

/* Read and write at once; the value continues the release sequence of its predecessor. old is
 * assigned before new is evaluated. */
inline modify(me, l, new, how, old)
{
    i = memory[l].last;
    take(me, l, how, old);
    append(me, l, new, how);
    i = memory[l].last;
    join(memory[l].sent[i].seen, memory[l].sent[i - 1].seen);
    i = 0
}
inline exchange(me, l, new, how, old)
{
    d_step { modify(me, l, new, how, old) }
}
inline add(me, l, n, how, old)
{
    d_step { modify(me, l, old + n, how, old) }
}
inline set_bits(me, l, bits, how, old)
{
    d_step { modify(me, l, (old | bits), how, old) }
}

inline fence(me)
{
    d_step { join(current[me], order); join(order, current[me]) }
}

/* Fences in every registered thread, one after the other, between two of the caller's own. */
#ifndef IS_REGISTERED
#define IS_REGISTERED(thread) true
#endif
inline membarrier(me)
{
    fence(me);
    other = 0;
    do
    :: other < THREADS ->
        if
        :: IS_REGISTERED(other) -> fence(other)
        :: else
        fi;
        other++
    :: else -> break
    od;
    other = 0;
    fence(me)
}

inline read(me, p, result)
{
    d_step {
        assert(current[me].at[WRITES(p)] == writes[p]); /* no race with a write */
        result = plain[p];
        reads[p]++;
        current[me].at[READS(p)] = reads[p]
    }
}
inline write(me, p, new)
{
    d_step {
        assert(current[me].at[WRITES(p)] == writes[p]);
        assert(current[me].at[READS(p)] == reads[p]); /* no race with a read */
        plain[p] = new;
        writes[p]++;
        current[me].at[WRITES(p)] = writes[p]
    }
}
