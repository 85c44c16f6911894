/*
 * Pooled requests: requests of the runtime as 32-bit numbers. The numbers are the handles of
 * programs with int handles, and the Fortran integers of other programs over a runtime whose
 * requests are objects.
 *
 * A runtime takes its requests from pools in the heap, so their addresses are close together.
 * Such a pooled request has as its number the distance in bytes from a
 * base above the first request seen. The number is below 0. No table is needed, so the start of
 * an operation takes no slot and its end gives none back. A runtime handle that represents many
 * operations at once (Open MPI's ompi_request_empty) needs no special treatment.
 *
 *   -POOL_BYTES…-8   the distance, a multiple of 8 as for all objects. A handle with another
 *                    distance is never treated as pooled, for example in a library that numbers
 *                    its requests. The first request seen gets -POOL_BYTES/2
 *   POOL_EMPTY       the empty request for sends that are complete when they begin, the first
 *                    of the family's empty requests (abi.Traits). Empty requests are in the
 *                    library's data, far from the pools
 *
 * State: the base is unset until a request is seen, and never changes afterwards. It needs no
 * lock: threads that see a first request at the same time agree on a base by compare-and-swap.
 *
 * Gives: pooled_r2a, pooled_a2r, pooled_r2a_slow, pool_prepare, empty_requests, empty_index,
 * IS_POOLED, IS_POOLED_OR_INVALID.
 * Needs: pair.h, layout.h.
 */
#ifndef WI4GO_REQUEST_POOL_H
#define WI4GO_REQUEST_POOL_H
#include "pair.h"
#include "layout.h"
#include <dlfcn.h>

/* Each of these vectors has one value twice, for the assembly, which converts two at a time. */
#define POOL_UNSET INT64_MIN /* a base with which no request is pooled */
#define pool_bases PAIR(pool_bases)
SHARED int64_t pool_bases[2] __attribute__((aligned(16))) INITIALLY({POOL_UNSET, POOL_UNSET}); /* the base; [0] is set last */
#define pool_empty PAIR(pool_empty)
SHARED int64_t pool_empty[2] __attribute__((aligned(16))) INITIALLY({POOL_UNSET, POOL_UNSET}); /* the address of the empty request; set before any call */
#define pool_empty_numbers PAIR(pool_empty_numbers)
SHARED const int64_t pool_empty_numbers[2] __attribute__((aligned(16))) INITIALLY({POOL_EMPTY, POOL_EMPTY});
#define pool_signs PAIR(pool_signs)
SHARED const int64_t pool_signs[2] __attribute__((aligned(16))) INITIALLY({INT64_MIN, INT64_MIN});

/* Reports whether a valid number of a request is a pooled request's. */
#define IS_POOLED_OR_INVALID(a) ((a) < 0)

/* Reports whether any int is the number of a pooled request. */
#define IS_POOLED(a) ((a) >= -POOL_BYTES && (a) < 0 && (a) % POOL_MULTIPLE == 0)

/* Returns the runtime's request of a pooled request's number. */
static inline R_MPI_Request pooled_a2r(int32_t a)
{
    return (R_MPI_Request)(unlikely(a == POOL_EMPTY) ? pool_empty[0] : pool_bases[0] + a);
}

/* Reports whether a request is pooled and not the empty one, and writes its number to *a. */
static inline int pooled_r2a(R_MPI_Request r, int32_t *a)
{
    const int64_t distance = (int64_t)((uint64_t)r - (uint64_t)__atomic_load_n(&pool_bases[0], __ATOMIC_ACQUIRE));
    *a = (int32_t)distance;
    return likely((uint64_t)distance >= (uint64_t)-POOL_BYTES && distance % 8 == 0);
}

#define EMPTY_REQUESTS 4 /* the most empty requests of a family */
#define empty_requests PAIR(empty_requests)
SHARED int64_t empty_requests[EMPTY_REQUESTS + 1]; /* the addresses of the library's empty requests; 0 ends them */

/* Returns the index of a request in empty_requests, or -1. */
static inline int empty_index(int64_t r)
{
    int i = 0;
    while (empty_requests[i] && empty_requests[i] != r)
        i++;
    return empty_requests[i] ? i : -1;
}

/* Does the same for a request that pooled_r2a refused, which may be the empty request, or the first
   request of all. The first one sets the base. If several threads see a first request at the
   same time, all use the base of one of them, so that a runtime's handle has the same number in
   every thread. */
#define pooled_r2a_slow PAIR(pooled_r2a_slow)
int pooled_r2a_slow(R_MPI_Request request, int32_t *a) HIDDEN;
#if DEFINES_SHARED
int pooled_r2a_slow(R_MPI_Request request, int32_t *a)
{
    const int64_t r = (int64_t)request;
    if (r == pool_empty[0]) {
        *a = POOL_EMPTY;
        return 1;
    }
    if (empty_index(r) >= 0)
        return 0;
    if (!(r & (R_HANDLES_ARE_OBJECTS ? 7 : 15)) && __atomic_load_n(&pool_bases[0], __ATOMIC_RELAXED) == POOL_UNSET) {
        int64_t base = POOL_UNSET;
        if (__atomic_compare_exchange_n(&pool_bases[1], &base, r + POOL_BYTES / 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            base = r + POOL_BYTES / 2;
        __atomic_store_n(&pool_bases[0], base, __ATOMIC_RELEASE);
    }
    return pooled_r2a(request, a);
}

/* Finds the library's empty requests. Called during the set-up. */
static void pool_prepare(void)
{
    static const char *const names[] = {R_EMPTY_REQUESTS NULL};
    _Static_assert(sizeof names / sizeof *names <= EMPTY_REQUESTS + 1, "empty_requests");
    for (int i = 0, n = 0; names[i]; i++) {
        void *const empty = dlsym(wi4go_runtime_library, names[i]);
        if (empty)
            empty_requests[n++] = (int64_t)(intptr_t)empty;
    }
#if R_HANDLES_ARE_OBJECTS /* otherwise the assembly does not support POOL_EMPTY */
    if (empty_requests[0])
        pool_empty[0] = pool_empty[1] = empty_requests[0];
#endif
}
#endif
#endif
