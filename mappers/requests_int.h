/*
 * Handles of requests as 32-bit numbers.
 *
 * Most requests are pooled (request_pool.h) and need no slot. Only their handles are negative.
 *
 *   0xc0000000…0xffffffff  a pooled request
 *   0x6c000000…0x6fffffff  a slot of table_REQUEST: a request far from the pool, or persistent
 *   0x4c000001…0x4c00000f  an empty request (request_pool.h) other than POOL_EMPTY. Its kind bits are not
 *                          the table's, so its slot is never released
 *   0x2c000000             MPI_REQUEST_NULL
 *   0x2c000001…0x2fffffff  a tracked request (registry.h)
 *
 * Ownership: the slot of a request that is not persistent ends with the completion, the slot of a
 * persistent one when the program frees it. Each thread keeps a reserve of free slots, its
 * magazine, which goes back to the table at the thread's end. Only refilling and emptying a
 * magazine takes the table's lock.
 *
 * Gives: the interface of request_handles.h, except for the part that all implementations share;
 * request_r2a_slow.
 * Needs: pair.h, request_pool.h, predefined.h, handles.h, handletable.h, tracked_requests.h.
 */
#ifndef WI4GO_REQUESTS_INT_H
#define WI4GO_REQUESTS_INT_H
#include "pair.h"
#include "request_pool.h"
#include "predefined.h"
#include "handles.h"
#include "handletable.h"
#include "tracked_requests.h"

#define EMPTY_SLOT 0x4c000001 /* the handle of the first of the library's empty requests */
_Static_assert(EMPTY_REQUESTS < 16, "before the first slot of table_REQUEST");
#define request_magazine ht_request_magazine /* one for all pairs, because there is little room for thread-local storage */

/* Reports whether a handle is a pooled request's, and needs no look-up. */
#define REQUEST_IS_PLAIN(a) IS_POOLED_OR_INVALID(a)

/* Returns the runtime's request of a handle that is not a pooled one's. */
#define request_a2r_table PAIR(request_a2r_table)
R_MPI_Request request_a2r_table(A_MPI_Request a) HIDDEN __attribute__((noinline));
/* Takes a slot for a request and returns its handle. Ends the process if the table is full. */
#define request_r2a_table PAIR(request_r2a_table)
A_MPI_Request request_r2a_table(int64_t object) HIDDEN __attribute__((noinline));
/* Returns the program's handle of a request that pooled_r2a refused. */
#define request_r2a_slow PAIR(request_r2a_slow)
A_MPI_Request request_r2a_slow(R_MPI_Request r) HIDDEN __attribute__((noinline));
/* Does the work of REQUEST_after for a handle that is not a pooled request's. */
#define request_after_table PAIR(request_after_table)
A_MPI_Request request_after_table(A_MPI_Request a, R_MPI_Request r) HIDDEN __attribute__((noinline));

/* As KIND_hit_in and KIND_at_in in handles_int.h. */
#define REQUEST_hit_in(t, a) likely(REQUEST_IS_PLAIN(a))
#define REQUEST_at_in(t, a) pooled_a2r(a)
static inline R_MPI_Request REQUEST_a2r(A_MPI_Request a)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return pooled_a2r(a);
    return request_a2r_table(a);
}

static inline A_MPI_Request REQUEST_r2a(R_MPI_Request r)
{
    A_MPI_Request a;
    if (pooled_r2a(r, &a))
        return a;
    return request_r2a_slow(r);
}

static inline A_MPI_Request REQUEST_r2a_started(R_MPI_Request r) { return REQUEST_r2a(r); }
static inline A_MPI_Request REQUEST_r2a_persistent(R_MPI_Request r)
{
    return unlikely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : request_r2a_table(r);
}

static inline A_MPI_Request REQUEST_after(A_MPI_Request a, R_MPI_Request r)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return likely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : a;
    return request_after_table(a, r);
}

/* Stores the object r in the slot of a persistent request. Returns the handle, which stays. */
static inline A_MPI_Request REQUEST_replaced(A_MPI_Request a, R_MPI_Request r)
{
    if (unlikely((intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a) != r))
        ht_replace(&table_REQUEST, (uint32_t)a, (void *)(intptr_t)r);
    return a;
}

#if DEFINES_SHARED
R_MPI_Request request_a2r_table(A_MPI_Request a)
{
    if (a == A_MPI_REQUEST_NULL)
        return R_MPI_REQUEST_NULL;
    intptr_t object = (intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a);
    if (likely(object))
        return object;
    return wi4go_is_tracked(a) ? tracked_a2r(a) : (R_MPI_Request)bad_handle(KIND_REQUEST);
}

A_MPI_Request request_r2a_table(int64_t object)
{
    wi4go_watch_thread();
    uint32_t a = ht_insert_unshared(&table_REQUEST, &request_magazine, (void *)(intptr_t)object);
    if (!a)
        table_full("REQUEST");
    return (A_MPI_Request)a;
}

A_MPI_Request request_r2a_slow(R_MPI_Request r)
{
    if (r == R_MPI_REQUEST_NULL)
        return A_MPI_REQUEST_NULL;
    A_MPI_Request a;
    if (pooled_r2a_slow(r, &a))
        return a;
    const int empty = empty_index((int64_t)r);
    return empty >= 0 ? EMPTY_SLOT + empty : request_r2a_table(r);
}

/* Does the work of REQUEST_after for a tracked request. */
static __attribute__((noinline)) A_MPI_Request REQUEST_after_tracked(A_MPI_Request a, R_MPI_Request r)
{
    struct tracked_request *o = tracked_of(a);
    if (r != R_MPI_REQUEST_NULL || !o)
        return a;
    tracked_end(o);
    return A_MPI_REQUEST_NULL;
}

A_MPI_Request request_after_table(A_MPI_Request a, R_MPI_Request r)
{
    if (a == A_MPI_REQUEST_NULL)
        return a;
    if (wi4go_is_tracked(a))
        return REQUEST_after_tracked(a, r);
    if (r != R_MPI_REQUEST_NULL)
        return a;
    ht_release_unshared(&table_REQUEST, &request_magazine, (uint32_t)a);
    return A_MPI_REQUEST_NULL;
}

/* ---- set-up ---- */

/* Returns this thread's free slots to the table. */
static void request_thread_exit(void)
{
    ht_flush(&request_magazine);
    tracked_thread_exit();
}

/* Enters the library's empty requests under permanent handles, and arranges for the magazines to
   be emptied. */
static void requests_prepare(void)
{
    wi4go_thread_exit = request_thread_exit;
    pool_prepare();
    for (int i = 0; empty_requests[i]; i++)
        ht_predefine(&table_REQUEST, (uint32_t)(EMPTY_SLOT + i), (void *)(intptr_t)empty_requests[i]);
}
#endif
#endif
