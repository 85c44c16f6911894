/*
 * Handles of requests, both ways: one interface, of which there are two
 * implementations, by the size of the program's handles (requests_int.h,
 * requests_wide.h). A request may be one of ours, which has a record (request_records.h).
 *
 *   REQUEST_a2r(a)               the runtime's request
 *   REQUEST_r2a(r)               the program's, of a call that may start nothing
 *   REQUEST_r2a_started(r)       of one that always starts an operation
 *   REQUEST_r2a_persistent(r)    of one that makes a persistent request
 *   REQUEST_after(a, r)          what the program's variable holds after a call that
 *                                may have completed a and left r in its place
 *   REQUEST_restarted(a, r)      after a start that has put another object behind a
 *                                persistent request, as Open MPI does when the last
 *                                transfer has not left the library yet
 *   REQUEST_with_record(r, kept)         the program's handle of a request that has a record
 *   requests_prepare()           before the first of them
 *
 * Gives: the interface.
 * Needs: pair.h, handles.h, request_records.h, requests_int.h, requests_wide.h.
 */
#ifndef WI4GO_REQUEST_HANDLES_H
#define WI4GO_REQUEST_HANDLES_H
#include "pair.h"
#if !SAME_FAMILY
#include "handles.h"
#include "request_records.h"
#if A_HANDLE_BITS == 32
#include "requests_int.h"
#else
#include "requests_wide.h"
#endif

/* The program may wait for a copy of a request that stands for many operations. Such a
   request gets no record, because the handle of a record ends with the first wait. */
#define REQUEST_with_record PAIR(REQUEST_with_record)
A_MPI_Request REQUEST_with_record(R_MPI_Request r, struct record *kept) HIDDEN;
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

A_MPI_Request REQUEST_with_record(R_MPI_Request r, struct record *kept)
{
    if (request_is_shared(r)) {
        record_deliver(kept);
        record_discard(kept);
        return REQUEST_r2a(r);
    }
    record_list(kept, r);
    return (A_MPI_Request)kept->handle;
}

A_MPI_Request REQUEST_restarted(A_MPI_Request a, R_MPI_Request r)
{
    if (wi4go_is_record(a)) {
        struct record *o = record_of(a);
        if (o)
            record_replace(o, r);
        return a;
    }
    return REQUEST_replaced(a, r);
}
#endif
#endif
#endif
