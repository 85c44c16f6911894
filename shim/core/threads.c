/*
 * A list of the threads of the Go runtime. The linker leads the calls of pthread_create in runtime/cgo here (--wrap), which
 * makes all threads of the Go runtime.
 *
 * State: the list. A thread enters itself, and leaves it at its end.
 */
#define _GNU_SOURCE
#include "threads.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    THREADS = 64,            /* further ones are left out; the core itself has about five */
    SIGNAL_STACK = 64 << 10, /* bytes of a thread's stack; the Go runtime itself allocates 32 KB */
};

/* The threads' kernel ids, 0: none; and whether they have had a signal. */
static struct {
    atomic_int id, signalled;
} threads[THREADS];
static atomic_int counted; /* those that have had or will have a signal */

struct start {
    void *(*function)(void *);
    void *argument;
};

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument);

/* Enters this thread into the list. Returns its place, or -1 if the list is full. */
static int enter(void)
{
    for (int i = 0; i < THREADS; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&threads[i].id, &none, (int)syscall(SYS_gettid))) {
            atomic_store(&threads[i].signalled, 0); /* a late signal to the thread before */
            return i;
        }
    }
    return -1;
}

/* Makes the lowest part of the thread's stack its signal stack; the Go runtime keeps a signal stack that it finds. It would
   allocate one above the thread's stack otherwise, and callgrind takes a move to a higher address for the return of every
   function that it has recorded, ends the signal's handler in its books, and fails when the handler returns. */
static void place_signal_stack(void)
{
    pthread_attr_t attributes;
    stack_t now, place = {.ss_size = SIGNAL_STACK};
    size_t size;
    if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE)) /* AddressSanitizer's */
        return;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    if (!pthread_attr_getstack(&attributes, &place.ss_sp, &size) && size > 2 * SIGNAL_STACK)
        sigaltstack(&place, NULL);
    pthread_attr_destroy(&attributes);
}

static void *run(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    place_signal_stack();
    int place = enter();
    if (place < 0)
        atomic_fetch_sub(&counted, 1);
    void *result = start.function(start.argument);
    if (place >= 0) {
        if (!atomic_exchange(&threads[place].signalled, 0))
            atomic_fetch_sub(&counted, 1);
        atomic_store(&threads[place].id, 0);
    }
    return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return __real_pthread_create(thread, attributes, function, argument);
    *start = (struct start){function, argument};
    atomic_fetch_add(&counted, 1);
    int error = __real_pthread_create(thread, attributes, run, start);
    if (error) {
        atomic_fetch_sub(&counted, 1);
        free(start);
    }
    return error;
}

int wi4go_core_signal_threads(int signal)
{
    for (int i = 0; i < THREADS; i++) {
        int id = atomic_load(&threads[i].id);
        if (id && !atomic_exchange(&threads[i].signalled, 1))
            syscall(SYS_tgkill, (long)getpid(), (long)id, (long)signal);
    }
    return atomic_load(&counted);
}
