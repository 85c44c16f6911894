/*
 * handletable: 32-bit handles for 64-bit objects.
 *
 * A table gives each object of one kind (communicators, datatypes, …) a 32-bit
 * handle in MPICH's bit layout: six kind bits, four generation bits, 22 index
 * bits. Look-ups neither lock nor allocate; creating and releasing take the
 * table's lock for a few instructions. Chunks never move, a released slot is
 * used again with the next generation, so a stale handle is not found.
 *
 * It knows nothing of MPI: an object is an address, a kind is a number.
 *
 * Gives: struct handletable and what is done with one, ht_init to ht_live.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_HANDLETABLE_H
#define WI4GO_HANDLETABLE_H
#include "ht_layout.h"
#include <stddef.h>
#include <stdint.h>

#define HT_CHUNKS 64u            /* chunks a table: 4,194,304 slots */
#define HT_INDEX_BITS 22
#define HT_INDEX_MASK ((1u << HT_INDEX_BITS) - 1)
#define HT_GENERATION_BITS 4
#define HT_BUCKETS 65536u
#define HT_FIXED 8               /* predefined handles that are not found by their index */
#define HT_MAGAZINE 64u

struct ht_chunk {
    void *object[HT_CHUNK];      /* means something while handle is not 0 */
    uint32_t handle[HT_CHUNK];   /* 0: free */
    uint32_t next[HT_CHUNK];     /* in a bucket the index of the next slot; in a list of free slots the
                                    next free slot's coming handle; 0: none */
    uint32_t further[HT_CHUNK];  /* references beyond the first, 0 while free; or one of the two below */
};
#define HT_BORROWED 0xfffffffeu  /* no reference at all */
#define HT_PERMANENT 0xffffffffu /* never ends: predefined */

struct handletable {
    struct ht_chunk first;
    struct ht_chunk *chunk[HT_CHUNKS];  /* [0] unused: it is `first` */
    uint32_t bucket[HT_BUCKETS];        /* index of a slot by the object's address, 0: none */
    struct { uint32_t handle; void *object; } fixed[HT_FIXED];
    uint32_t n_fixed;
    uint32_t first_dynamic;
    uint32_t unused;                    /* the first index never handed out */
    uint32_t kind;                      /* the kind bits of dynamic handles */
    uint32_t free;                      /* the coming handle of a free slot of the first chunk, 0: none */
    uint32_t free_far;                  /* the same for the other chunks */
    int lock;
};
#define HT_AT(member, number) _Static_assert(offsetof(struct handletable, member) == number, "ht_layout.h")
HT_AT(first.object, HT_OBJECTS); HT_AT(first.handle, HT_HANDLES); HT_AT(first.next, HT_NEXT); HT_AT(first.further, HT_FURTHER);
HT_AT(bucket, HT_HEADS); HT_AT(kind, HT_KIND); HT_AT(free, HT_FREE); HT_AT(lock, HT_LOCK);
_Static_assert(sizeof(struct handletable) == HT_SIZE && HT_GENERATION == 1 << HT_INDEX_BITS &&
               HT_KIND_MASK == ~0u << (HT_INDEX_BITS + HT_GENERATION_BITS), "ht_layout.h");

/* A thread's own reserve of free slots of one table: their coming handles.
   Zero is a valid one. */
struct ht_magazine {
    struct handletable *table;
    uint32_t n;
    uint32_t handle[HT_MAGAZINE];
};

/* For the one table of a process that wants a magazine. */
extern __thread struct ht_magazine ht_request_magazine __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Makes a zeroed table ready. kind: the bits of dynamic handles, the low 26
   clear; first_dynamic: the lowest index for dynamic slots, at least 1. */
void ht_init(struct handletable *t, uint32_t kind, uint32_t first_dynamic);

/* Enters a predefined handle, which is never released. Several handles may
   name one object: the first one entered is what ht_find gives back.
   Returns 0, or -1 when more than HT_FIXED have the index of another, index 0
   or one from first_dynamic upward. */
int ht_predefine(struct handletable *t, uint32_t handle, void *object);

/* A handle for one more reference to object: the one that it has, or a new
   one. 0 when the table is full or memory is exhausted. */
uint32_t ht_insert(struct handletable *t, void *object);

/* The object's handle without taking a reference; 0 when it has none. */
uint32_t ht_find(struct handletable *t, void *object);

/* Like ht_find, but an object without a handle gets one with no references,
   and *transient is set; ht_drop ends it unless a reference was taken. */
uint32_t ht_borrow(struct handletable *t, void *object, int *transient);
void ht_drop(struct handletable *t, uint32_t handle);

/* Gives one reference back; with the last one the handle ends. */
void ht_release(struct handletable *t, uint32_t handle);

/* The same for objects that are never looked up by address and may share one
   (requests): no reference count, slots through the thread's magazine. */
uint32_t ht_insert_unshared(struct handletable *t, struct ht_magazine *m, void *object);
void ht_release_unshared(struct handletable *t, struct ht_magazine *m, uint32_t handle);
/* Replaces the object behind a live handle. */
void ht_replace(struct handletable *t, uint32_t handle, void *object);
/* Gives a magazine's slots back to its table: at thread exit. */
void ht_flush(struct ht_magazine *m);

/* Counts the dynamic handles in use: for diagnostics, it looks at every slot. */
uint32_t ht_live(struct handletable *t);
/* Counts those with a reference, and gives the first of them, as many as there is
   room for. */
uint32_t ht_list(struct handletable *t, uint32_t *handles, uint32_t room);

/* An aligned load is atomic and ordered on x86-64 as it stands, and the compiler
   folds it into a compare only if it is no builtin; elsewhere it is one. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define HT_LOAD(place, order) (*(place))
#else
#define HT_LOAD(place, order) __atomic_load_n(place, order)
#endif

void *ht_lookup_slow(const struct handletable *t, uint32_t handle);

/* Whether the first chunk of the table at address t has the handle, and then its
   object: what a fast path asks before it goes on. Plain addressing, so that it
   is one compare with memory and one load. */
static inline int ht_hit(const void *t, uint32_t handle)
{
    const uint32_t *place = (const uint32_t *)((const char *)t + offsetof(struct handletable, first.handle) + (size_t)(uint16_t)handle * 4);
    return __builtin_expect(HT_LOAD(place, __ATOMIC_ACQUIRE) == handle, 1);
}

static inline void *ht_at(const void *t, uint32_t handle)
{
    void *const *place = (void *const *)((const char *)t + offsetof(struct handletable, first.object) + (size_t)(uint16_t)handle * 8);
    return HT_LOAD(place, __ATOMIC_RELAXED);
}

/* Where a table's buckets have an object. */
static inline uint32_t ht_bucket(const void *object)
{
    return (uint32_t)(uintptr_t)object * HT_HASH >> 16;
}

/* The handle of an object that is the first of its bucket, 0 otherwise: a try
   without the lock, for objects that the caller knows to be alive. */
static inline uint32_t ht_known(const struct handletable *t, const void *object)
{
    uint32_t index = HT_LOAD(&t->bucket[ht_bucket(object)], __ATOMIC_ACQUIRE);
    if (__builtin_expect(index < HT_CHUNK && HT_LOAD(&t->first.object[index], __ATOMIC_RELAXED) == object, 1))
        return HT_LOAD(&t->first.handle[index], __ATOMIC_ACQUIRE);
    return 0;
}

/* The object behind a handle, NULL for one that is not of this table. */
static inline void *ht_lookup(const struct handletable *t, uint32_t handle)
{
    return ht_hit(t, handle) ? ht_at(t, handle) : ht_lookup_slow(t, handle);
}
#endif
