/*
 * The tables of slots: the function that each call of the program leads to, before and after its
 * first call, and the layers over a slot. This file is the base of the front: load.c fills the
 * tables, emulation and Fortran change them or follow changes, and this file calls none of these
 * except through a hook. The mutex `publishing` orders changes; calls read the tables without a
 * lock.
 */
#include "front.h"
#include "own.h"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int64_t wi4go_max_count = INT_MAX;
const char *wi4go_runtime_path;
void *wi4go_runtime_library;
int wi4go_program_is_draft;
const struct wi4go_pair *wi4go_pair;

static unsigned char *unchecked; /* by slot: 1 while the first call has yet to be checked */
static void **routes;         /* by slot: the entry placed by wi4go_route, or NULL. The array is NULL until the first route */
static int filled;            /* 1 once load.c has filled the slots */
static void (*rebind_hook)(void); /* the hook of wi4go_on_rebind, or NULL */
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;

/* Returns the entry on top of a slot, or NULL. */
static void *route_of(unsigned slot)
{
    void **const r = __atomic_load_n(&routes, __ATOMIC_ACQUIRE);
    return r ? __atomic_load_n(&r[slot], __ATOMIC_ACQUIRE) : NULL;
}

/* Returns the function that a checked call of the program goes to. */
static void *called_function(unsigned slot)
{
    void *const route = route_of(slot);
    return route ? route : wi4go_entry(slot);
}

/* Publishes a slot's function to the program, unless its first call has yet to be checked. */
static void publish_slot(unsigned slot)
{
    if (!unchecked[slot])
        __atomic_store_n(&wi4go_A[slot], called_function(slot), __ATOMIC_RELEASE);
}

void wi4go_slots_init(void)
{
    unchecked = malloc(wi4go_family.n_functions);
    if (!unchecked)
        wi4go_die("out of memory at the first MPI call");
    memset(unchecked, 1, wi4go_family.n_functions);
}

void wi4go_slot_fill(unsigned slot, void *function)
{
    __atomic_store_n(&wi4go_inner[slot], function, __ATOMIC_RELEASE);
    unchecked[slot] = wi4go_family.foreign_header && wi4go_slots[slot].handles;
    publish_slot(slot);
}

void wi4go_slots_ready(void)
{
    __atomic_store_n(&filled, 1, __ATOMIC_SEQ_CST);
    wi4go_notify_rebind();
}

void wi4go_slots_after_fork(void) { pthread_mutex_init(&publishing, NULL); }

void *wi4go_entry(unsigned slot) { return __atomic_load_n(&wi4go_inner[slot], __ATOMIC_ACQUIRE); }

void wi4go_set_entry(unsigned slot, void *function)
{
    pthread_mutex_lock(&publishing);
    __atomic_store_n(&wi4go_inner[slot], function, __ATOMIC_RELEASE);
    publish_slot(slot);
    pthread_mutex_unlock(&publishing);
}

void *wi4go_slot_publish(unsigned slot)
{
    /* Use trylock: a signal handler may interrupt the thread that holds the lock. */
    if (pthread_mutex_trylock(&publishing))
        return called_function(slot);
    unchecked[slot] = 0;
    publish_slot(slot);
    pthread_mutex_unlock(&publishing);
    return wi4go_A[slot];
}

void wi4go_route(unsigned slot, void *entry)
{
    pthread_mutex_lock(&publishing);
    if (!routes) {
        void **const made = calloc(wi4go_family.n_functions, sizeof *made);
        if (!made)
            wi4go_die("out of memory to observe calls");
        __atomic_store_n(&routes, made, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&routes[slot], entry, __ATOMIC_RELEASE);
    publish_slot(slot);
    pthread_mutex_unlock(&publishing);
}

void wi4go_unroute(unsigned slot) { wi4go_route(slot, NULL); }

int wi4go_is_routed(unsigned slot) { return route_of(slot) != NULL; }

/* Calls already running in other threads finish through the old entry. This is safe because none
   of their requests is tracked yet. */
void wi4go_layer_install(const struct wi4go_layer *rows)
{
    for (; rows->function; rows++) {
        void *const below = wi4go_entry(rows->slot);
        /* Only functions of the library need a layer. */
        if (below == rows->function || below == wi4go_missing_entries[rows->slot] || below == wi4go_slots[rows->slot].emulation)
            continue;
        wi4go_below[rows->link] = below;
        wi4go_set_entry(rows->slot, rows->function);
    }
    wi4go_notify_rebind();
}

void wi4go_layer_remove(const struct wi4go_layer *rows)
{
    for (; rows->function; rows++)
        if (wi4go_entry(rows->slot) == rows->function)
            wi4go_set_entry(rows->slot, wi4go_below[rows->link]);
    wi4go_notify_rebind();
}

void wi4go_on_rebind(void (*hook)(void))
{
    __atomic_store_n(&rebind_hook, hook, __ATOMIC_SEQ_CST);
    wi4go_notify_rebind();
}

void wi4go_notify_rebind(void)
{
    void (*const hook)(void) = __atomic_load_n(&rebind_hook, __ATOMIC_SEQ_CST);
    if (hook && __atomic_load_n(&filled, __ATOMIC_SEQ_CST))
        hook();
}

/* Returns false on the first x86-64 processors, which lack SSE4.1. */
int wi4go_fast_paths_run(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return 1;
#endif
}

/* Returns the words of a message that name an installed library with the function, or the command that
   installs one. The command wi4go finds them, so they cost nothing before a function is missing. */
static const char *instead_of(const char *function)
{
    static char answer[PATH_MAX];
    const char *const words[] = {"instead", function, wi4go_runtime_path, NULL};
    if (wi4go_run_command(words, answer, sizeof answer) || !*answer)
        return "`wi4go list` shows the installed ones";
    answer[strcspn(answer, "\n")] = 0;
    return answer;
}

/* Called by the chooser if the runtime lacks the function of a slot. arguments holds the first
   twelve integer arguments. Reports the function once, and returns the error code. Ends the
   process for a function that is not MPI's. */
__attribute__((used)) int wi4go_missing(unsigned slot, const long *arguments);
int wi4go_missing(unsigned slot, const long *arguments)
{
    static unsigned char said[4096];
    const struct wi4go_slot *f = &wi4go_slots[slot];
    if (strncmp(f->name, "MPI_", 4) && strncmp(f->name, "MPIX_", 5))
        wi4go_die(OWN_FUNCTION_CALLED, f->name, wi4go_family.title);
    if (slot < sizeof said && !__atomic_exchange_n(&said[slot], 1, __ATOMIC_RELAXED))
        wi4go_print("%s: not in the MPI library that this program runs on (%s): the call fails with "
                    "MPI_ERR_UNSUPPORTED_OPERATION; use another MPI: %s",
                    f->name, wi4go_runtime_path, instead_of(f->name));
    return wi4go_pair->raise((enum wi4go_object)f->object, arguments[f->argument], wi4go_pair->unsupported);
}
