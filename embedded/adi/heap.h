/*
 * The heap: the part of the job's shared memory from which ranks take memory objects while they run. A table in the
 * segment describes its ranges, each an object or free. A lock of all ranks protects the table. The functions here
 * change only the table; memory.c maps the objects, reserves their pages and gives them back to the kernel.
 *
 * The pages of a free range are zeros and take no memory. An object that ranks can do without (optional) may be kept
 * after its last use, and is taken again without a system call. `users` is the only word that changes without the
 * lock: each user subtracts its part (release). The user that reaches 0 (acquire) owns the object alone.
 *
 * If the holder of the lock is killed, the job is over: then a rank that waits for the lock gives up.
 *
 * Gives: adi_heap, adi_object, adi_heap_of, adi_heap_lock, adi_heap_unlock, adi_heap_take, adi_heap_keep,
 * adi_heap_unkeep, adi_heap_free.
 * Needs: segment.h.
 */
#ifndef WI4GO_HEAP_H
#define WI4GO_HEAP_H

#include "segment.h"

enum {
    ADI_OBJECTS = 4096,    /* most ranges of the heap */
    ADI_OBJECT_NAME = 56,  /* bytes of a name, with the final zero */
    ADI_NO_OBJECT = -1,
    ADI_KEPT = 64,         /* most objects that are kept after their last use */
};

enum adi_range { /* state of a range */
    ADI_UNUSED, /* an entry of the table without a range */
    ADI_FREE,
    ADI_TAKEN,
    ADI_SPARE, /* kept for its next use */
};

struct adi_object {
    _Alignas(ADI_LINE) atomic_int users; /* ranks that use it, or will when they know its number */
    int16_t state;         /* an ADI_ of enum adi_range */
    bool optional;         /* ranks can do without it */
    uint64_t at, bytes;    /* place in the heap, and size: multiples of heap->unit */
    uint64_t asked;        /* bytes that the taker has asked for */
    atomic_ullong mark;    /* the highest mark that a user has left, see MPID_Memory_unmap */
    uint64_t first;        /* mark when the object was taken */
    int32_t before, after; /* neighbors by place, or ADI_NO_OBJECT */
    int32_t next, back;    /* neighbors in the list of the state, or ADI_NO_OBJECT; spare objects have no back */
    char name[ADI_OBJECT_NAME]; /* its purpose, for reports */
};

struct adi_heap {
    _Alignas(ADI_LINE) atomic_int lock; /* the rank that holds it plus 1, or 0 */
    int32_t free, spare, unused; /* the first range in each list, or ADI_NO_OBJECT */
    int32_t entries;             /* entries of the table that were ever in use, or 0 before the first object */
    int32_t spares;              /* ranges in the list of spare objects */
    int32_t all;                 /* number plus 1 of the object of all ranks; 0: not taken yet; -1: there is no memory for it */
    uint32_t unit;               /* bytes of a page */
    uint64_t optional_most;      /* most bytes of optional objects, with spare ones */
    atomic_ullong optional;      /* bytes of optional objects in use */
    uint64_t spare_bytes;
    struct adi_object objects[ADI_OBJECTS];
};

static inline struct adi_heap *adi_heap_of(struct adi_segment *s) { return (struct adi_heap *)((char *)s + s->heap); }

/* Takes the lock for a rank, and prepares the table if this is its first use. Returns false if the job is over. */
bool adi_heap_lock(struct adi_segment *segment, int rank);
void adi_heap_unlock(struct adi_heap *heap);

/* The functions below need the lock. A number is an index of heap->objects. */

/* Takes an object of some bytes, and returns its number, or ADI_NO_OBJECT if no range is large enough, the table is
 * full, or optional objects take too much. *fresh: it was a free range, whose pages are still to be reserved. */
int adi_heap_take(struct adi_heap *heap, uint64_t asked, int users, bool optional, const char *name, bool *fresh);
/* Makes an object without users spare. Returns false if it must be given back: it is not optional, or enough are
 * spare. */
bool adi_heap_keep(struct adi_heap *heap, int number);
/* Returns the number of a spare object, which the caller owns alone then, or ADI_NO_OBJECT. */
int adi_heap_unkeep(struct adi_heap *heap);
/* Makes the range of an object without users free. Its pages are zeros. */
void adi_heap_free(struct adi_heap *heap, int number);

#endif
