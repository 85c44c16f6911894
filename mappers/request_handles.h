/*
 * Conversion of request handles in both directions. There is one interface with two
 * implementations, chosen by the size of the program's handles: requests_int.h and
 * requests_wide.h. A request can be a tracked one, which has a struct tracked_request
 * (tracked_requests.h).
 *
 *   REQUEST_a2r(a)               returns the runtime's request
 *   REQUEST_r2a(r)               returns the program's handle after a call that may start
 *                                nothing
 *   REQUEST_r2a_started(r)       returns it after a call that always starts an operation
 *   REQUEST_r2a_persistent(r)    returns it after a call that creates a persistent request
 *   REQUEST_after(a, r)          returns the handle to store in the program's variable after a
 *                                call that may have completed a and left r in its place
 *   REQUEST_restarted(a, r)      returns the handle to store after a start that has replaced the
 *                                object of a persistent request by r. Open MPI does that if the
 *                                last transfer has not left the library yet
 *   REQUEST_tracked(r, kept) returns the program's handle of a request that becomes tracked
 *   requests_prepare()           is called once, before the others
 *
 * Gives: the interface.
 * Needs: pair.h, handles.h, tracked_requests.h, requests_int.h, requests_wide.h.
 */
#ifndef WI4GO_REQUEST_HANDLES_H
#define WI4GO_REQUEST_HANDLES_H
#include "pair.h"
#if !SAME_FAMILY
#include "handles.h"
#include "tracked_requests.h"
#if A_HANDLE_BITS == 32
#include "requests_int.h"
#else
#include "requests_wide.h"
#endif

/* Takes over the struct `kept`. The request of many operations at once does not become tracked,
   because the program may wait for a copy of it, and the handle of a tracked request ends with
   the first wait. */
#define REQUEST_tracked PAIR(REQUEST_tracked)
A_MPI_Request REQUEST_tracked(R_MPI_Request r, struct tracked_request *kept) HIDDEN;
#define REQUEST_restarted PAIR(REQUEST_restarted)
A_MPI_Request REQUEST_restarted(A_MPI_Request a, R_MPI_Request r) HIDDEN __attribute__((noinline));

#if DEFINES_SHARED
/* Reports whether a request is MPI_REQUEST_NULL or one of the empty requests, which the
   runtime returns for many operations at once. */
static int request_is_shared(R_MPI_Request r)
{
#if R_HANDLE_BITS == 64
    if (empty_index((int64_t)r) >= 0)
        return 1;
#endif
    return r == R_MPI_REQUEST_NULL;
}

A_MPI_Request REQUEST_tracked(R_MPI_Request r, struct tracked_request *kept)
{
    if (request_is_shared(r)) {
        tracked_deliver(kept);
        tracked_discard(kept);
        return REQUEST_r2a(r);
    }
    tracked_enter(kept, r);
    return (A_MPI_Request)kept->handle;
}

A_MPI_Request REQUEST_restarted(A_MPI_Request a, R_MPI_Request r)
{
    if (wi4go_is_tracked(a)) {
        struct tracked_request *o = tracked_of(a);
        if (o)
            tracked_replace(o, r);
        return a;
    }
    return REQUEST_replaced(a, r);
}
#endif
#endif
#endif
