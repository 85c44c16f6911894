/*
 * What the fast paths (gen/assembly/fast.go, fast_x86_64.h) leave to C when a call did
 * not go as usual. Only their assembly calls these.
 *
 * Gives: the functions that the assembly calls.
 * Needs: pair.h, layout.h, errors.h, handles.h, request_handles.h, status.h, requests.h.
 */
#ifndef WI4GO_FAST_H
#define WI4GO_FAST_H
#include "pair.h"
#include "layout.h"
#include "errors.h"
#include "handles.h"
#include "request_handles.h"
#include "status.h"
#include "requests.h"

#if FAST_PATHS

#if RANKS_FLIP
#define FLIPS(rank) (A_##rank == (R_##rank ^ RANK_FLIP) && R_##rank >= LOWEST_RANK && A_##rank >= LOWEST_RANK)
_Static_assert(FLIPS(MPI_ANY_SOURCE) && FLIPS(MPI_PROC_NULL) && FLIPS(MPI_ROOT), "layout.h");
_Static_assert(A_MPI_ANY_TAG == R_MPI_ANY_TAG, "fast_x86_64.h leaves tags as they are");
#endif

/* A call failed: returns the program's error code. */
HIDDEN int PAIR(error)(int rc);
HIDDEN int PAIR(error)(int rc) { return error_r2a(rc); }

HIDDEN int PAIR(status_failed)(int rc, const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN int PAIR(status_failed)(int rc, const R_MPI_Status *r, A_MPI_Status *a)
{
    if (a != A_MPI_STATUS_IGNORE && status_is_set(r))
        status_r2a_special(r, a);
    return error_r2a(rc);
}

/* A status with a special rank, a long count, or of a cancelled request. */
HIDDEN void PAIR(status_special)(const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN void PAIR(status_special)(const R_MPI_Status *r, A_MPI_Status *a) { status_r2a_filled(r, a); }

/* Completed, but one did not end, a status is special, or the call failed (rc).
   May see requests and statuses that have been converted already. */
HIDDEN int PAIR(requests_finish)(int count, A_MPI_Request *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc);
HIDDEN int PAIR(requests_finish)(int count, A_MPI_Request *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc)
{
    struct request_arrays x = {.r = r, .s = s, .n = (size_t)count};
    return waitall_after(&x, requests, statuses, rc);
}

/* The same of MPI_Testall. */
HIDDEN int PAIR(requests_tested)(int count, A_MPI_Request *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc, int unused, const int *flag);
HIDDEN int PAIR(requests_tested)(int count, A_MPI_Request *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc, int unused, const int *flag)
{
    struct request_arrays x = {.r = r, .s = s, .n = (size_t)count};
    return testall_after(&x, requests, flag, statuses, rc);
}

/* MPI_Waitsome, MPI_Testsome: the call failed, or a status is special. May see
   requests and statuses that have been converted already. */
HIDDEN int PAIR(some_finish)(int count, A_MPI_Request *requests, R_MPI_Request *r, R_MPI_Status *s, A_MPI_Status *statuses, int rc, int unused, const int *outcount);
HIDDEN int PAIR(some_finish)(int count, A_MPI_Request *requests, R_MPI_Request *r, R_MPI_Status *s, A_MPI_Status *statuses, int rc, int unused, const int *outcount)
{
    struct request_arrays x = {.r = r, .s = s, .n = (size_t)count};
    return some_after(&x, requests, outcount, statuses, rc);
}

/* MPI_Waitany, MPI_Testany: a special status, or none. */
HIDDEN void PAIR(status_of_any)(const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN void PAIR(status_of_any)(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (status_is_set(r))
        status_r2a(r, a);
}

/* The same where the call failed. */
HIDDEN int PAIR(any_failed)(int count, A_MPI_Request *requests, R_MPI_Request *r, const R_MPI_Status *s, A_MPI_Status *status, int rc);
HIDDEN int PAIR(any_failed)(int count, A_MPI_Request *requests, R_MPI_Request *r, const R_MPI_Status *s, A_MPI_Status *status, int rc)
{
    struct request_arrays x = {.r = r, .n = (size_t)count};
    return any_failed_after(&x, requests, s, status, rc);
}

#if A_HANDLE_BITS == 32
/* What HT_INSERT (ht_x86_64.h) leaves over. */
HIDDEN uint32_t PAIR(insert)(struct handletable *t, void *object);
HIDDEN uint32_t PAIR(insert)(struct handletable *t, void *object)
{
    static const char *const kinds[] = {"COMM", "DATATYPE", "ERRHANDLER", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST", "SESSION", "WIN"};
    uint32_t a = ht_insert(t, object);
    if (!a)
        table_full(kinds[t - &tables.COMM]);
    return a;
}

/* A request with a slot is over, perhaps in a call that failed, whose code comes back. */
HIDDEN int PAIR(request_over)(A_MPI_Request *request, int rc);
HIDDEN int PAIR(request_over)(A_MPI_Request *request, int rc)
{
    *request = REQUEST_after(*request, R_MPI_REQUEST_NULL);
    return rc;
}

/* The runtime has put another object behind a request with a slot. */
HIDDEN void PAIR(request_restarted)(A_MPI_Request *request, R_MPI_Request r);
HIDDEN void PAIR(request_restarted)(A_MPI_Request *request, R_MPI_Request r) { *request = REQUEST_restarted(*request, r); }

/* A request that is not near the first one. */
HIDDEN A_MPI_Request PAIR(request_far)(R_MPI_Request r);
HIDDEN A_MPI_Request PAIR(request_far)(R_MPI_Request r) { return REQUEST_r2a(r); }
#endif
#endif
#endif
