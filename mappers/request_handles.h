/*
 * Handles of requests, both ways: one interface, of which there are two
 * implementations, by the size of the program's handles (requests_int.h,
 * requests_wide.h). A request may be one of ours, which has a record (own.h).
 *
 *   REQUEST_a2r(a)               the runtime's request
 *   REQUEST_r2a(r)               the program's, of a call that may start nothing
 *   REQUEST_r2a_started(r)       of one that always starts an operation
 *   REQUEST_r2a_persistent(r)    of one that makes a persistent request
 *   REQUEST_after(a, r)          what the program's variable holds after a call that
 *                                may have completed a and left r in its place
 *   REQUEST_restarted(a, r)      after a start: some runtimes put another object
 *                                behind a persistent request (Open MPI, when the last
 *                                transfer has not left the library yet)
 *   REQUEST_own(r, kept)         the program's handle of a request that has a record
 *   requests_prepare()           before the first of them
 *
 * Gives: the interface.
 * Needs: pair.h, handles.h, own.h, requests_int.h, requests_wide.h.
 */
#ifndef WI4GO_REQUEST_HANDLES_H
#define WI4GO_REQUEST_HANDLES_H
#include "pair.h"
#if !SAME_FAMILY
#include "handles.h"
#include "own.h"
#if A_HANDLE_BITS == 32
#include "requests_int.h"
#else
#include "requests_wide.h"
#endif

static A_MPI_Request REQUEST_own(R_MPI_Request r, struct own *kept)
{
    if (r == R_MPI_REQUEST_NULL) {
        own_discard(kept);
        return A_MPI_REQUEST_NULL;
    }
    own_list(kept, r);
    return (A_MPI_Request)kept->handle;
}

static A_MPI_Request REQUEST_restarted(A_MPI_Request a, R_MPI_Request r)
{
    if (wi4go_is_record(a)) {
        struct own *o = own_of(a);
        if (o)
            own_replace(o, r);
        return a;
    }
    return REQUEST_replaced(a, r);
}
#endif
#endif
