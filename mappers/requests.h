/*
 * Arrays of requests and statuses (MPI-5.0, 3.7.5): translated by hand, since
 * which statuses mean something depends on the result.
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

#define SMALL 32 /* up to so many, arrays live on the stack */

struct request_arrays {
    R_MPI_Request *r, small[SMALL];
    R_MPI_Status *s, small_statuses[SMALL];
    size_t n;
};

/* ---- what is unusual: in one unit of the pair ---- */

#define arrays_refuse PAIR(arrays_refuse)
void arrays_refuse(struct request_arrays *x) HIDDEN __attribute__((cold, noinline));
#define arrays_unusual PAIR(arrays_unusual)
void arrays_unusual(struct request_arrays *x, int count, const A_MPI_Request *requests) HIDDEN __attribute__((noinline));
#define statuses_failed PAIR(statuses_failed)
void statuses_failed(struct request_arrays *x, A_MPI_Status *statuses, size_t n, int rc) HIDDEN __attribute__((cold, noinline));
#define any_failed_after PAIR(any_failed_after)
int any_failed_after(struct request_arrays *x, A_MPI_Request *requests, const R_MPI_Status *r_status, A_MPI_Status *status, int rc)
    HIDDEN __attribute__((cold, noinline));
#define some_failed PAIR(some_failed)
int some_failed(struct request_arrays *x, A_MPI_Request *requests, const int *outcount, A_MPI_Status *statuses, int rc)
    HIDDEN __attribute__((cold, noinline));

/* ---- what is usual ---- */

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

static inline void arrays_give(struct request_arrays *x)
{
    if (likely(x->n <= SMALL))
        return;
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        wi4go_scratch_give(x->s, x->n * sizeof *x->s);
    wi4go_scratch_give(x->r, x->n * sizeof *x->r);
}

/* Given back at the end of the block, also when a callback's C++ exception
   passes through it. */
#define ARRAYS __attribute__((cleanup(arrays_give))) struct request_arrays

static inline void requests_after(struct request_arrays *x, A_MPI_Request *requests)
{
    for (size_t i = 0; i < x->n; i++)
        requests[i] = REQUEST_after(requests[i], x->r[i]);
}

/* The first n statuses. Their MPI_ERROR means something only when the call says
   MPI_ERR_IN_STATUS; where all went well, some libraries say so in each, and
   programs have come to look. Of a null request MPICH 4.0 writes none. */
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

/* MPI_Waitall that went well: every library then says so in each status. */
static inline void waitall_statuses(struct request_arrays *x, A_MPI_Status *statuses)
{
    if (x->s && x->s != R_MPI_STATUSES_IGNORE)
        for (size_t i = 0; i < x->n; i++)
            x->s[i].MPI_ERROR = R_MPI_SUCCESS;
    statuses_after(x, statuses, x->n, 0);
}

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

/* Waitany and Testany: one request changes, the one at *index; where it failed,
   Open MPI gives up all that have failed by then. The pointers may be null, which
   is for the runtime to refuse, here and below. */
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

/* Waitsome and Testsome. */
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
/* A runtime that follows null pointers among requests may do so before it refuses them, as
   Open MPI 5 does. It refuses the null pointer as the array, so it is given that where a
   handle is none; no request then changes. */
void arrays_refuse(struct request_arrays *x)
{
    if (x->n > SMALL)
        wi4go_scratch_give(x->r, x->n * sizeof *x->r);
    x->r = NULL;
    x->n = 0;
}

/* None, no array, or many. */
void arrays_unusual(struct request_arrays *x, int count, const A_MPI_Request *requests)
{
    x->n = requests && count > 0 ? (size_t)count : 0;
    x->r = x->n > SMALL ? wi4go_scratch_take(x->n * sizeof *x->r) : requests ? x->small : NULL;
}

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

/* The program finds the new communicator's handle at *newcomm after the completion. The
   runtime delivers it then, or with the call: then the program has it at once, as a Fortran
   library needs it, whose *newcomm is gone after the call. */
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
