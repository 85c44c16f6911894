/* The table of the heap, and its lock. State: struct adi_heap in the segment; a rank keeps nothing. */
#include "heap.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "adi.h"

_Static_assert(sizeof(struct adi_object) == 2 * ADI_LINE, "an object's entry is two cache lines");

/* ---- the lock ---- */

/* Most bytes of optional objects: a 64th of the host's memory, at most 256 MB. */
static uint64_t most_of_optional(uint64_t heap_bytes)
{
    static const uint64_t most = 256ull << 20, part = 64;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / part : most;
    memory = memory < most ? memory : most;
    return memory < heap_bytes ? memory : heap_bytes;
}

/* Makes the whole heap one free range. */
static void begin_heap(struct adi_heap *heap, uint64_t bytes)
{
    long page = sysconf(_SC_PAGESIZE);
    heap->unit = page > 0 ? (uint32_t)page : 4096;
    heap->optional_most = most_of_optional(bytes);
    heap->spare = heap->unused = ADI_NO_OBJECT;
    heap->free = 0;
    heap->objects[0].state = ADI_FREE;
    heap->objects[0].bytes = bytes / heap->unit * heap->unit;
    heap->objects[0].before = heap->objects[0].after = heap->objects[0].next = heap->objects[0].back = ADI_NO_OBJECT;
    heap->entries = 1;
}

/* Takes the lock. Returns false if the job is over, because a killed rank may hold it. The lock is held for some memory
 * accesses, or while the first rank reserves the object of all. */
bool adi_heap_lock(struct adi_segment *segment, int rank)
{
    struct adi_heap *heap = adi_heap_of(segment);
    for (int tries = 0;; tries++) {
        int nobody = 0;
        /* Acquire: what the holder before has written is visible. */
        if (!atomic_load_explicit(&heap->lock, memory_order_relaxed) &&
            atomic_compare_exchange_weak_explicit(&heap->lock, &nobody, rank + 1, memory_order_acquire, memory_order_relaxed))
            break;
        if (tries < 100) {
            MPID_Relax();
            continue;
        }
        if (atomic_load_explicit(&segment->over, memory_order_relaxed))
            return false;
        sched_yield(); /* the holder may wait for this core */
    }
    if (!heap->entries)
        begin_heap(heap, segment->heap_bytes);
    return true;
}

void adi_heap_unlock(struct adi_heap *heap) { atomic_store_explicit(&heap->lock, 0, memory_order_release); }

/* ---- lists ---- */

static void add_to_list(struct adi_heap *heap, int32_t *list, int number)
{
    struct adi_object *object = &heap->objects[number];
    object->back = ADI_NO_OBJECT;
    object->next = *list;
    if (*list >= 0)
        heap->objects[*list].back = number;
    *list = number;
}

static void take_from_list(struct adi_heap *heap, int32_t *list, int number)
{
    struct adi_object *object = &heap->objects[number];
    if (object->next >= 0)
        heap->objects[object->next].back = object->back;
    if (object->back >= 0)
        heap->objects[object->back].next = object->next;
    else
        *list = object->next;
}

/* ---- ranges ---- */

/* Returns an entry of the table without a range, or ADI_NO_OBJECT. */
static int new_entry(struct adi_heap *heap)
{
    int number = heap->unused;
    if (number >= 0)
        take_from_list(heap, &heap->unused, number);
    else
        number = heap->entries < ADI_OBJECTS ? heap->entries++ : ADI_NO_OBJECT;
    return number;
}

/* Cuts a free range after some bytes; the rest becomes a free range of its own. Returns false if the table is full. */
static bool split_range(struct adi_heap *heap, int number, uint64_t bytes)
{
    struct adi_object *range = &heap->objects[number];
    if (range->bytes == bytes)
        return true;
    int other = new_entry(heap);
    if (other < 0)
        return false;
    struct adi_object *rest = &heap->objects[other];
    rest->at = range->at + bytes;
    rest->bytes = range->bytes - bytes;
    rest->before = number;
    rest->after = range->after;
    if (rest->after >= 0)
        heap->objects[rest->after].before = other;
    range->after = other;
    range->bytes = bytes;
    rest->state = ADI_FREE;
    add_to_list(heap, &heap->free, other);
    return true;
}

/* Joins a free range with the one after it, if that is free, too. */
static void join_ranges(struct adi_heap *heap, int number)
{
    if (number < 0 || heap->objects[number].state != ADI_FREE)
        return;
    struct adi_object *range = &heap->objects[number];
    int other = range->after;
    if (other < 0 || heap->objects[other].state != ADI_FREE)
        return;
    take_from_list(heap, &heap->free, other);
    range->bytes += heap->objects[other].bytes;
    range->after = heap->objects[other].after;
    if (range->after >= 0)
        heap->objects[range->after].before = number;
    heap->objects[other].state = ADI_UNUSED;
    add_to_list(heap, &heap->unused, other);
}

/* Returns a free range of at least some bytes, cut to them, or ADI_NO_OBJECT. It is in no list then. */
static int take_free(struct adi_heap *heap, uint64_t bytes)
{
    for (int i = heap->free; i >= 0; i = heap->objects[i].next)
        if (heap->objects[i].bytes >= bytes) {
            if (!split_range(heap, i, bytes))
                return ADI_NO_OBJECT;
            take_from_list(heap, &heap->free, i);
            return i;
        }
    return ADI_NO_OBJECT;
}

/* ---- objects ---- */

/* Takes the spare object to which a link of their list points out of it. */
static int take_spare(struct adi_heap *heap, int32_t *link)
{
    int number = *link;
    *link = heap->objects[number].next;
    heap->spares--;
    heap->spare_bytes -= heap->objects[number].bytes;
    return number;
}

/* Returns a spare object for which the same number of bytes was asked, and which is in no list then, or ADI_NO_OBJECT. */
static int find_spare(struct adi_heap *heap, uint64_t asked)
{
    for (int32_t *link = &heap->spare; *link >= 0; link = &heap->objects[*link].next)
        if (heap->objects[*link].asked == asked)
            return take_spare(heap, link);
    return ADI_NO_OBJECT;
}

static void add_optional(struct adi_heap *heap, const struct adi_object *object, bool used)
{
    uint64_t before = atomic_load_explicit(&heap->optional, memory_order_relaxed);
    if (object->optional)
        atomic_store_explicit(&heap->optional, used ? before + object->bytes : before - object->bytes, memory_order_relaxed);
}

/* Prefers a spare object that was asked for with the same number of bytes: the layout of its old contents is the same then. */
int adi_heap_take(struct adi_heap *heap, uint64_t asked, int users, bool optional, const char *name, bool *fresh)
{
    uint64_t bytes = (asked + heap->unit - 1) / heap->unit * heap->unit;
    int number = optional ? find_spare(heap, asked) : ADI_NO_OBJECT;
    *fresh = number < 0;
    if (*fresh && optional && atomic_load_explicit(&heap->optional, memory_order_relaxed) + heap->spare_bytes + bytes > heap->optional_most)
        return ADI_NO_OBJECT;
    if (*fresh && (number = take_free(heap, bytes)) < 0)
        return ADI_NO_OBJECT;
    struct adi_object *object = &heap->objects[number];
    if (*fresh)
        atomic_store_explicit(&object->mark, 0, memory_order_relaxed);
    object->first = atomic_load_explicit(&object->mark, memory_order_relaxed);
    object->state = ADI_TAKEN;
    object->asked = asked;
    object->optional = optional;
    if (strncmp(object->name, name, sizeof object->name - 1)) { /* else its cache line stays where it is */
        size_t length = strnlen(name, sizeof object->name - 1);
        memcpy(object->name, name, length);
        object->name[length] = '\0';
    }
    add_optional(heap, object, true);
    atomic_store_explicit(&object->users, users, memory_order_relaxed); /* the others get the number in a message, or by the lock */
    return number;
}

bool adi_heap_keep(struct adi_heap *heap, int number)
{
    static const uint64_t most = 16ull << 20;
    struct adi_object *object = &heap->objects[number];
    if (!object->optional || heap->spares == ADI_KEPT || heap->spare_bytes + object->bytes > most)
        return false;
    add_optional(heap, object, false);
    object->state = ADI_SPARE;
    heap->spares++;
    heap->spare_bytes += object->bytes;
    object->next = heap->spare;
    heap->spare = number;
    return true;
}

int adi_heap_unkeep(struct adi_heap *heap)
{
    if (heap->spare < 0)
        return ADI_NO_OBJECT;
    int number = take_spare(heap, &heap->spare);
    heap->objects[number].state = ADI_TAKEN;
    add_optional(heap, &heap->objects[number], true); /* until it is free */
    return number;
}

void adi_heap_free(struct adi_heap *heap, int number)
{
    add_optional(heap, &heap->objects[number], false);
    heap->objects[number].state = ADI_FREE;
    add_to_list(heap, &heap->free, number);
    join_ranges(heap, number);
    join_ranges(heap, heap->objects[number].before);
}
