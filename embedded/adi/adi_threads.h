/*
 * Locks of the abstract device. There is no global lock: each structure declares its own lock
 * with these macros. With ADI_LOCKS=0 they are empty, and the library serves one thread of a
 * rank at a time. Otherwise a lock is taken only if the rank has several threads (`on`).
 *
 * The lock is a word of its own instead of a pthread_mutex_t, because pthread_mutex_lock ends
 * the process if the futex call is denied. Locks are held for tens of nanoseconds, or for one
 * copy of a message part.
 *
 * Gives: MPID_THREAD_DS_LOCK_DECLARE, MPID_THREAD_DS_LOCK_INIT, MPID_THREAD_DS_INIT, MPID_THREAD_DS_LOCK,
 * MPID_THREAD_DS_TRYLOCK, MPID_THREAD_DS_UNLOCK, MPID_THREAD_DS_LOCK_FREE, MPID_THREAD_DS_FREE.
 * Needs: nothing.
 */
#ifndef WI4GO_ADI_THREADS_H
#define WI4GO_ADI_THREADS_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef ADI_LOCKS
#define ADI_LOCKS 1
#endif

#if ADI_LOCKS

typedef atomic_int adi_lock;

/* Takes the lock if it is free, and reports whether it was. Acquire: what the previous holder has
 * written is visible. */
static inline bool adi_lock_try(adi_lock *lock)
{
    return !atomic_load_explicit(lock, memory_order_relaxed) && !atomic_exchange_explicit(lock, 1, memory_order_acquire);
}

static inline void adi_lock_take(adi_lock *lock)
{
    for (int tries = 0; !adi_lock_try(lock); tries++)
        if (tries > 100)
            sched_yield(); /* the holder may wait for this core */
}

#define MPID_THREAD_DS_LOCK_DECLARE adi_lock lock;
#define MPID_THREAD_DS_LOCK_INIT(ds) atomic_init(&(ds)->lock, 0);
#define MPID_THREAD_DS_LOCK_FREE(ds) ((void)(ds));
#define ADI_LOCK(ds, on) ((on) ? adi_lock_take(&(ds)->lock) : (void)0)
#define ADI_TRYLOCK(ds, on) (!(on) || adi_lock_try(&(ds)->lock))
/* Release: the next holder sees what this one has written. */
#define ADI_UNLOCK(ds, on) ((on) ? atomic_store_explicit(&(ds)->lock, 0, memory_order_release) : (void)0)

#else

#define MPID_THREAD_DS_LOCK_DECLARE
#define MPID_THREAD_DS_LOCK_INIT(ds) ((void)(ds));
#define MPID_THREAD_DS_LOCK_FREE(ds) ((void)(ds));
#define ADI_LOCK(ds, on) ((void)(ds), (void)(on))
#define ADI_TRYLOCK(ds, on) ((void)(ds), (void)(on), true)
#define ADI_UNLOCK(ds, on) ((void)(ds), (void)(on))

#endif

/* The forms with one argument are those of the paper: they always lock, and end with their semicolon. */
#define ADI_LOCK_FORM(ds, on, name, ...) name
#define ADI_LOCK_ALWAYS(ds) ADI_LOCK(ds, true);
#define ADI_UNLOCK_ALWAYS(ds) ADI_UNLOCK(ds, true);
#define ADI_TRYLOCK_ALWAYS(ds) ADI_TRYLOCK(ds, true)
#define MPID_THREAD_DS_LOCK(...) ADI_LOCK_FORM(__VA_ARGS__, ADI_LOCK, ADI_LOCK_ALWAYS, )(__VA_ARGS__)
#define MPID_THREAD_DS_UNLOCK(...) ADI_LOCK_FORM(__VA_ARGS__, ADI_UNLOCK, ADI_UNLOCK_ALWAYS, )(__VA_ARGS__)
#define MPID_THREAD_DS_TRYLOCK(...) ADI_LOCK_FORM(__VA_ARGS__, ADI_TRYLOCK, ADI_TRYLOCK_ALWAYS, )(__VA_ARGS__)
/* The names of the paper's example. */
#define MPID_THREAD_DS_INIT(ds) MPID_THREAD_DS_LOCK_INIT(ds)
#define MPID_THREAD_DS_FREE(ds) MPID_THREAD_DS_LOCK_FREE(ds)

#endif
