/*
 * Requests of the runtime as 32-bit numbers: handles of programs of int handles, and
 * Fortran's integers of programs over a runtime whose requests are objects.
 *
 * A runtime's requests come from its own pools, at 16-byte steps and near each
 * other. The distance from the first one seen fits 26 bits for a gigabyte
 * around it, and then the number is that distance: no slot is taken, none is
 * given back, and one runtime handle that stands for many operations (Open
 * MPI's ompi_request_empty) is no trouble.
 *
 *   0xac000000…0xaffffffe  the distance in 16-byte steps
 *   0xafffffff             ompi_request_empty, which stands for all sends that
 *                          are over when they begin: it lies in the library,
 *                          far from the pools, which are in the heap
 *
 * Gives: near_r2a, near_a2r, near_far, near_prepare, IS_NEAR.
 * Needs: pair.h, layout.h.
 */
#ifndef WI4GO_NEAR_H
#define WI4GO_NEAR_H
#include "pair.h"
#include "layout.h"
#include <dlfcn.h>

#define NEAR_UNSET 1 /* no request is that far from a step, so none counts as near */
#define near_base PAIR(near_base)
#define near_origins PAIR(near_origins)
HIDDEN int64_t near_base = NEAR_UNSET; /* the address that NEAR_FIRST stands for; set after the others */
static int64_t near_origin; /* near_base less what a sign-extended number times 16 has too much */
#define near_empty PAIR(near_empty)
#define near_distance PAIR(near_distance)
HIDDEN int64_t near_empty = NEAR_UNSET; /* its address; of int handles once the base is chosen, and set last */
HIDDEN int64_t near_distance[2] __attribute__((aligned(16))); /* twice, from where the linear way leads for NEAR_EMPTY */
#define near_empties PAIR(near_empties)
extern const int64_t near_empties[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_empties[2] = {(int32_t)NEAR_EMPTY, (int32_t)NEAR_EMPTY};
#define near_signs PAIR(near_signs)
extern const int64_t near_signs[2] HIDDEN __attribute__((aligned(16)));
const int64_t near_signs[2] = {INT64_MIN, INT64_MIN};
static int64_t empty_request; /* its address; 0 where the runtime has none */
HIDDEN int64_t near_origins[2] __attribute__((aligned(16))); /* twice */

/* Whether a number is of that form, which no other one of a request is. */
#define IS_NEAR(a) ((a) < 0)

/* The runtime's request of a number of that form. */
static inline R_MPI_Request near_a2r(int32_t a)
{
    return (R_MPI_Request)(unlikely((uint32_t)a == NEAR_EMPTY) ? near_empty : near_origin + (int64_t)a * 16);
}

/* Gives *a the number of a request that is near; 0: it is not. */
static inline int near_r2a(R_MPI_Request r, int32_t *a)
{
    const uint64_t distance = (uint64_t)((int64_t)r - __atomic_load_n(&near_base, __ATOMIC_ACQUIRE));
    const uint64_t step = distance >> 4 | distance << 60;
    *a = (int32_t)(NEAR_FIRST + (uint32_t)step);
    return likely(step < NEAR_STEPS - 1);
}

/* The same of one that is not: the empty one, or the first one, from which on others are
   near. */
static int near_far(R_MPI_Request request, int32_t *a)
{
    static int chosen;
    const int64_t r = (int64_t)request;
    if (r == __atomic_load_n(&near_empty, __ATOMIC_ACQUIRE)) {
        *a = (int32_t)NEAR_EMPTY;
        return 1;
    }
    if (r & 15 || r == empty_request || __atomic_exchange_n(&chosen, 1, __ATOMIC_RELAXED))
        return 0;
    const int64_t base = r - NEAR_STEPS * 8;
    near_origin = base - (int32_t)NEAR_FIRST * 16ll;
    near_origins[0] = near_origins[1] = near_origin;
    near_distance[0] = near_distance[1] = empty_request - (near_origin + (int32_t)NEAR_EMPTY * 16ll);
    __atomic_store_n(&near_base, base, __ATOMIC_RELEASE);
    if (empty_request)
        __atomic_store_n(&near_empty, empty_request, __ATOMIC_RELEASE);
    *a = (int32_t)(NEAR_FIRST + NEAR_STEPS / 2);
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
