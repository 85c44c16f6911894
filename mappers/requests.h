/*
 * Arrays of requests and statuses (MPI-5.0, 3.7.5): the steps of which the generated translations
 * of MPI_Waitall and similar functions consist (gen/pair/completion.go).
 *
 * requests_take converts the program's requests into an array for the runtime, and statuses_take
 * prepares the runtime's statuses. Then the runtime's function is called. After it, requests_after
 * and similar functions store the program's handles, and statuses_after or statuses_failed
 * converts the statuses.
 *
 * Ownership: up to SMALL elements the arrays are in a struct request_arrays on the stack. Larger
 * ones are scratch memory of the thread (front.h), which arrays_release returns. No state is shared
 * between threads, so nothing here needs a lock.
 *
 * Gives: struct request_arrays, ARRAYS; requests_take, requests_after, request_after,
 * requests_restarted; statuses_take, statuses_set, statuses_succeed, statuses_after,
 * statuses_failed.
 * Needs: pair.h, errors.h, request_handles.h, status.h.
 */
#ifndef WI4GO_REQUESTS_H
#define WI4GO_REQUESTS_H
#include "pair.h"
#include "errors.h"
#include "request_handles.h"
#include "status.h"

#define SMALL 32 /* the most elements of an array on the stack */

/* The runtime's arrays of a call. */
struct request_arrays {
    R_MPI_Request *r, small[SMALL];         /* r: the requests, in small or in scratch memory; NULL for the runtime to refuse */
    R_MPI_Status *s, small_statuses[SMALL]; /* s: the statuses, alike; or MPI_STATUSES_IGNORE; NULL for the runtime to refuse */
    size_t n;                               /* the number of requests */
};

/* ---- before the call ---- */

/* The functions for unusual cases are static, although two units have them: the compiler then
   knows which registers they leave alone. */
#define UNUSUAL static __attribute__((noinline, unused))

/* Makes the runtime refuse the call, because a handle is invalid. A runtime that dereferences
   null pointers among requests, as Open MPI 5 does, may do so before it refuses them. It refuses
   a null pointer for the array, so it gets that. No request of the program then changes. */
UNUSUAL __attribute__((cold)) void arrays_refuse(struct request_arrays *x)
{
    if (x->n > SMALL)
        wi4go_scratch_free(x->r, x->n * sizeof *x->r);
    x->r = NULL;
    x->n = 0;
}

/* Sets n and r for a call without requests, without an array, or with more than SMALL requests. */
UNUSUAL void arrays_unusual(struct request_arrays *x, int count, const A_MPI_Request *requests)
{
    x->n = requests && count > 0 ? (size_t)count : 0;
    x->r = x->n > SMALL ? wi4go_scratch_alloc(x->n * sizeof *x->r) : requests ? x->small : NULL;
}

/* Converts the program's requests, which may be NULL, and chooses MPI_STATUSES_IGNORE. Returns the
   number of requests. The caller returns the memory by arrays_release. */
static inline __attribute__((always_inline)) size_t requests_take(struct request_arrays *x, int count, const A_MPI_Request *requests)
{
    size_t n = (unsigned)count;
    R_MPI_Request *taken = x->small;
    x->n = n;
    x->r = taken;
    x->s = R_MPI_STATUSES_IGNORE;
    if (unlikely(!requests || n - 1 >= SMALL)) {
        arrays_unusual(x, count, requests);
        n = x->n;
        taken = x->r;
    }
    for (size_t i = 0; i < n; i++) {
        const A_MPI_Request a = requests[i];
        const R_MPI_Request r = REQUEST_a2r(a);
        if (R_FOLLOWS_REQUEST && unlikely(!REQUEST_IS_PLAIN(a) && !r)) {
            arrays_refuse(x);
            return 0;
        }
        taken[i] = r;
    }
    return n;
}

/* Prepares n statuses for the runtime. */
static inline void statuses_prepare(struct request_arrays *x, size_t n)
{
    x->s = x->small_statuses;
    if (unlikely(n > SMALL))
        x->s = wi4go_scratch_alloc(n * sizeof *x->s);
    for (size_t i = 0; i < n; i++) {
        status_unset(&x->s[i]);
        x->s[i].MPI_ERROR = (int)SOURCE_UNSET;
    }
}

/* Prepares n statuses for the runtime, unless the program ignores them. If its array is missing,
   the runtime gets none either. */
static inline __attribute__((always_inline)) void statuses_take(struct request_arrays *x, size_t n, const A_MPI_Status *statuses)
{
    if (unlikely(!statuses) && A_MPI_STATUSES_IGNORE)
        x->s = NULL;
    else if (unlikely(statuses != A_MPI_STATUSES_IGNORE))
        statuses_prepare(x, n);
}

/* Returns the scratch memory of a call, in the opposite order. */
static inline void arrays_release(struct request_arrays *x)
{
    if (likely(x->n <= SMALL))
        return;
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        wi4go_scratch_free(x->s, x->n * sizeof *x->s);
    wi4go_scratch_free(x->r, x->n * sizeof *x->r);
}

/* Declares arrays that are given back at the end of the block, even if a C++ exception of a
   callback passes through it. */
#define ARRAYS __attribute__((cleanup(arrays_release))) struct request_arrays

/* ---- after the call ---- */

/* Stores the program's handles after a call that may have completed any of the requests. */
static inline void requests_after(struct request_arrays *x, A_MPI_Request *requests)
{
    for (size_t i = 0; i < x->n; i++)
        requests[i] = REQUEST_after(requests[i], x->r[i]);
}

/* Stores the program's handle of the one request that a call has completed: the one at *index,
   unless that is MPI_UNDEFINED. index may be NULL. */
static inline void request_after(struct request_arrays *x, A_MPI_Request *requests, const int *index)
{
    if (likely(index && (size_t)*index < x->n))
        requests[*index] = REQUEST_after(requests[*index], x->r[*index]);
}

/* Stores the program's handles after a call that has started the requests. */
static inline void requests_restarted(struct request_arrays *x, A_MPI_Request *requests)
{
    for (size_t i = 0; i < x->n; i++)
        if (unlikely(x->r[i] != REQUEST_a2r(requests[i])))
            requests[i] = REQUEST_restarted(requests[i], x->r[i]);
}

/* Returns the number of statuses that a call has set, which it has stored in *number. number may
   be NULL. */
static inline size_t statuses_set(const int *number) { return number && *number > 0 ? (size_t)*number : 0; }

/* Marks the statuses of a successful call as successful, as every library does. */
static inline void statuses_succeed(struct request_arrays *x)
{
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        for (size_t i = 0; i < x->n; i++)
            x->s[i].MPI_ERROR = R_MPI_SUCCESS;
}

/* Converts the first n statuses of a successful call. Their MPI_ERROR is not significant. Some
   libraries write MPI_SUCCESS into each, and there are programs that read it, so it is copied.
   MPICH 4.0 does not write MPI_ERROR for a null request. */
static inline void statuses_after(struct request_arrays *x, A_MPI_Status *statuses, size_t n)
{
    if (!x->s || x->s == R_MPI_STATUSES_IGNORE)
        return;
    for (size_t i = 0; i < n; i++) {
        status_r2a_filled(&x->s[i], &statuses[i]);
        if (x->s[i].MPI_ERROR == R_MPI_SUCCESS)
            statuses[i].MPI_ERROR = A_MPI_SUCCESS;
    }
}

/* Converts those of the first n statuses that a call has set before it returned the error rc. They
   are significant only if rc is of the class MPI_ERR_IN_STATUS. */
UNUSUAL __attribute__((cold)) void statuses_failed(struct request_arrays *x, A_MPI_Status *statuses, size_t n, int rc)
{
    int class = 0;
    if (!x->s || x->s == R_MPI_STATUSES_IGNORE)
        return;
    R_MPI_Error_class(rc, &class);
    if (class != R_MPI_ERR_IN_STATUS)
        return;
    for (size_t i = 0; i < n; i++)
        if (x->s[i].MPI_ERROR != (int)SOURCE_UNSET)
            status_r2a_all(&x->s[i], &statuses[i]);
}
#endif
