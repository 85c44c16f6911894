/*
 * Memory and references of objects. A freed object's memory is reused for objects of its kind only.
 * Locks: each kind's list of freed objects has one. References are atomic if the rank has several threads.
 *
 * Gives: em_new, em_new_request, em_delete, em_retain, em_drop.
 * Needs: state.h.
 */
#ifndef WI4GO_EMBEDDED_POOL_H
#define WI4GO_EMBEDDED_POOL_H

#include "state.h"

/* Returns a new object of the kind with one reference, all other bytes 0, or NULL if memory is
 * lacking. `head` of the result is filled. */
void *em_new(enum kind kind);
/* Returns a new request with one reference, or NULL. Its device part is not initialized. */
struct request *em_new_request(void);
/* Gives the memory back to the pool, and makes the cookie invalid. */
void em_delete(enum kind kind, void *object);
static inline void em_retain(struct object *head)
{
    if (head->predefined)
        return;
    if (em->threads)
        atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
    else
        atomic_store_explicit(&head->references, atomic_load_explicit(&head->references, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* Takes a reference away. Returns whether it was the last one, so that the caller must free the object. */
static inline bool em_drop(struct object *head)
{
    if (head->predefined)
        return false;
    if (em->threads)
        return atomic_fetch_sub_explicit(&head->references, 1, memory_order_acq_rel) == 1;
    int before = atomic_load_explicit(&head->references, memory_order_relaxed);
    atomic_store_explicit(&head->references, before - 1, memory_order_relaxed);
    return before == 1;
}

#endif
