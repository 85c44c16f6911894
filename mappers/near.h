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
 *   NEAR_EMPTY       the request of sends that are over when they begin: the first of the
 *                    empty requests (abi.Traits). They lie in the library, far from the pools,
 *                    which are in the heap
 *
 * Gives: near_r2a, near_a2r, near_far, near_prepare, empty_requests, empty_index, IS_NEAR,
 * IS_NEAR_OR_WRONG.
 * Needs: pair.h, layout.h.
 */
#ifndef WI4GO_NEAR_H
#define WI4GO_NEAR_H
#include "pair.h"
#include "layout.h"
#include <dlfcn.h>

#define NEAR_UNSET INT64_MIN /* nothing is near that, and no request there */
#define near_bases PAIR(near_bases)
SHARED int64_t near_bases[2] __attribute__((aligned(16))) INITIALLY({NEAR_UNSET, NEAR_UNSET}); /* the base, twice; the first is set last */
#define near_empty PAIR(near_empty)
SHARED int64_t near_empty[2] __attribute__((aligned(16))) INITIALLY({NEAR_UNSET, NEAR_UNSET}); /* its address, twice; set before any call */
#define near_empties PAIR(near_empties)
SHARED const int64_t near_empties[2] __attribute__((aligned(16))) INITIALLY({NEAR_EMPTY, NEAR_EMPTY});
#define near_signs PAIR(near_signs)
SHARED const int64_t near_signs[2] __attribute__((aligned(16))) INITIALLY({INT64_MIN, INT64_MIN});

/* Whether a number is of that form, if it is a request's. */
#define IS_NEAR_OR_WRONG(a) ((a) < 0)

/* Whether it is, of all numbers. */
#define IS_NEAR(a) ((a) >= -NEAR_BYTES && (a) < 0 && (a) % NEAR_MULTIPLE == 0)

/* The runtime's request of a number of that form. */
static inline R_MPI_Request near_a2r(int32_t a)
{
    return (R_MPI_Request)(unlikely(a == NEAR_EMPTY) ? near_empty[0] : near_bases[0] + a);
}

/* Gives *a the number of a request that is near; 0: it is not. */
static inline int near_r2a(R_MPI_Request r, int32_t *a)
{
    const int64_t distance = (int64_t)((uint64_t)r - (uint64_t)__atomic_load_n(&near_bases[0], __ATOMIC_ACQUIRE));
    *a = (int32_t)distance;
    return likely((uint64_t)distance >= (uint64_t)-NEAR_BYTES && distance % 8 == 0);
}

#define EMPTY_REQUESTS 4
#define empty_requests PAIR(empty_requests)
SHARED int64_t empty_requests[EMPTY_REQUESTS + 1]; /* the addresses of the library's, 0 behind the last */

/* The place of a request among them, -1 when it is none. */
static inline int empty_index(int64_t r)
{
    int i = 0;
    while (empty_requests[i] && empty_requests[i] != r)
        i++;
    return empty_requests[i] ? i : -1;
}

/* The same of one that near_r2a refused: the empty one, or the first one, from which on
   others are near. Of threads that see a first one at once, all take the base of one of
   them, so that a runtime's handle has the same number in each. */
#define near_far PAIR(near_far)
int near_far(R_MPI_Request request, int32_t *a) HIDDEN;
#if DEFINES_SHARED
int near_far(R_MPI_Request request, int32_t *a)
{
    const int64_t r = (int64_t)request;
    if (r == near_empty[0]) {
        *a = NEAR_EMPTY;
        return 1;
    }
    if (empty_index(r) >= 0)
        return 0;
    if (!(r & 15) && __atomic_load_n(&near_bases[0], __ATOMIC_RELAXED) == NEAR_UNSET) {
        int64_t base = NEAR_UNSET;
        if (__atomic_compare_exchange_n(&near_bases[1], &base, r + NEAR_BYTES / 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            base = r + NEAR_BYTES / 2;
        __atomic_store_n(&near_bases[0], base, __ATOMIC_RELEASE);
    }
    return near_r2a(request, a);
}

static void near_prepare(void)
{
    static const char *const names[] = {R_EMPTY_REQUESTS NULL};
    _Static_assert(sizeof names / sizeof *names <= EMPTY_REQUESTS + 1, "empty_requests");
    for (int i = 0, n = 0; names[i]; i++) {
        void *const empty = dlsym(wi4go_runtime_library, names[i]);
        if (empty)
            empty_requests[n++] = (int64_t)(intptr_t)empty;
    }
#if R_HANDLES_ARE_OBJECTS /* else the assembly does without NEAR_EMPTY */
    if (empty_requests[0])
        near_empty[0] = near_empty[1] = empty_requests[0];
#endif
}
#endif
#endif
