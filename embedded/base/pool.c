/*
 * Memory of objects. Freed objects of a kind are kept in a list and used again, so that a stale
 * handle still points to a cookie; the memory goes back to the system with the process.
 */
#include "pool.h"
#include "handles.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_AND_HEAD(KIND, structure, Name, Handle, null) [KIND] = {sizeof(struct structure), offsetof(struct structure, head)},
static const struct {
    size_t size, head; /* size of the object, and offset of its struct object */
} kinds[KINDS] = {EM_KINDS(SIZE_AND_HEAD) SIZE_AND_HEAD(KEYVAL, keyval, , , )};

/* Returns a freed object of the kind, or new memory, or NULL. */
static void *take_object(enum kind kind)
{
    struct pool *pool = &em->pools[kind];
    MPID_THREAD_DS_LOCK(pool, em->threads);
    void *object = pool->free;
    if (object)
        pool->free = *(void **)object;
    MPID_THREAD_DS_UNLOCK(pool, em->threads);
    return object ? object : malloc(kinds[kind].size);
}

static struct object *head_of(enum kind kind, void *object) { return (struct object *)((char *)object + kinds[kind].head); }

static void fill_object(struct object *head, enum kind kind)
{
    head->predefined = false;
    head->fortran = 0;
    atomic_init(&head->references, 1);
    head->cookie = COOKIE(kind);
}

void *em_new(enum kind kind)
{
    void *object = take_object(kind);
    if (unlikely(!object))
        return NULL;
    memset(object, 0, kinds[kind].size);
    fill_object(head_of(kind, object), kind);
    return object;
}

struct request *em_new_request(void)
{
    struct request *request = take_object(REQUEST);
    if (unlikely(!request))
        return NULL;
    memset(&request->head, 0, sizeof *request - offsetof(struct request, head)); /* the device fills its part */
    fill_object(&request->head, REQUEST);
    return request;
}

void em_delete(enum kind kind, void *object)
{
    struct pool *pool = &em->pools[kind];
    struct object *head = head_of(kind, object);
    if (head->fortran)
        em_fortran_forget(kind, head);
    head->cookie = 0;
    MPID_THREAD_DS_LOCK(pool, em->threads);
    *(void **)object = pool->free;
    pool->free = object;
    MPID_THREAD_DS_UNLOCK(pool, em->threads);
}
