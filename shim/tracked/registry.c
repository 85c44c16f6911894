/* The registry of tracked requests: see registry.h. Places are in chunks that are never freed or
   moved, so that wi4go_tracked_find reads them without a lock. The lock orders entering and
   leaving; a thread holds it for a few instructions. A place is free, in use, then free again at the end of the queue. */
#include "registry.h"
#include <sched.h>
#include <stdlib.h>

#define CHUNK 1024u
/* The number of free places that must exist before one is used again. The place that has been
   free longest comes first. So a stale handle is not issued again before USES * MIN_FREE_PLACES
   others were. */
#define MIN_FREE_PLACES CHUNK
#define PLACE_MASK (WI4GO_TRACKED_PLACES - 1)
/* The position in a handle of its place's use count, which is taken modulo USES. */
#define USE_SHIFT (TRACKED_MASK >> 32 ? 32 : 20)
#define USES (TRACKED_MASK >> 32 ? 1u << 24 : 1u << 6)

/* An entry of the registry. */
struct place {
    void *record;  /* NULL: the place is free */
    uint32_t use : 24, kind : 8; /* how often the place was used, modulo USES; an enum wi4go_tracked_kind */
    uint32_t next; /* the place that was freed after this one */
};
static struct place *chunks[WI4GO_TRACKED_PLACES / CHUNK];
static uint32_t n_places = 1;                  /* place 0 is never used: its handle is MPI_REQUEST_NULL */
static uint32_t first_free, last_free, n_free; /* the queue of free places, and its length */
static int lock; /* 1: a thread holds it. A plain word, because a forked child must be able to go on */

/* Waits until the lock is free, and takes it. */
static __attribute__((cold, noinline)) void take_slow(void)
{
    for (int spins = 0; __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE); spins++)
        if (spins > 100)
            sched_yield();
}

static inline void take(void)
{
    if (unlikely(__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)))
        take_slow();
}

static inline void give(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static struct place *place_at(uint32_t i) { return &chunks[i / CHUNK][i % CHUNK]; }

/* Returns the handle of a place as a program sees it: 32-bit handles are sign-extended. */
static int64_t make_handle(uint32_t i, uint32_t use)
{
    const uint64_t a = TRACKED_FIRST | (uint64_t)use << USE_SHIFT | i;
    return TRACKED_MASK >> 32 ? (int64_t)a : (int32_t)a;
}

int64_t wi4go_tracked_enter(enum wi4go_tracked_kind kind, void *record)
{
    take();
    uint32_t i = first_free;
    if (n_free >= MIN_FREE_PLACES || (n_free && n_places >= WI4GO_TRACKED_PLACES)) {
        first_free = place_at(i)->next;
        n_free--;
    } else {
        i = n_places;
        if (i >= WI4GO_TRACKED_PLACES)
            wi4go_die("more than %u live requests of emulated operations, or with converted arguments: the program must complete or free them", PLACE_MASK);
        struct place **chunk = &chunks[i / CHUNK];
        if (!*chunk && !(*chunk = calloc(CHUNK, sizeof **chunk)))
            wi4go_die("out of memory for a request");
        __atomic_store_n(&n_places, i + 1, __ATOMIC_RELEASE);
    }
    struct place *p = place_at(i);
    p->use = (p->use + 1) % USES;
    p->kind = kind;
    const int64_t handle = make_handle(i, p->use);
    __atomic_store_n(&p->record, record, __ATOMIC_RELEASE);
    give();
    return handle;
}

void *wi4go_tracked_find(enum wi4go_tracked_kind kind, int64_t handle)
{
    const uint32_t i = wi4go_tracked_place(handle);
    if (!wi4go_is_tracked(handle) || i >= __atomic_load_n(&n_places, __ATOMIC_ACQUIRE))
        return NULL;
    struct place *p = place_at(i);
    void *record = __atomic_load_n(&p->record, __ATOMIC_ACQUIRE);
    return record && p->kind == kind && make_handle(i, p->use) == handle ? record : NULL;
}

void wi4go_tracked_leave(int64_t handle)
{
    const uint32_t i = wi4go_tracked_place(handle);
    take();
    struct place *p = place_at(i);
    __atomic_store_n(&p->record, NULL, __ATOMIC_RELEASE);
    if (n_free++)
        place_at(last_free)->next = i;
    else
        first_free = i;
    last_free = i;
    give();
}

uint32_t wi4go_tracked_place(int64_t handle) { return (uint32_t)handle & PLACE_MASK; }

int64_t wi4go_tracked_handle(enum wi4go_tracked_kind kind, uint32_t i)
{
    if (!i || i >= __atomic_load_n(&n_places, __ATOMIC_ACQUIRE))
        return 0;
    const struct place *p = place_at(i);
    return __atomic_load_n(&p->record, __ATOMIC_ACQUIRE) && p->kind == kind ? make_handle(i, p->use) : 0;
}
