/*
 * Requests of the runtime as 32-bit numbers: handles of programs of int handles, and
 * Fortran's integers of programs over a runtime whose requests are objects.
 *
 * A runtime's requests come from its own pools, near each other. The distance of one in
 * bytes from a base past the first one seen fits a number below 0, and then that is the
 * number: no slot is taken, none is given back, and one runtime handle that stands for many
 * operations (Open MPI's ompi_request_empty) is no trouble.
 *
 *   -NEAR_BYTES…-8   the distance, a multiple of 8 as objects have it: of others, as where a
 *                    library counts its requests, none is near that is not. The first one
 *                    seen has the half
 *   NEAR_EMPTY       ompi_request_empty, which stands for all sends that are over when they
 *                    begin: it lies in the library, far from the pools, which are in the heap
 *
 * Gives: near_r2a, near_a2r, near_far, near_prepare, IS_NEAR, IS_NEAR_OR_WRONG.
 * Needs: pair.h, layout.h.
 */
#ifndef WI4GO_NEAR_H
#define WI4GO_NEAR_H
#include "pair.h"
#include "layout.h"
#include <dlfcn.h>

#define NEAR_UNSET INT64_MIN /* nothing is near that, and no request there */
#define near_bases PAIR(near_bases)
HIDDEN int64_t near_bases[2] __attribute__((aligned(16))) = {NEAR_UNSET, NEAR_UNSET}; /* the base, twice; the first is set after all others */
#define near_empty PAIR(near_empty)
#define near_distance PAIR(near_distance)
HIDDEN int64_t near_empty = NEAR_UNSET; /* its address; of int handles once the base is chosen, and set last */
HIDDEN int64_t near_distance[2] __attribute__((aligned(16))); /* twice, from where the linear way leads for NEAR_EMPTY */
#define near_empties PAIR(near_empties)
extern const int64_t near_empties[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_empties[2] = {NEAR_EMPTY, NEAR_EMPTY};
#define near_signs PAIR(near_signs)
extern const int64_t near_signs[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_signs[2] = {INT64_MIN, INT64_MIN};
static int64_t empty_request; /* its address; 0 where the runtime has none */

/* Whether a number is of that form, if it is a request's. */
#define IS_NEAR_OR_WRONG(a) ((a) < 0)

/* Whether it is, of all numbers. */
#define IS_NEAR(a) ((a) >= -NEAR_BYTES && (a) < 0 && (a) % NEAR_MULTIPLE == 0)

/* The runtime's request of a number of that form. */
static inline R_MPI_Request near_a2r(int32_t a)
{
    return (R_MPI_Request)(unlikely(a == NEAR_EMPTY) ? near_empty : near_bases[0] + a);
}

/* Gives *a the number of a request that is near; 0: it is not. */
static inline int near_r2a(R_MPI_Request r, int32_t *a)
{
    const int64_t distance = (int64_t)((uint64_t)r - (uint64_t)__atomic_load_n(&near_bases[0], __ATOMIC_ACQUIRE));
    *a = (int32_t)distance;
    return likely((uint64_t)distance >= (uint64_t)-NEAR_BYTES && distance % 8 == 0);
}

/* The same of one that is not: the empty one, or the first one, from which on others are
   near. */
static int near_far(R_MPI_Request request, int32_t *a)
{
    static int chosen;
    const int64_t r = (int64_t)request;
    if (r == __atomic_load_n(&near_empty, __ATOMIC_ACQUIRE)) {
        *a = NEAR_EMPTY;
        return 1;
    }
    if (r & 15 || r == empty_request || __atomic_exchange_n(&chosen, 1, __ATOMIC_RELAXED))
        return 0;
    const int64_t base = r + NEAR_BYTES / 2;
    near_distance[0] = near_distance[1] = empty_request - (base + NEAR_EMPTY);
    near_bases[1] = base;
    __atomic_store_n(&near_bases[0], base, __ATOMIC_RELEASE);
    if (empty_request)
        __atomic_store_n(&near_empty, empty_request, __ATOMIC_RELEASE);
    *a = -NEAR_BYTES / 2;
    return 1;
}

static void near_prepare(void)
{
    empty_request = (int64_t)(intptr_t)dlsym(wi4go_runtime_library, "ompi_request_empty");
#if A_HANDLE_BITS == 64 /* whose assembly takes it by itself, and needs no distance */
    if (empty_request)
        near_empty = empty_request;
#endif
}
#endif
