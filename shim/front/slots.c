/*
 * The tables of slots: the function that each call of the program leads to, before and
 * after its first call, and the layers over a slot. The base of the front: load.c fills the
 * tables, emulation and Fortran change them or follow changes, and this file calls none of
 * them but by a hook.
 */
#include "front.h"
#include "own.h"
#include "thunk.h"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int64_t wi4go_chunk = INT_MAX;
const char *wi4go_runtime_path;
void *wi4go_runtime_library;
int wi4go_program_is_draft;
const struct wi4go_pair *wi4go_pair;

static void **unseen; /* the entries of functions whose first call has yet to be checked; NULL: checked */
static int filled;
static void (*rebound)(void);
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;

void wi4go_slots_begin(void)
{
    unseen = calloc(wi4go_family.n_functions, sizeof *unseen);
    if (!unseen)
        wi4go_die("out of memory at the first MPI call");
}

void wi4go_fill(unsigned slot, void *function)
{
    if (wi4go_family.foreign_header && wi4go_slots[slot].handles)
        unseen[slot] = function;
    else
        __atomic_store_n(wi4go_place(slot), function, __ATOMIC_RELEASE);
}

void wi4go_slots_filled(void)
{
    __atomic_store_n(&filled, 1, __ATOMIC_SEQ_CST);
    wi4go_rebound();
}

void wi4go_slots_in_child(void) { pthread_mutex_init(&publishing, NULL); }

void *wi4go_entry(unsigned slot)
{
    void *const entry = __atomic_load_n(&unseen[slot], __ATOMIC_ACQUIRE);
    return entry ? entry : __atomic_load_n(wi4go_place(slot), __ATOMIC_ACQUIRE);
}

void wi4go_set_entry(unsigned slot, void *function)
{
    pthread_mutex_lock(&publishing);
    __atomic_store_n(unseen[slot] ? &unseen[slot] : wi4go_place(slot), function, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&publishing);
}

void *wi4go_publish(unsigned slot)
{
    /* A handler of a signal may have interrupted the thread that holds the lock. */
    if (pthread_mutex_trylock(&publishing))
        return wi4go_entry(slot);
    if (unseen[slot]) {
        __atomic_store_n(wi4go_place(slot), unseen[slot], __ATOMIC_RELEASE);
        __atomic_store_n(&unseen[slot], NULL, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&publishing);
    return *wi4go_place(slot);
}

void wi4go_route_all(void)
{
    pthread_mutex_lock(&publishing);
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        if (wi4go_route(i))
            wi4go_die("out of memory for the thunks around MPI calls");
    pthread_mutex_unlock(&publishing);
    wi4go_rebound();
}

/* Calls that are under way in other threads keep to what they have begun with: none of
   their requests has a record yet. */
void wi4go_put_over(const struct wi4go_layer *rows)
{
    for (; rows->function; rows++) {
        void *const below = wi4go_entry(rows->slot);
        if (below == wi4go_missing_entries[rows->slot] || below == wi4go_slots[rows->slot].emulation)
            continue;
        wi4go_below[rows->link] = below;
        wi4go_set_entry(rows->slot, rows->function);
    }
    wi4go_rebound();
}

void wi4go_on_rebind(void (*hook)(void))
{
    __atomic_store_n(&rebound, hook, __ATOMIC_SEQ_CST);
    wi4go_rebound();
}

void wi4go_rebound(void)
{
    void (*const hook)(void) = __atomic_load_n(&rebound, __ATOMIC_SEQ_CST);
    if (hook && __atomic_load_n(&filled, __ATOMIC_SEQ_CST))
        hook();
}

/* The fast paths take instructions that the first x86-64 processors lack. */
int wi4go_fast_paths_run(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return 1;
#endif
}

/* From the chooser: the runtime has no such function. arguments: the first
   twelve integer arguments. Returns the error code. */
__attribute__((used)) int wi4go_missing(unsigned slot, const long *arguments);
int wi4go_missing(unsigned slot, const long *arguments)
{
    static unsigned char said[4096];
    const struct wi4go_slot *f = &wi4go_slots[slot];
    if (strncmp(f->name, "MPI_", 4) && strncmp(f->name, "MPIX_", 5))
        wi4go_die(OWN_FUNCTION_CALLED, f->name, wi4go_family.title);
    if (slot < sizeof said && !__atomic_exchange_n(&said[slot], 1, __ATOMIC_RELAXED))
        wi4go_say("%s: not in the MPI library that this program runs on (%s): the call fails with "
                  "MPI_ERR_UNSUPPORTED_OPERATION; `wi4go inspect --to` lists such functions before a run",
                  f->name, wi4go_runtime_path);
    return wi4go_pair->raise((enum wi4go_object)f->object, arguments[f->argument], wi4go_pair->unsupported);
}
