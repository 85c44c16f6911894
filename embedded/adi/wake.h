/*
 * The waker's side of a sleep (wake.c): see wait.c for the protocol.
 *
 * Gives: adi_wake, adi_futex, adi_full_fence, adi_sleeps.
 * Needs: segment.h, state.h.
 */
#ifndef WI4GO_WAKE_H
#define WI4GO_WAKE_H

#include <time.h>

#include "segment.h"
#include "state.h"

/* Wakes a rank that sleeps. */
void adi_wake(struct adi_block *block);
long adi_futex(atomic_uint *word, int operation, uint32_t value, const struct timespec *limit);

/* Orders all accesses before it against all accesses after it. */
static inline void adi_full_fence(void)
{
#pragma GCC diagnostic push
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wtsan" /* ThreadSanitizer does not need it: it runs threads in steps */
#endif
    atomic_thread_fence(memory_order_seq_cst);
#pragma GCC diagnostic pop
}

/* Reports whether a rank sleeps, after something has been stored for it. See wait.c for the order of
 * the two accesses: without `fence` the sleeper's membarrier supplies it. */
static inline bool adi_sleeps(const struct adi_state *st, struct adi_block *block)
{
    if (adi_unlikely(st->fence))
        adi_full_fence();
    else
        atomic_signal_fence(memory_order_seq_cst); /* keeps the compiler's order */
    return atomic_load_explicit(&block->asleep, memory_order_relaxed);
}

#endif
