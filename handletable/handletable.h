/*
 * handletable: 32-bit handles for 64-bit objects.
 *
 * A table gives each object of one kind (communicators, datatypes, …) a 32-bit handle in MPICH's
 * bit layout: six kind bits, four generation bits and 22 index bits. A released slot is used
 * again with the next generation, so a stale handle is not found. Nothing here depends on MPI:
 * an object is an address, and a kind is a number.
 *
 * A slot is in one of these states:
 *
 *   unused      its index was never handed out
 *   free        its `handle` is 0. It is in one of the two lists of free slots, or in a thread's
 *               magazine, which hold the handle that the slot will have next
 *   referenced  its `handle` is valid, and `further` counts the references beyond the first
 *   borrowed    its `handle` is valid without a reference (HT_BORROWED), for one callback
 *   permanent   its `handle` is predefined and never ends (HT_PERMANENT)
 *
 * ht_insert turns a free slot into a referenced one, or adds a reference; ht_borrow turns a free
 * slot into a borrowed one. The release of the last reference, and ht_drop of a borrowed slot,
 * make it free. Slots of unshared objects (requests) have no references and are not found by
 * address.
 *
 * Locking: each table has a lock, which creation and release hold for a few instructions. Look-ups
 * take no lock and allocate nothing: a slot's object is written before its handle is published,
 * and chunks never move. A slot in a magazine belongs to one thread, so its use needs no lock.
 *
 * Ownership: the table does not own objects. Its chunks are mapped when needed and stay.
 *
 * Gives: struct handletable and its functions, ht_init to ht_live.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_HANDLETABLE_H
#define WI4GO_HANDLETABLE_H
#include "ht_layout.h"
#include <stddef.h>
#include <stdint.h>

#define HT_CHUNKS 64u            /* chunks of a table, which have 4,194,304 slots together */
#define HT_INDEX_BITS 22
#define HT_INDEX_MASK ((1u << HT_INDEX_BITS) - 1)
#define HT_GENERATION_BITS 4
#define HT_BUCKETS 65536u
#define HT_FIXED 8               /* the most predefined handles that are not found by their index */
#define HT_MAGAZINE 64u          /* the most slots in a magazine */

/* HT_CHUNK slots, as parallel arrays. */
struct ht_chunk {
    void *object[HT_CHUNK];      /* valid while the slot's handle is not 0 */
    uint32_t handle[HT_CHUNK];   /* 0: free */
    uint32_t next[HT_CHUNK];     /* in a bucket, the index of the next slot; in a list of free slots, the
                                    next handle of the next free slot, or 0 */
    uint32_t further[HT_CHUNK];  /* references beyond the first; 0 while free; or one of the two below */
};
#define HT_BORROWED 0xfffffffeu  /* no reference at all */
#define HT_PERMANENT 0xffffffffu /* never ends, because it is predefined */

struct handletable {
    struct ht_chunk first;              /* the first chunk, for fast look-ups */
    struct ht_chunk *chunk[HT_CHUNKS];  /* the others, or NULL until mapped; [0] is not used */
    uint32_t bucket[HT_BUCKETS];        /* the index of the first slot of each bucket (ht_bucket), or 0 */
    struct { uint32_t handle; void *object; } fixed[HT_FIXED]; /* predefined handles that have no slot at their index */
    uint32_t n_fixed;                   /* the number of entries in `fixed` */
    uint32_t first_dynamic;             /* the lowest index of dynamic handles */
    uint32_t unused;                    /* the lowest index that was never handed out */
    uint32_t kind;                      /* the kind bits of dynamic handles */
    uint32_t free;                      /* the next handle of the first free slot in the first chunk, or 0 */
    uint32_t free_elsewhere;                  /* the same for all other chunks */
    unsigned lock;                      /* odd: a thread holds the lock; each release adds 1 */
};
/* Checks that a member has the offset that ht_layout.h defines. */
#define HT_AT(member, number) _Static_assert(offsetof(struct handletable, member) == number, "ht_layout.h")
HT_AT(first.object, HT_OBJECTS); HT_AT(first.handle, HT_HANDLES); HT_AT(first.next, HT_NEXT); HT_AT(first.further, HT_FURTHER);
HT_AT(bucket, HT_HEADS); HT_AT(kind, HT_KIND); HT_AT(free, HT_FREE); HT_AT(lock, HT_LOCK);
_Static_assert(sizeof(struct handletable) == HT_SIZE && HT_GENERATION == 1 << HT_INDEX_BITS &&
               HT_KIND_MASK == ~0u << (HT_INDEX_BITS + HT_GENERATION_BITS), "ht_layout.h");

/* A thread's own reserve of free slots of one table. A magazine of zeros is valid and empty. */
struct ht_magazine {
    struct handletable *table;    /* the table of the slots, or NULL before the first use */
    uint32_t n;                   /* the number of slots */
    uint32_t handle[HT_MAGAZINE]; /* the next handle of each slot */
};

/* The magazine for the one table of a process that uses magazines. */
extern __thread struct ht_magazine ht_request_magazine __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Initializes a table of zeros. kind has the kind bits of dynamic handles, and its low 26 bits
   are 0. first_dynamic is the lowest index of dynamic slots, at least 1. */
void ht_init(struct handletable *t, uint32_t kind, uint32_t first_dynamic);

/* Enters a predefined handle, which is never released. If several handles have one object,
   ht_find returns the first one entered. Returns 0, or -1 if there is no place for the handle.
   At most HT_FIXED handles may have the index of another one, index 0, or an index of
   first_dynamic or more. */
int ht_predefine(struct handletable *t, uint32_t handle, void *object);

/* Takes a reference to an object and returns its handle, which is a new one if it has none.
   Returns 0 if the table is full or memory is exhausted. */
uint32_t ht_insert(struct handletable *t, void *object);

/* Returns the object's handle without taking a reference, or 0 if it has none. */
uint32_t ht_find(struct handletable *t, void *object);

/* Returns the object's handle without taking a reference. An object without a handle gets a
   borrowed one, and *transient is then 1; otherwise it is 0. Returns 0 if the table is full or
   memory is exhausted. */
uint32_t ht_borrow(struct handletable *t, void *object, int *transient);
/* Ends a borrowed handle, unless a reference was taken since. */
void ht_drop(struct handletable *t, uint32_t handle);

/* Gives a reference back. With the last one the handle ends. A handle that is not live, or is
   predefined, is ignored. */
void ht_release(struct handletable *t, uint32_t handle);

/* Returns a new handle of an unshared object: it is never looked up by address, has no reference
   count, and may have several handles (requests). The slot comes from the calling thread's
   magazine. Returns 0 if the table is full or memory is exhausted. */
uint32_t ht_insert_unshared(struct handletable *t, struct ht_magazine *m, void *object);
/* Ends a handle of an unshared object. The slot goes to the calling thread's magazine. */
void ht_release_unshared(struct handletable *t, struct ht_magazine *m, uint32_t handle);
/* Replaces the object of a live handle. */
void ht_replace(struct handletable *t, uint32_t handle, void *object);
/* Returns a magazine's slots to its table, when the thread exits. */
void ht_flush(struct ht_magazine *m);

/* Returns the number of dynamic handles in use, for diagnostics. It reads every slot. */
uint32_t ht_live(struct handletable *t);
/* Returns the number of handles with a reference, and writes the first ones to handles, which has
   room for so many. */
uint32_t ht_list(struct handletable *t, uint32_t *handles, uint32_t room);

/* Load and store a variable atomically. On x86-64 every aligned access is atomic and ordered. A plain one is
   used there, because the compiler does not fold an atomic builtin into another instruction. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define HT_LOAD(place, order) (*(place))
#define HT_STORE(place, value) (*(place) = (value))
#else
#define HT_LOAD(place, order) __atomic_load_n(place, order)
#define HT_STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
#endif

/* Returns a number that changes with each creation and each end of a handle. It is odd while a thread
   holds the table's lock. */
static inline uint32_t ht_changes(const struct handletable *t) { return HT_LOAD(&t->lock, __ATOMIC_ACQUIRE); }

/* Does the work of ht_lookup for a handle that the first chunk does not have. */
void *ht_lookup_slow(const struct handletable *t, uint32_t handle);

/* Reports whether the first chunk of the table at address t has the handle. The fast paths check
   that first. With the address computed like this, it is one compare with memory. */
static inline int ht_hit(const void *t, uint32_t handle)
{
    const uint32_t *place = (const uint32_t *)((const char *)t + offsetof(struct handletable, first.handle) + (size_t)(uint16_t)handle * 4);
    return __builtin_expect(HT_LOAD(place, __ATOMIC_ACQUIRE) == handle, 1);
}

/* Returns the object of a handle for which ht_hit is true. */
static inline void *ht_at(const void *t, uint32_t handle)
{
    void *const *place = (void *const *)((const char *)t + offsetof(struct handletable, first.object) + (size_t)(uint16_t)handle * 8);
    return HT_LOAD(place, __ATOMIC_RELAXED);
}

/* Returns the bucket of an object, an index in `bucket`. */
static inline uint32_t ht_bucket(const void *object)
{
    return (uint32_t)(uintptr_t)object * HT_HASH >> 16;
}

/* Returns the handle of an object that is the first of its bucket, without the lock, or 0. The
   object must be alive during the call. */
static inline uint32_t ht_known(const struct handletable *t, const void *object)
{
    uint32_t index = HT_LOAD(&t->bucket[ht_bucket(object)], __ATOMIC_ACQUIRE);
    if (__builtin_expect(index < HT_CHUNK && HT_LOAD(&t->first.object[index], __ATOMIC_RELAXED) == object, 1))
        return HT_LOAD(&t->first.handle[index], __ATOMIC_ACQUIRE);
    return 0;
}

/* Tries to take the lock. Returns 0 if it has, or 1 if another thread holds it. As the condition
   of an if, this is one instruction and a branch on x86-64. */
static inline int ht_is_locked(unsigned *l)
{
    return (int)(__atomic_fetch_or(l, 1, __ATOMIC_ACQUIRE) & 1);
}

/* Releases the lock by making the number even, and counts. On x86-64 that is one instruction. Other
   threads only set the bit that is set. */
static inline void ht_unlock(unsigned *l)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__ volatile("incl %0" : "+m"(*l) : : "memory", "cc");
#else
    __atomic_store_n(l, __atomic_load_n(l, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
#endif
}

/* Makes a free slot of the first chunk, whose next handle is `handle`, the handle of an object with
   an empty bucket. The caller holds the lock. */
static inline void ht_begin(struct handletable *t, uint32_t bucket, uint32_t handle, void *object)
{
    const uint32_t i = handle % HT_CHUNK;
    t->free = t->first.next[i];
    t->first.next[i] = 0;
    HT_STORE(&t->bucket[bucket], i);
    __atomic_store_n(&t->first.object[i], object, __ATOMIC_RELAXED);
    __atomic_store_n(&t->first.handle[i], handle, __ATOMIC_RELEASE); /* look-ups take no lock */
}

/* Does the work of ht_insert for an object that has no handle, if that is simple, else returns 0. */
static inline uint32_t ht_insert_new(struct handletable *t, void *object)
{
    const uint32_t bucket = ht_bucket(object);
    if (__builtin_expect(ht_is_locked(&t->lock), 0))
        return 0;
    uint32_t handle = t->free;
    if (__builtin_expect(!handle || t->bucket[bucket], 0))
        handle = 0;
    else
        ht_begin(t, bucket, handle, object);
    ht_unlock(&t->lock);
    return handle;
}

/* Takes one more reference to an object with a handle that ht_known returned. Returns 1, or 0 if
   another thread holds the lock or has ended the handle, or if the object has no reference. */
static inline int ht_refer(struct handletable *t, uint32_t handle, const void *object)
{
    const size_t i = handle % HT_CHUNK;
    if (__builtin_expect(ht_is_locked(&t->lock), 0))
        return 0;
    const int counts = t->first.handle[i] == handle && t->first.object[i] == object && t->first.further[i] < HT_BORROWED - 1;
    if (__builtin_expect(counts, 1))
        t->first.further[i]++;
    ht_unlock(&t->lock);
    return counts;
}

/* Returns the object of a handle, or NULL if the handle is not live in this table. */
static inline void *ht_lookup(const struct handletable *t, uint32_t handle)
{
    return ht_hit(t, handle) ? ht_at(t, handle) : ht_lookup_slow(t, handle);
}
#endif
