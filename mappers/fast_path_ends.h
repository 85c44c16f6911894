/*
 * Functions that the assembly of the fast paths (gen/assembly/fast_path.go, fast_path_x86_64.h)
 * calls after the runtime's function, for the unusual cases. Nothing else calls them. The functions
 * that finish a call for many requests are generated (gen/pair/completion.go).
 *
 * Gives: the functions that the assembly calls.
 * Needs: pair.h, layout.h, errors.h, handles.h, request_handles.h, status.h.
 */
#ifndef WI4GO_FAST_PATH_ENDS_H
#define WI4GO_FAST_PATH_ENDS_H
#include "pair.h"
#include "layout.h"
#include "errors.h"
#include "handles.h"
#include "request_handles.h"
#include "status.h"

#if FAST_PATHS

#if RANKS_FLIP
/* Reports whether exclusive or with RANK_FLIP converts a special rank, as the assembly does. */
#define FLIPS(rank) (A_##rank == (R_##rank ^ RANK_FLIP) && R_##rank >= LOWEST_RANK && A_##rank >= LOWEST_RANK)
_Static_assert(FLIPS(MPI_ANY_SOURCE) && FLIPS(MPI_PROC_NULL) && FLIPS(MPI_ROOT), "layout.h");
_Static_assert(A_MPI_ANY_TAG == R_MPI_ANY_TAG, "fast_path_x86_64.h leaves tags as they are");
#endif

/* Returns the program's error code for a call that failed. */
HIDDEN int PAIR(error)(int rc);
HIDDEN int PAIR(error)(int rc) { return error_r2a(rc); }

/* Converts the status of a call that failed, if the runtime has set it. Returns the program's
   error code. */
HIDDEN int PAIR(status_failed)(int rc, const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN int PAIR(status_failed)(int rc, const R_MPI_Status *r, A_MPI_Status *a)
{
    if (a != A_MPI_STATUS_IGNORE && status_is_set(r))
        status_r2a_special(r, a);
    return error_r2a(rc);
}

/* Converts a status with a special rank, a long count or a cancelled request. */
HIDDEN void PAIR(status_special)(const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN void PAIR(status_special)(const R_MPI_Status *r, A_MPI_Status *a) { status_r2a_filled(r, a); }

/* Converts the status of MPI_Waitany or MPI_Testany if it is special, unless the runtime has
   not set it. */
HIDDEN void PAIR(status_of_any)(const R_MPI_Status *r, A_MPI_Status *a);
HIDDEN void PAIR(status_of_any)(const R_MPI_Status *r, A_MPI_Status *a)
{
    if (status_is_set(r))
        status_r2a(r, a);
}

#if A_HANDLE_BITS == 32
/* Returns a handle for one more reference to an object, in the cases that HT_INSERT
   (ht_x86_64.h) does not serve. Ends the process if the table is full. */
HIDDEN uint32_t PAIR(insert)(struct handletable *t, void *object);
HIDDEN uint32_t PAIR(insert)(struct handletable *t, void *object)
{
    static const char *const kinds[] = {"COMM", "DATATYPE", "ERRHANDLER", "GROUP", "INFO", "MESSAGE", "OP", "REQUEST", "SESSION", "WIN"};
    uint32_t a = ht_insert(t, object);
    if (!a)
        table_full(kinds[t - &tables.COMM]);
    return a;
}

/* Ends a request that occupies a slot. Returns rc, the code of the call, which may have failed. */
HIDDEN int PAIR(request_ended)(A_MPI_Request *request, int rc);
HIDDEN int PAIR(request_ended)(A_MPI_Request *request, int rc)
{
    *request = REQUEST_after(*request, R_MPI_REQUEST_NULL);
    return rc;
}

/* Stores the other object that the runtime has put in place of a request with a slot. */
HIDDEN void PAIR(request_restarted)(A_MPI_Request *request, R_MPI_Request r);
HIDDEN void PAIR(request_restarted)(A_MPI_Request *request, R_MPI_Request r) { *request = REQUEST_restarted(*request, r); }
#endif
#endif
#endif
