/* A waiting MPICH rank polls without yielding the CPU. With more ranks than cores this is 50 to 150 times slower. This
   library, preloaded into the ranks, yields the CPU after 20 unsuccessful polls of UCX, and sleeps after 1000 such polls in
   a row, because a rank that waits for a launcher, a disk or a rank without a core would otherwise take the CPU from them
   again and again. It uses nothing of MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { YIELD_EVERY = 20, SLEEP_AFTER = 1000 }; /* polls */
static const struct timespec nap = {0, 50000}; /* 50 us */

typedef unsigned progress(void *worker);

/* Returns UCX's own function, as the library that calls it would find it. That library may have been opened in its own
   scope, which RTLD_NEXT does not search. */
static progress *next(void *caller)
{
    Dl_info info;
    void *library = dladdr(caller, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *found = library ? dlsym(library, "ucp_worker_progress") : dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (!found)
        abort();
    return (progress *)found;
}

unsigned ucp_worker_progress(void *worker)
{
    static progress *real;
    static __thread int idle;
    if (!real)
        real = next(__builtin_return_address(0));
    unsigned events = real(worker);
    if (events) {
        idle = 0;
    } else if (++idle == SLEEP_AFTER) {
        idle -= YIELD_EVERY;
        nanosleep(&nap, NULL);
    } else if (idle % YIELD_EVERY == 0) {
        sched_yield();
    }
    return events;
}
