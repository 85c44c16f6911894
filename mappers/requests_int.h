/*
 * Handles of requests as 32-bit numbers.
 *
 * A runtime's requests come from its own pools, at 16-byte steps and near each
 * other. The distance from the first one seen fits 26 bits for a gigabyte
 * around it, and then the handle is that distance: no slot is taken, none is
 * given back, and one runtime handle that stands for many operations (Open
 * MPI's ompi_request_empty) is no trouble.
 *
 *   0xac000000…0xaffffffe  the distance in 16-byte steps: with the next the
 *                          only ones with the sign
 *   0xafffffff             ompi_request_empty, which stands for all sends that
 *                          are over when they begin: it lies in the library,
 *                          far from the pools, which are in the heap
 *   0x6c000000…0x6fffffff  a slot of table_REQUEST: farther away, or persistent
 *   0x2c000000             MPI_REQUEST_NULL
 *   0x2c000001…0x2fffffff  one that has a record (records.h)
 *
 * Gives: the interface of request_handles.h, but for what all implementations share;
 * near_a2r, near_r2a, request_r2a_far.
 * Needs: pair.h, layout.h, predefined.h, handles.h, handletable.h, request_records.h.
 */
#ifndef WI4GO_REQUESTS_INT_H
#define WI4GO_REQUESTS_INT_H
#include "pair.h"
#include "layout.h"
#include "predefined.h"
#include "handles.h"
#include "handletable.h"
#include "request_records.h"
#include <dlfcn.h>

#define NEAR_UNSET 1 /* no request is that far from a step, so none counts as near */
#define near_base PAIR(near_base)
#define near_origins PAIR(near_origins)
HIDDEN int64_t near_base = NEAR_UNSET; /* the address that handle NEAR_FIRST stands for; set after the others */
static int64_t near_origin; /* near_base less what a sign-extended handle times 16 has too much */
#define near_empty PAIR(near_empty)
#define near_distance PAIR(near_distance)
HIDDEN int64_t near_empty = NEAR_UNSET; /* its address, once the base is chosen; set last */
HIDDEN int64_t near_distance[2] __attribute__((aligned(16))); /* twice, from where the linear way leads for NEAR_EMPTY */
#define near_empties PAIR(near_empties)
extern const int64_t near_empties[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_empties[2] = {(int32_t)NEAR_EMPTY, (int32_t)NEAR_EMPTY};
#define near_signs PAIR(near_signs)
extern const int64_t near_signs[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_signs[2] = {INT64_MIN, INT64_MIN};
static int64_t empty_request; /* its address; 0 where the runtime has none */
HIDDEN int64_t near_origins[2] __attribute__((aligned(16))); /* twice */
#define request_magazine ht_request_magazine /* one for all pairs: the room for thread-local storage is small */

#define REQUEST_IS_PLAIN(a) ((a) < 0)
static __attribute__((noinline)) R_MPI_Request request_a2r_table(A_MPI_Request a)
{
    if (a == A_MPI_REQUEST_NULL)
        return R_MPI_REQUEST_NULL;
    intptr_t object = (intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a);
    if (likely(object))
        return object;
    return wi4go_is_record(a) ? record_request(a) : (R_MPI_Request)bad_handle(KIND_REQUEST);
}

#define REQUEST_hit_in(t, a) likely(REQUEST_IS_PLAIN(a))
#define REQUEST_at_in(t, a) near_a2r(a)
static inline R_MPI_Request near_a2r(A_MPI_Request a)
{
    return unlikely((uint32_t)a == NEAR_EMPTY) ? near_empty : near_origin + (int64_t)a * 16;
}
static inline A_MPI_Request near_r2a(uint64_t step) { return (A_MPI_Request)(NEAR_FIRST + (uint32_t)step); }

static inline R_MPI_Request REQUEST_a2r(A_MPI_Request a)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return near_a2r(a);
    return request_a2r_table(a);
}

static __attribute__((noinline)) A_MPI_Request request_r2a_table(int64_t object)
{
    wi4go_watch_thread();
    uint32_t a = ht_insert_unshared(&table_REQUEST, &request_magazine, (void *)(intptr_t)object);
    if (!a)
        table_full("REQUEST");
    return (A_MPI_Request)a;
}

static __attribute__((noinline)) A_MPI_Request request_r2a_far(R_MPI_Request r)
{
    if (r == R_MPI_REQUEST_NULL)
        return A_MPI_REQUEST_NULL;
    static int chosen;
    if (r == HT_LOAD(&near_empty, __ATOMIC_ACQUIRE))
        return (A_MPI_Request)NEAR_EMPTY;
    if (!(r & 15) && r != empty_request && !__atomic_exchange_n(&chosen, 1, __ATOMIC_RELAXED)) {
        int64_t base = r - NEAR_STEPS * 8;
        near_origin = base - (int32_t)NEAR_FIRST * 16ll;
        near_origins[0] = near_origins[1] = near_origin;
        near_distance[0] = near_distance[1] = empty_request - (near_origin + (int32_t)NEAR_EMPTY * 16ll);
        __atomic_store_n(&near_base, base, __ATOMIC_RELEASE);
        if (empty_request)
            __atomic_store_n(&near_empty, empty_request, __ATOMIC_RELEASE);
        return near_r2a(NEAR_STEPS / 2);
    }
    return request_r2a_table(r);
}

static inline A_MPI_Request REQUEST_r2a(R_MPI_Request r)
{
    uint64_t distance = (uint64_t)(r - HT_LOAD(&near_base, __ATOMIC_ACQUIRE));
    uint64_t step = distance >> 4 | distance << 60;
    if (likely(step < NEAR_STEPS - 1))
        return near_r2a(step);
    return request_r2a_far(r);
}

static inline A_MPI_Request REQUEST_r2a_started(R_MPI_Request r) { return REQUEST_r2a(r); }
static inline A_MPI_Request REQUEST_r2a_persistent(R_MPI_Request r)
{
    return unlikely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : request_r2a_table(r);
}

static __attribute__((noinline)) A_MPI_Request REQUEST_after_record(A_MPI_Request a, R_MPI_Request r)
{
    struct record *o = record_of(a);
    if (r != R_MPI_REQUEST_NULL || !o)
        return a;
    record_over(o);
    return A_MPI_REQUEST_NULL;
}

static __attribute__((noinline)) A_MPI_Request request_after_table(A_MPI_Request a, R_MPI_Request r)
{
    if (a == A_MPI_REQUEST_NULL)
        return a;
    if (wi4go_is_record(a))
        return REQUEST_after_record(a, r);
    if (r != R_MPI_REQUEST_NULL)
        return a;
    ht_release_unshared(&table_REQUEST, &request_magazine, (uint32_t)a);
    return A_MPI_REQUEST_NULL;
}

static inline A_MPI_Request REQUEST_after(A_MPI_Request a, R_MPI_Request r)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return likely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : a;
    return request_after_table(a, r);
}

static inline A_MPI_Request REQUEST_replaced(A_MPI_Request a, R_MPI_Request r)
{
    if (unlikely((intptr_t)ht_lookup(&table_REQUEST, (uint32_t)a) != r))
        ht_replace(&table_REQUEST, (uint32_t)a, (void *)(intptr_t)r);
    return a;
}

/* ---- set-up ---- */

static void request_thread_exit(void) { ht_flush(&request_magazine); }

static void requests_prepare(void)
{
    wi4go_thread_exit = request_thread_exit;
    empty_request = (int64_t)(intptr_t)dlsym(wi4go_runtime_library, "ompi_request_empty");
}
#endif
