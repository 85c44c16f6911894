/*
 * Arrays of requests and statuses (MPI-5.0, 3.7.5). They are converted by hand, because it
 * depends on the result which statuses are significant.
 *
 * A call takes three steps. arrays_take converts the program's requests into an array for the
 * runtime and prepares the runtime's statuses. Then the runtime's function is called. Finally a
 * function that ends in _after stores the program's handles and converts its statuses.
 *
 * Ownership: up to SMALL elements the arrays are in a struct request_arrays on the stack. Larger
 * ones are scratch memory of the thread (front.h), which arrays_give returns. No state is shared
 * between threads, so nothing here needs a lock.
 *
 * Gives: MPI_Waitall and its kind, MPI_Comm_idup; waitall_after, waitall_statuses,
 * testall_after, some_after, any_failed_after.
 * Needs: pair.h, errors.h, handles.h, layout.h, request_handles.h, status.h.
 */
#ifndef WI4GO_REQUESTS_H
#define WI4GO_REQUESTS_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "layout.h"
#include "request_handles.h"
#include "status.h"

#define SMALL 32 /* the most elements of an array on the stack */

/* The runtime's arrays of a call. */
struct request_arrays {
    R_MPI_Request *r, small[SMALL];         /* r: the requests, in small or in scratch memory; NULL for the runtime to refuse */
    R_MPI_Status *s, small_statuses[SMALL]; /* s: the statuses, alike; or MPI_STATUSES_IGNORE; NULL for the runtime to refuse */
    size_t n;                               /* the number of requests */
};

/* ---- unusual cases, defined in one unit of the pair ---- */

/* Makes the runtime refuse the call, because a handle is invalid. A runtime that dereferences
   null pointers among requests, as Open MPI 5 does, may do so before it refuses them. It refuses
   a null pointer for the array, so it gets that. No request of the program then changes. */
#define arrays_refuse PAIR(arrays_refuse)
void arrays_refuse(struct request_arrays *x) HIDDEN __attribute__((cold, noinline));
/* Sets n and r for a call without requests, without an array, or with more than SMALL requests. */
#define arrays_unusual PAIR(arrays_unusual)
void arrays_unusual(struct request_arrays *x, int count, const A_MPI_Request *requests) HIDDEN __attribute__((noinline));
/* Converts the first n statuses that the runtime has set, if rc is MPI_ERR_IN_STATUS. */
#define statuses_failed PAIR(statuses_failed)
void statuses_failed(struct request_arrays *x, A_MPI_Status *statuses, size_t n, int rc) HIDDEN __attribute__((cold, noinline));
/* Stores the results of an MPI_Waitany or MPI_Testany that has failed. Returns the program's
   error code. */
#define any_failed_after PAIR(any_failed_after)
int any_failed_after(struct request_arrays *x, A_MPI_Request *requests, const R_MPI_Status *r_status, A_MPI_Status *status, int rc)
    HIDDEN __attribute__((cold, noinline));
/* Stores the results of an MPI_Waitsome or MPI_Testsome that has failed. Returns the program's
   error code. */
#define some_failed PAIR(some_failed)
int some_failed(struct request_arrays *x, A_MPI_Request *requests, const int *outcount, A_MPI_Status *statuses, int rc)
    HIDDEN __attribute__((cold, noinline));

/* ---- common cases ---- */

/* Converts the program's requests and prepares the runtime's statuses. requests may be NULL. The
   caller gives x back by arrays_give. */
static inline __attribute__((always_inline)) void arrays_take(struct request_arrays *x, int count, const A_MPI_Request *requests, const A_MPI_Status *statuses)
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
            n = 0;
            break;
        }
        taken[i] = r;
    }
    if (unlikely(!statuses) && A_MPI_STATUSES_IGNORE) {
        x->s = NULL;
    } else if (unlikely(statuses != A_MPI_STATUSES_IGNORE)) {
        x->s = x->small_statuses;
        if (unlikely(n > SMALL))
            x->s = wi4go_scratch_take(n * sizeof *x->s);
        for (size_t i = 0; i < n; i++) {
            status_unset(&x->s[i]);
            x->s[i].MPI_ERROR = (int)SOURCE_UNSET;
        }
    }
}

/* Returns the scratch memory of a call, in the opposite order. */
static inline void arrays_give(struct request_arrays *x)
{
    if (likely(x->n <= SMALL))
        return;
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        wi4go_scratch_give(x->s, x->n * sizeof *x->s);
    wi4go_scratch_give(x->r, x->n * sizeof *x->r);
}

/* Declares arrays that are given back at the end of the block, even if a C++ exception of a
   callback passes through it. */
#define ARRAYS __attribute__((cleanup(arrays_give))) struct request_arrays

/* Stores the program's handles after a call. */
static inline void requests_after(struct request_arrays *x, A_MPI_Request *requests)
{
    for (size_t i = 0; i < x->n; i++)
        requests[i] = REQUEST_after(requests[i], x->r[i]);
}

/* Converts the first n statuses after a call that returned rc. Their MPI_ERROR is significant
   only if rc is MPI_ERR_IN_STATUS. After success some libraries write MPI_SUCCESS into each, and
   there are programs that read it, so it is copied. MPICH 4.0 does not write MPI_ERROR for a
   null request. */
static inline void statuses_after(struct request_arrays *x, A_MPI_Status *statuses, size_t n, int rc)
{
    if (!x->s || x->s == R_MPI_STATUSES_IGNORE)
        return;
    if (likely(!rc)) {
        for (size_t i = 0; i < n; i++) {
            status_r2a_filled(&x->s[i], &statuses[i]);
            if (x->s[i].MPI_ERROR == R_MPI_SUCCESS)
                statuses[i].MPI_ERROR = A_MPI_SUCCESS;
        }
    } else {
        statuses_failed(x, statuses, n, rc);
    }
}

/* Converts the statuses of a successful MPI_Waitall, after which every library has MPI_SUCCESS
   in each status. */
static inline void waitall_statuses(struct request_arrays *x, A_MPI_Status *statuses)
{
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        for (size_t i = 0; i < x->n; i++)
            x->s[i].MPI_ERROR = R_MPI_SUCCESS;
    statuses_after(x, statuses, x->n, 0);
}

/* Stores the results of MPI_Waitall. Returns the program's error code. */
static inline int waitall_after(struct request_arrays *x, A_MPI_Request *requests, A_MPI_Status *statuses, int rc)
{
    requests_after(x, requests);
    if (unlikely(rc)) {
        statuses_after(x, statuses, x->n, rc);
        return error_r2a(rc);
    }
    waitall_statuses(x, statuses);
    return 0;
}

static int A_MPI_Waitall(int count, A_MPI_Request *array_of_requests, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, count, array_of_requests, array_of_statuses);
    return waitall_after(&x, array_of_requests, array_of_statuses, R_MPI_Waitall(count, x.r, x.s));
}

/* Stores the results of MPI_Testall, unless some requests are not complete. Returns the program's
   error code. */
static inline int testall_after(struct request_arrays *x, A_MPI_Request *requests, const int *flag, A_MPI_Status *statuses, int rc)
{
    if (rc || *flag) {
        requests_after(x, requests);
        statuses_after(x, statuses, x->n, rc);
    }
    return likely(!rc) ? 0 : error_r2a(rc);
}

static int A_MPI_Testall(int count, A_MPI_Request *array_of_requests, int *flag, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, count, array_of_requests, array_of_statuses);
    return testall_after(&x, array_of_requests, flag, array_of_statuses, R_MPI_Testall(count, x.r, flag, x.s));
}

/* Stores the results of MPI_Waitany or MPI_Testany, and returns the program's error code. Only
   the request at *index changes. If that has failed, Open MPI ends all requests that have failed
   by then. done is the flag of MPI_Testany, or NULL. Here and below, pointers of the program may
   be null, and the runtime refuses them. */
static inline int any_after(struct request_arrays *x, A_MPI_Request *requests, const int *index, const int *done,
                            const R_MPI_Status *r_status, A_MPI_Status *status, int rc)
{
    if (unlikely(rc))
        return any_failed_after(x, requests, r_status, status, rc);
    if (done && !*done)
        return 0;
    if (likely(index && (size_t)*index < x->n)) /* not MPI_UNDEFINED */
        requests[*index] = REQUEST_after(requests[*index], x->r[*index]);
    if (status != A_MPI_STATUS_IGNORE && status_is_set(r_status))
        status_r2a(r_status, status);
    return 0;
}

static int A_MPI_Waitany(int count, A_MPI_Request *array_of_requests, int *indx, A_MPI_Status *status)
{
    ARRAYS x;
    R_MPI_Status r_status;
    status_unset(&r_status);
    arrays_take(&x, count, array_of_requests, A_MPI_STATUSES_IGNORE);
    if (likely(indx))
        *indx = R_MPI_UNDEFINED;
    int rc = R_MPI_Waitany(count, x.r, indx,
                                  status == A_MPI_STATUS_IGNORE ? R_MPI_STATUS_IGNORE : &r_status);
    return any_after(&x, array_of_requests, indx, NULL, &r_status, status, rc);
}

static int A_MPI_Testany(int count, A_MPI_Request *array_of_requests, int *indx, int *flag, A_MPI_Status *status)
{
    ARRAYS x;
    R_MPI_Status r_status;
    status_unset(&r_status);
    arrays_take(&x, count, array_of_requests, A_MPI_STATUSES_IGNORE);
    if (likely(indx))
        *indx = R_MPI_UNDEFINED;
    int rc = R_MPI_Testany(count, x.r, indx, flag,
                                  status == A_MPI_STATUS_IGNORE ? R_MPI_STATUS_IGNORE : &r_status);
    return any_after(&x, array_of_requests, indx, flag, &r_status, status, rc);
}

/* Stores the results of MPI_Waitsome or MPI_Testsome. Returns the program's error code. */
static inline int some_after(struct request_arrays *x, A_MPI_Request *requests, const int *outcount, A_MPI_Status *statuses, int rc)
{
    if (unlikely(rc))
        return some_failed(x, requests, outcount, statuses, rc);
    if (*outcount <= 0) /* MPI_UNDEFINED too */
        return 0;
    requests_after(x, requests);
    statuses_after(x, statuses, (size_t)*outcount, 0);
    return 0;
}

static int A_MPI_Waitsome(int incount, A_MPI_Request *array_of_requests, int *outcount, int *array_of_indices, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, incount, array_of_requests, array_of_statuses);
    if (likely(outcount))
        *outcount = 0;
    int rc = R_MPI_Waitsome(incount, x.r, outcount, array_of_indices, x.s);
    return some_after(&x, array_of_requests, outcount, array_of_statuses, rc);
}

static int A_MPI_Testsome(int incount, A_MPI_Request *array_of_requests, int *outcount, int *array_of_indices, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, incount, array_of_requests, array_of_statuses);
    if (likely(outcount))
        *outcount = 0;
    int rc = R_MPI_Testsome(incount, x.r, outcount, array_of_indices, x.s);
    return some_after(&x, array_of_requests, outcount, array_of_statuses, rc);
}

static int A_MPI_Startall(int count, A_MPI_Request *array_of_requests)
{
    ARRAYS x;
    arrays_take(&x, count, array_of_requests, A_MPI_STATUSES_IGNORE);
    int rc = R_MPI_Startall(count, x.r);
    for (size_t i = 0; i < x.n; i++)
        if (unlikely(x.r[i] != REQUEST_a2r(array_of_requests[i])))
            array_of_requests[i] = REQUEST_restarted(array_of_requests[i], x.r[i]);
    return likely(!rc) ? 0 : error_r2a(rc);
}

static int A_MPI_Request_get_status_all(int count, const A_MPI_Request *array_of_requests, int *flag, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, count, array_of_requests, array_of_statuses);
    int rc = R_MPI_Request_get_status_all(count, x.r, flag, x.s);
    if (rc || *flag)
        statuses_after(&x, array_of_statuses, x.n, rc);
    return likely(!rc) ? 0 : error_r2a(rc);
}

static int A_MPI_Request_get_status_any(int count, const A_MPI_Request *array_of_requests, int *indx, int *flag, A_MPI_Status *status)
{
    ARRAYS x;
    R_MPI_Status r_status;
    status_unset(&r_status);
    arrays_take(&x, count, array_of_requests, A_MPI_STATUSES_IGNORE);
    int rc = R_MPI_Request_get_status_any(count, x.r, indx, flag,
                                                 status == A_MPI_STATUS_IGNORE ? R_MPI_STATUS_IGNORE : &r_status);
    if (status != A_MPI_STATUS_IGNORE && status_is_set(&r_status) && (rc || *flag))
        status_r2a(&r_status, status);
    return likely(!rc) ? 0 : error_r2a(rc);
}

static int A_MPI_Request_get_status_some(int incount, const A_MPI_Request *array_of_requests, int *outcount, int *array_of_indices, A_MPI_Status *array_of_statuses)
{
    ARRAYS x;
    arrays_take(&x, incount, array_of_requests, array_of_statuses);
    if (likely(outcount))
        *outcount = 0;
    int rc = R_MPI_Request_get_status_some(incount, x.r, outcount, array_of_indices, x.s);
    statuses_after(&x, array_of_statuses, outcount && *outcount > 0 ? (size_t)*outcount : 0, rc);
    return likely(!rc) ? 0 : error_r2a(rc);
}

#if DEFINES_SHARED
void arrays_refuse(struct request_arrays *x)
{
    if (x->n > SMALL)
        wi4go_scratch_give(x->r, x->n * sizeof *x->r);
    x->r = NULL;
    x->n = 0;
}

void arrays_unusual(struct request_arrays *x, int count, const A_MPI_Request *requests)
{
    x->n = requests && count > 0 ? (size_t)count : 0;
    x->r = x->n > SMALL ? wi4go_scratch_take(x->n * sizeof *x->r) : requests ? x->small : NULL;
}

/* Reports whether a runtime's error code is of the class MPI_ERR_IN_STATUS. */
static int is_in_status(int rc)
{
    int class = 0;
    R_MPI_Error_class(rc, &class);
    return class == R_MPI_ERR_IN_STATUS;
}

void statuses_failed(struct request_arrays *x, A_MPI_Status *statuses, size_t n, int rc)
{
    if (is_in_status(rc))
        for (size_t i = 0; i < n; i++)
            if (x->s[i].MPI_ERROR != (int)SOURCE_UNSET)
                status_r2a_all(&x->s[i], &statuses[i]);
}

int any_failed_after(struct request_arrays *x, A_MPI_Request *requests, const R_MPI_Status *r_status, A_MPI_Status *status, int rc)
{
    requests_after(x, requests);
    if (status != A_MPI_STATUS_IGNORE && status_is_set(r_status))
        status_r2a(r_status, status);
    return error_r2a(rc);
}

int some_failed(struct request_arrays *x, A_MPI_Request *requests, const int *outcount, A_MPI_Status *statuses, int rc)
{
    requests_after(x, requests);
    statuses_after(x, statuses, outcount && *outcount > 0 ? (size_t)*outcount : 0, rc);
    return error_r2a(rc);
}
#endif

/* Completes a call that duplicates a communicator, which returned rc, and writes the tracked
   request to *request. The program reads the new handle at its *newcomm after the completion. A
   runtime delivers the handle with the completion or with the call. In the latter case the
   program gets it at once; a Fortran library depends on that, because its *newcomm does not
   exist after the call. Returns the program's error code. */
static int idup_after(int rc, struct record *o, R_MPI_Request r, A_MPI_Request *request)
{
    if (unlikely(rc)) {
        record_discard(o);
        return error_r2a(rc);
    }
    record_deliver(o);
    *request = REQUEST_with_record(r, o);
    return 0;
}

static int A_MPI_Comm_idup(A_MPI_Comm comm, A_MPI_Comm *newcomm, A_MPI_Request *request)
{
    struct record *o = record_new();
    R_MPI_Request r = R_MPI_REQUEST_NULL;
    o->comm = R_MPI_COMM_NULL;
    o->target = newcomm;
    int rc = R_MPI_Comm_idup(COMM_a2r(comm), newcomm ? &o->comm : NULL, request ? &r : NULL);
    return idup_after(rc, o, r, request);
}

static int A_MPI_Comm_idup_with_info(A_MPI_Comm comm, A_MPI_Info info, A_MPI_Comm *newcomm, A_MPI_Request *request)
{
    struct record *o = record_new();
    R_MPI_Request r = R_MPI_REQUEST_NULL;
    o->comm = R_MPI_COMM_NULL;
    o->target = newcomm;
    int rc = R_MPI_Comm_idup_with_info(COMM_a2r(comm), INFO_a2r(info), newcomm ? &o->comm : NULL, request ? &r : NULL);
    return idup_after(rc, o, r, request);
}
#endif
