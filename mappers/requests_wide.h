/*
 * Handles of requests as 64-bit numbers. A handle contains the runtime's, with a tag or
 * unchanged; or it is a tracked request's (tracked_requests.h) or a predefined one. The
 * implementation of the other handles (handles_pointer.h, handles_standard.h) defines how they
 * are distinguished: REQUEST_IS_PLAIN, REQUEST_FROM_PLAIN, request_predefined and A_FROM_R.
 *
 * Gives: the interface of request_handles.h, except for the part that all implementations share.
 * Needs: pair.h, handles.h, request_pool.h, tracked_requests.h.
 */
#ifndef WI4GO_REQUESTS_WIDE_H
#define WI4GO_REQUESTS_WIDE_H
#include "pair.h"
#include "handles.h"
#if R_HANDLE_BITS == 64
#include "request_pool.h"
#endif
#include "tracked_requests.h"

static inline R_MPI_Request REQUEST_a2r(A_MPI_Request a)
{
    if (likely(REQUEST_IS_PLAIN(a)))
        return REQUEST_FROM_PLAIN(a);
    return wi4go_is_tracked(a) ? tracked_a2r(a) : request_predefined(a);
}

static inline A_MPI_Request REQUEST_r2a(R_MPI_Request r)
{
    return unlikely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : A_FROM_R(r);
}

static inline A_MPI_Request REQUEST_r2a_started(R_MPI_Request r) { return A_FROM_R(r); }
static inline A_MPI_Request REQUEST_r2a_persistent(R_MPI_Request r) { return REQUEST_r2a(r); }

/* Does the work of REQUEST_after for a tracked request. */
#define REQUEST_after_tracked PAIR(REQUEST_after_tracked)
A_MPI_Request REQUEST_after_tracked(A_MPI_Request a, R_MPI_Request r) HIDDEN __attribute__((noinline));
#if DEFINES_SHARED
A_MPI_Request REQUEST_after_tracked(A_MPI_Request a, R_MPI_Request r)
{
    struct tracked_request *o = tracked_of(a);
    if (r != R_MPI_REQUEST_NULL || !o)
        return a;
    tracked_end(o);
    return A_MPI_REQUEST_NULL;
}
#endif

static inline A_MPI_Request REQUEST_after(A_MPI_Request a, R_MPI_Request r)
{
    if (unlikely(!REQUEST_IS_PLAIN(a)) && wi4go_is_tracked(a))
        return REQUEST_after_tracked(a, r);
    return likely(r == R_MPI_REQUEST_NULL) ? A_MPI_REQUEST_NULL : a;
}

/* Returns the handle of a persistent request whose object is now r. */
static inline A_MPI_Request REQUEST_replaced(A_MPI_Request a, R_MPI_Request r)
{
    return REQUEST_IS_PLAIN(a) && r != R_MPI_REQUEST_NULL ? A_FROM_R(r) : a;
}

#if DEFINES_SHARED
static inline void requests_prepare(void)
{
    wi4go_thread_exit = tracked_thread_exit;
#if R_HANDLE_BITS == 64
    pool_prepare();
#endif
}
#endif
#endif
