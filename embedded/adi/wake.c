/* The waker's side of a sleep: see wait.c. No locks. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wake.h"

long adi_futex(atomic_uint *word, int operation, uint32_t value, const struct timespec *limit)
{
    return syscall(SYS_futex, word, operation, value, limit, NULL, 0);
}

void adi_wake(struct adi_block *block)
{
    if (!atomic_exchange_explicit(&block->asleep, 0, memory_order_seq_cst))
        return; /* another rank wakes it */
    atomic_store_explicit(&block->rung_at, adi_now(), memory_order_relaxed); /* a hint */
    atomic_fetch_add_explicit(&block->bell, 1, memory_order_seq_cst);
    adi_futex(&block->bell, FUTEX_WAKE, 0x7fffffff, NULL);
}
