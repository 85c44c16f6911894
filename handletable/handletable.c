/*
 * Tables of 32-bit handles for 64-bit objects. handletable.h describes the states of a slot, the
 * locking and the ownership.
 */
#include "handletable.h"
#include <sched.h>
#include <sys/mman.h>

#ifndef HT_IN_GO /* Go's library is opened late, when there is little room for thread-local storage */
__thread struct ht_magazine ht_request_magazine;
#endif

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))

/* ---- the lock: a plain word, because a forked child must be able to go on ---- */

/* Waits until the lock is free, and takes it. */
static COLD void table_lock_slow(unsigned *l)
{
    for (int spins = 0;; spins++) {
        if (!(__atomic_load_n(l, __ATOMIC_RELAXED) & 1) && !ht_is_locked(l))
            return;
        if (spins > 100)
            sched_yield();
    }
}

/* Takes the lock, and waits for it if another thread holds it. */
static inline void table_lock(unsigned *l)
{
    if (unlikely(ht_is_locked(l)))
        table_lock_slow(l);
}

/* ---- slots ---- */

/* Returns the chunk of an index, or NULL if it is not mapped. */
static inline struct ht_chunk *chunk_of(const struct handletable *t, uint32_t index)
{
    if (likely(index < HT_CHUNK))
        return (struct ht_chunk *)&t->first;
    return __atomic_load_n(&t->chunk[index / HT_CHUNK], __ATOMIC_ACQUIRE);
}

/* Reports whether a handle has the kind bits of the table's dynamic handles. */
static inline int is_dynamic(const struct handletable *t, uint32_t handle)
{
    return (handle & HT_KIND_MASK) == t->kind;
}

/* Returns the handle that the slot of a handle has when it is used again. */
static inline uint32_t next_generation(const struct handletable *t, uint32_t handle)
{
    return ((handle + HT_GENERATION) & ~HT_KIND_MASK) | t->kind;
}

/* Makes slot i of a chunk live. The release store of the handle makes the object visible to
   look-ups, which take no lock. */
static inline void publish(struct ht_chunk *c, size_t i, uint32_t handle, void *object)
{
    __atomic_store_n(&c->object[i], object, __ATOMIC_RELAXED);
    __atomic_store_n(&c->handle[i], handle, __ATOMIC_RELEASE);
}

/* Ends the handle of slot i of a chunk. */
static inline void retire(struct ht_chunk *c, size_t i)
{
    __atomic_store_n(&c->handle[i], 0, __ATOMIC_RELEASE);
}

/* Returns the chunk of a live handle of this table, and writes its slot in the chunk to *i.
   Returns NULL for any other handle. */
static inline struct ht_chunk *slot_of(const struct handletable *t, uint32_t handle, uint32_t *i)
{
    uint32_t index = handle & HT_INDEX_MASK;
    struct ht_chunk *c = chunk_of(t, index);
    *i = index % HT_CHUNK;
    if (!c || !handle || __atomic_load_n(&c->handle[*i], __ATOMIC_RELAXED) != handle)
        return NULL;
    return c;
}

/* ---- free slots; the caller holds the lock ---- */

/* Takes a slot for a new object and returns its handle. It prefers free slots of the first chunk,
   then of the others, then an unused one, for which it maps a chunk if needed. Returns 0 if the
   table is full or memory is exhausted. */
static uint32_t slot_alloc(struct handletable *t)
{
    uint32_t *list = t->free ? &t->free : &t->free_elsewhere, handle = *list, index = t->unused;
    if (handle) {
        *list = chunk_of(t, handle & HT_INDEX_MASK)->next[handle % HT_CHUNK];
        return handle;
    }
    if (index > HT_INDEX_MASK)
        return 0;
    if (index >= HT_CHUNK && !t->chunk[index / HT_CHUNK]) {
        void *p = mmap(NULL, sizeof(struct ht_chunk), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return 0;
        __atomic_store_n(&t->chunk[index / HT_CHUNK], p, __ATOMIC_RELEASE);
    }
    t->unused++;
    return t->kind | index;
}

/* Gives a slot back. handle is the handle that it will have next. */
static void slot_free(struct handletable *t, uint32_t handle)
{
    uint32_t index = handle & HT_INDEX_MASK;
    uint32_t *list = index < HT_CHUNK ? &t->free : &t->free_elsewhere;
    chunk_of(t, index)->next[index % HT_CHUNK] = *list;
    *list = handle;
}

/* ---- set-up ---- */

void ht_init(struct handletable *t, uint32_t kind, uint32_t first_dynamic)
{
    t->kind = kind;
    t->first_dynamic = t->unused = first_dynamic;
    t->first.further[0] = HT_PERMANENT;
}

/* Returns the index of the object's slot, or 0 if it has none. The caller holds the lock. */
static inline uint32_t bucket_find(const struct handletable *t, const void *object, uint32_t bucket)
{
    uint32_t index = t->bucket[bucket];
    while (index && chunk_of(t, index)->object[index % HT_CHUNK] != object)
        index = chunk_of(t, index)->next[index % HT_CHUNK];
    return index;
}

/* Puts a slot at the head of a bucket. The caller holds the lock. */
static void link_slot(struct handletable *t, uint32_t index, uint32_t bucket)
{
    chunk_of(t, index)->next[index % HT_CHUNK] = t->bucket[bucket];
    HT_STORE(&t->bucket[bucket], index); /* ht_known takes no lock */
}

/* A predefined handle that cannot have the slot at its index is in `fixed`. If its object has no
   handle yet, a dynamic slot holds it as well, so that ht_find finds it. Index 0 is in both the
   first slot and `fixed`, because 0 ends the list of a bucket. */
int ht_predefine(struct handletable *t, uint32_t handle, void *object)
{
    uint32_t index = handle & HT_INDEX_MASK;
    int result = 0;
    table_lock(&t->lock);
    int fits = index < t->first_dynamic && index < HT_CHUNK && !t->first.handle[index];
    int back = object && !bucket_find(t, object, ht_bucket(object));
    if (fits)
        publish(&t->first, index, handle, object);
    if (!fits || !index) {
        if (t->n_fixed == HT_FIXED || (back && t->unused >= HT_CHUNK)) {
            result = -1;
            back = 0;
        } else {
            t->fixed[t->n_fixed].handle = handle;
            t->fixed[t->n_fixed].object = object;
            __atomic_store_n(&t->n_fixed, t->n_fixed + 1, __ATOMIC_RELEASE);
            index = back ? t->unused++ : 0;
            if (back)
                publish(&t->first, index, handle, object);
        }
    }
    if (back) {
        t->first.further[index] = HT_PERMANENT;
        link_slot(t, index, ht_bucket(object));
    }
    ht_unlock(&t->lock);
    return result;
}

/* ---- look-up ---- */

void *ht_lookup_slow(const struct handletable *t, uint32_t handle)
{
    uint32_t index = handle & HT_INDEX_MASK;
    if (index >= HT_CHUNK) {
        struct ht_chunk *c = chunk_of(t, index);
        uint32_t i = index % HT_CHUNK;
        if (c && __atomic_load_n(&c->handle[i], __ATOMIC_ACQUIRE) == handle)
            return __atomic_load_n(&c->object[i], __ATOMIC_RELAXED);
    }
    uint32_t n = __atomic_load_n(&t->n_fixed, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++)
        if (t->fixed[i].handle == handle)
            return t->fixed[i].object;
    return NULL;
}

uint32_t ht_find(struct handletable *t, void *object)
{
    table_lock(&t->lock);
    uint32_t index = bucket_find(t, object, ht_bucket(object));
    uint32_t handle = index ? chunk_of(t, index)->handle[index % HT_CHUNK] : 0;
    ht_unlock(&t->lock);
    return handle;
}

/* ---- objects with references ---- */

/* Returns the object's handle, with one more reference if referenced is 1. An object without a
   handle gets one, and *fresh becomes 1. Returns 0 if that fails. The reference count saturates
   below HT_BORROWED. The caller holds the lock. */
static COLD uint32_t find_or_insert(struct handletable *t, void *object, int referenced, int *fresh)
{
    uint32_t bucket = ht_bucket(object);
    uint32_t index = bucket_find(t, object, bucket);
    if (index) {
        uint32_t *further = &chunk_of(t, index)->further[index % HT_CHUNK];
        if (referenced && *further == HT_BORROWED)
            *further = 0;
        else if (referenced && *further < HT_BORROWED - 1)
            ++*further;
        return chunk_of(t, index)->handle[index % HT_CHUNK];
    }
    uint32_t handle = slot_alloc(t);
    if (!handle)
        return 0;
    index = handle & HT_INDEX_MASK;
    chunk_of(t, index)->further[index % HT_CHUNK] = referenced ? 0 : HT_BORROWED;
    link_slot(t, index, bucket);
    publish(chunk_of(t, index), index % HT_CHUNK, handle, object);
    *fresh = 1;
    return handle;
}

/* Does the work of ht_insert with the lock held, and releases it. */
static COLD uint32_t insert_locked(struct handletable *t, void *object)
{
    int fresh;
    uint32_t handle = find_or_insert(t, object, 1, &fresh);
    ht_unlock(&t->lock);
    return handle;
}

/* Does the work of ht_insert if another thread holds the lock. */
static COLD uint32_t insert_waiting(struct handletable *t, void *object)
{
    table_lock_slow(&t->lock);
    return insert_locked(t, object);
}

/* Two common cases are written out here: an object whose bucket is empty, with a free slot in the
   first chunk, and an object that is the first of its bucket there and has a reference. HT_INSERT
   (ht_x86_64.h) takes the same steps for the first one. */
uint32_t ht_insert(struct handletable *t, void *object)
{
    uint32_t bucket = ht_bucket(object);
    if (unlikely(ht_is_locked(&t->lock)))
        return insert_waiting(t, object);
    uint32_t handle = t->free, head = t->bucket[bucket];
    if (unlikely(!handle || head)) {
        if (head >= HT_CHUNK || !head || t->first.object[head] != object || t->first.further[head] >= HT_BORROWED - 1)
            return insert_locked(t, object);
        t->first.further[head]++;
        handle = t->first.handle[head];
        ht_unlock(&t->lock);
        return handle;
    }
    ht_begin(t, bucket, handle, object);
    ht_unlock(&t->lock);
    return handle;
}

uint32_t ht_borrow(struct handletable *t, void *object, int *transient)
{
    *transient = 0;
    table_lock(&t->lock);
    uint32_t handle = find_or_insert(t, object, 0, transient);
    ht_unlock(&t->lock);
    return handle;
}

/* Removes slot i of a chunk from its bucket and frees it. The caller holds the lock. */
static void slot_end(struct handletable *t, struct ht_chunk *c, uint32_t i, uint32_t handle)
{
    uint32_t *p = &t->bucket[ht_bucket(c->object[i])];
    while (*p != (handle & HT_INDEX_MASK))
        p = &chunk_of(t, *p)->next[*p % HT_CHUNK];
    HT_STORE(p, c->next[i]);
    c->further[i] = 0;
    retire(c, i);
    slot_free(t, next_generation(t, handle));
}

/* Does the work of ht_release with the lock held, and releases it. */
static COLD void release_locked(struct handletable *t, uint32_t handle)
{
    uint32_t i;
    struct ht_chunk *c = is_dynamic(t, handle) ? slot_of(t, handle, &i) : NULL;
    if (c && c->further[i] && c->further[i] < HT_BORROWED)
        c->further[i]--;
    else if (c && c->further[i] != HT_PERMANENT)
        slot_end(t, c, i, handle);
    ht_unlock(&t->lock);
}

/* Does the work of ht_release if another thread holds the lock. */
static COLD void release_waiting(struct handletable *t, uint32_t handle)
{
    table_lock_slow(&t->lock);
    release_locked(t, handle);
}

/* The common case is written out here: the last reference to the first object of a bucket, in the
   first chunk. HT_RELEASE (ht_x86_64.h) takes the same steps. */
void ht_release(struct handletable *t, uint32_t handle)
{
    size_t i = handle % HT_CHUNK;
    if (unlikely(ht_is_locked(&t->lock)))
        return release_waiting(t, handle);
    uint32_t *bucket = &t->bucket[ht_bucket(t->first.object[i])];
    if (unlikely(t->first.handle[i] != handle || t->first.further[i] || *bucket != i))
        return release_locked(t, handle);
    HT_STORE(bucket, t->first.next[i]);
    retire(&t->first, i);
    t->first.next[i] = t->free;
    t->free = next_generation(t, handle);
    ht_unlock(&t->lock);
}

void ht_drop(struct handletable *t, uint32_t handle)
{
    uint32_t i;
    table_lock(&t->lock);
    struct ht_chunk *c = is_dynamic(t, handle) ? slot_of(t, handle, &i) : NULL;
    if (c && c->further[i] == HT_BORROWED)
        slot_end(t, c, i, handle);
    ht_unlock(&t->lock);
}

/* ---- objects without references ---- */

/* Fills half of an empty magazine with slots of the table, or fewer if there are no more. */
static COLD void refill(struct handletable *t, struct ht_magazine *m)
{
    table_lock(&t->lock);
    m->table = t;
    while (m->n < HT_MAGAZINE / 2) {
        uint32_t handle = slot_alloc(t);
        if (!handle)
            break;
        m->handle[m->n++] = handle;
    }
    ht_unlock(&t->lock);
}

/* Returns slots of a magazine to the table, except so many to keep. */
static COLD void spill(struct handletable *t, struct ht_magazine *m, uint32_t keep)
{
    table_lock(&t->lock);
    while (m->n > keep)
        slot_free(t, m->handle[--m->n]);
    ht_unlock(&t->lock);
}

uint32_t ht_insert_unshared(struct handletable *t, struct ht_magazine *m, void *object)
{
    if (unlikely(!m->n)) {
        refill(t, m);
        if (!m->n)
            return 0;
    }
    uint32_t handle = m->handle[--m->n], index = handle & HT_INDEX_MASK;
    publish(chunk_of(t, index), index % HT_CHUNK, handle, object);
    return handle;
}

void ht_release_unshared(struct handletable *t, struct ht_magazine *m, uint32_t handle)
{
    uint32_t i;
    struct ht_chunk *c = is_dynamic(t, handle) ? slot_of(t, handle, &i) : NULL;
    if (!c)
        return;
    retire(c, i);
    m->table = t;
    if (unlikely(m->n == HT_MAGAZINE))
        spill(t, m, HT_MAGAZINE / 2);
    m->handle[m->n++] = next_generation(t, handle);
}

void ht_replace(struct handletable *t, uint32_t handle, void *object)
{
    uint32_t i;
    struct ht_chunk *c = slot_of(t, handle, &i);
    if (c)
        __atomic_store_n(&c->object[i], object, __ATOMIC_RELAXED);
}

void ht_flush(struct ht_magazine *m)
{
    if (m->table && m->n)
        spill(m->table, m, 0);
}

/* ---- diagnostics ---- */

uint32_t ht_list(struct handletable *t, uint32_t *handles, uint32_t room)
{
    uint32_t n = 0;
    table_lock(&t->lock);
    for (uint32_t index = t->first_dynamic; index < t->unused; index++) {
        struct ht_chunk *c = chunk_of(t, index);
        uint32_t i = index % HT_CHUNK, handle = __atomic_load_n(&c->handle[i], __ATOMIC_RELAXED);
        if (!handle || c->further[i] == HT_PERMANENT || c->further[i] == HT_BORROWED)
            continue;
        if (n < room)
            handles[n] = handle;
        n++;
    }
    ht_unlock(&t->lock);
    return n;
}

uint32_t ht_live(struct handletable *t)
{
    uint32_t live = 0;
    table_lock(&t->lock);
    for (uint32_t index = t->first_dynamic; index < t->unused; index++) {
        struct ht_chunk *c = chunk_of(t, index);
        uint32_t i = index % HT_CHUNK;
        live += __atomic_load_n(&c->handle[i], __ATOMIC_RELAXED) && c->further[i] != HT_PERMANENT;
    }
    ht_unlock(&t->lock);
    return live;
}
