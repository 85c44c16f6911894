/*
 * What a pair's bodies of frequent Fortran procedures are written by (gen/pair/frequent.go):
 * handles from Fortran integers, and constants that are addresses.
 *
 * A small integer is a predefined handle and has its place in a table; a larger one is the
 * runtime's handle where that is an int. Over addresses a table has what the program has
 * been given (fortran.h). Programs of a family of ints have no such bodies: their integer is
 * the handle of C.
 *
 * KIND_f2r gives the runtime's handle of a communicator, a datatype, an operation or a
 * window; over addresses 0 for what is not known, of which KIND_ask asks.
 *
 * Gives: F2R, numbers_begin, REQUEST_r2f_started, fortran_buffer, fortran_in_place,
 * is_fortran_ignored, frequent_MPI_Waitall.
 * Needs: pair.h, handles.h, request_handles.h, fortran.h, requests.h, replace.h, frequent.h.
 */
#ifndef WI4GO_FREQUENT_BODIES_H
#define WI4GO_FREQUENT_BODIES_H
#include "pair.h"
#include "handles.h"
#include "request_handles.h"
#include "fortran.h"
#include "requests.h"
#include "replace.h"
#include "frequent.h"

extern struct wi4go_fortran_constants wi4go_fortran_constants HIDDEN;

/* MPI_BOTTOM is the null pointer in the C of every family. */
static inline void *fortran_buffer(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.bottom) ? NULL : (void *)p;
}
static inline int is_fortran_ignored(const void *p) { return unlikely(p == wi4go_fortran_constants.status_ignore); }
static inline void *fortran_in_place(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.in_place) ? (void *)A_MPI_IN_PLACE : fortran_buffer(p);
}

#if A_HANDLE_BITS == 64
#if R_HANDLE_BITS == 32
#define F2R(KIND, Name, Type) \
    static inline R_##Type KIND##_f2r(MPI_Fint f) \
    { \
        return likely((unsigned)f >= NUMBERS_KNOWN) ? (R_##Type)f : (R_##Type)known_numbers.small[KIND_##KIND][(unsigned)f]; \
    } \
    static FOR_SIZE void KIND##_begin(void) \
    { \
        for (MPI_Fint f = 0; f < NUMBERS_KNOWN; f++) \
            known_numbers.small[KIND_##KIND][f] = (int64_t)KIND##_a2r(A_MPI_##Name##_f2c(f)); \
    }
#else
#define ENDS(NAME, KIND, Type) \
    static int numbered_##NAME(A_##Type *handle) \
    { \
        A_##Type const ending = handle ? *handle : A_MPI_##KIND##_NULL; \
        const R_##Type r = KIND##_a2r(ending); \
        const int is_numbered = r && r != R_MPI_##KIND##_NULL && fortran_number(KIND_##KIND, (int64_t)ending) < 0; \
        const MPI_Fint number = is_numbered ? KIND##_r_int(r) : 0; \
        if (is_numbered) \
            number_ends(KIND_##KIND, number, (int64_t)R_MPI_##KIND##_NULL); \
        const int rc = ((int (*)(A_##Type *))PAIR(translations)[SLOT_##NAME].function)(handle); \
        if (unlikely(rc) && is_numbered) \
            number_given(KIND_##KIND, number, (int64_t)r); \
        return rc; \
    }
/* What gives the program integers, and what ends objects, where the integers are kept.
   While the object ends, the runtime may give its integer to another one, so it is taken
   away before, and entered again where the object has not ended. */
#define F2R(KIND, Name, Type) \
    static MPI_Fint numbered_MPI_##Name##_c2f(A_##Type name) \
    { \
        const MPI_Fint number = A_MPI_##Name##_c2f(name); \
        if (fortran_number(KIND_##KIND, (int64_t)name) < 0) \
            number_given(KIND_##KIND, number, (int64_t)KIND##_a2r(name)); \
        return number; \
    } \
    ENDS(MPI_##Name##_free, KIND, Type) \
    static inline R_##Type KIND##_f2r(MPI_Fint f) { return (R_##Type)number_known(KIND_##KIND, f); } \
    static FOR_SIZE void KIND##_begin(void) \
    { \
        for (MPI_Fint f = 0; f < N_NUMBERS; f++) { \
            const int64_t a = fortran_predefined(KIND_##KIND, f); \
            if (a) \
                number_given(KIND_##KIND, f, (int64_t)KIND##_a2r((A_##Type)a)); \
        } \
        replace(SLOT_MPI_##Name##_c2f, numbered_MPI_##Name##_c2f); \
        replace(SLOT_MPI_##Name##_toint, numbered_MPI_##Name##_c2f); \
        replace(SLOT_MPI_##Name##_free, numbered_MPI_##Name##_free); \
    } \
    static FOR_SIZE __attribute__((noinline)) void KIND##_ask(MPI_Fint f) \
    { \
        if (!number_known(KIND_##KIND, f)) \
            numbered_MPI_##Name##_c2f(A_MPI_##Name##_f2c(f)); \
    }
#endif
F2R(COMM, Comm, MPI_Comm)
F2R(DATATYPE, Type, MPI_Datatype)
F2R(OP, Op, MPI_Op)
F2R(WIN, Win, MPI_Win)

static MPI_Fint null_request; /* MPI_REQUEST_NULL */

#if R_HANDLE_BITS == 64
ENDS(MPI_Comm_disconnect, COMM, MPI_Comm)
#endif
#define numbers_begin PAIR(numbers_begin)
FOR_SIZE HIDDEN void numbers_begin(void);
void numbers_begin(void)
{
    COMM_begin();
    DATATYPE_begin();
    OP_begin();
    WIN_begin();
#if R_HANDLE_BITS == 64
    replace(SLOT_MPI_Comm_disconnect, numbered_MPI_Comm_disconnect);
#endif
    null_request = A_MPI_Request_c2f(A_MPI_REQUEST_NULL);
}

static inline MPI_Fint REQUEST_r2f_started(R_MPI_Request r) { return REQUEST_r_int(r); }
#if FAST_PATHS && R_HANDLE_BITS == 64
HIDDEN MPI_Fint PAIR(request_number)(R_MPI_Request r);
HIDDEN MPI_Fint PAIR(request_number)(R_MPI_Request r) { return REQUEST_r_int(r); }
#endif

/* ---- MPI_Wait, MPI_Test and, by hand, MPI_Waitall (MPI-5.0, 3.7) ---- */

static inline R_MPI_Request request_f2r(MPI_Fint f)
{
    return f == null_request ? R_MPI_REQUEST_NULL : REQUEST_r_handle(f);
}

/* Whether a request is completed by the pair's bodies: no null one, and none while any has a
   record of ours. */
static inline int is_plain_request(MPI_Fint f)
{
    return likely(!__atomic_load_n(&records.n, __ATOMIC_RELAXED)) && f != null_request && !(R_FOLLOWS_REQUEST && !request_f2r(f));
}

/* It failed: some requests are over and some are not, as in C. */
static __attribute__((cold, noinline)) int fortran_waitall_failed(struct request_arrays *x, MPI_Fint *requests, A_MPI_Status *statuses, int rc)
{
    A_MPI_Request a[SMALL];
    for (size_t i = 0; i < x->n; i++)
        a[i] = A_MPI_Request_f2c(requests[i]);
    rc = waitall_after(x, a, statuses, rc);
    for (size_t i = 0; i < x->n; i++)
        requests[i] = A_MPI_Request_c2f(a[i]);
    return rc;
}

/* Of requests that are the runtime's and no more; while any has a record of ours, all go
   by handles of C. */
static inline int fortran_requests_take(struct request_arrays *x, int count, const MPI_Fint *requests, int ignored)
{
    x->n = (size_t)count;
    x->r = x->small;
    x->s = ignored ? R_MPI_STATUSES_IGNORE : x->small_statuses;
    if (unlikely((unsigned)count > SMALL || __atomic_load_n(&records.n, __ATOMIC_RELAXED)))
        return 0;
    for (size_t i = 0; i < x->n; i++) {
        x->r[i] = request_f2r(requests[i]);
        if (R_FOLLOWS_REQUEST && unlikely(!x->r[i]))
            return 0;
    }
    for (size_t i = 0; !ignored && i < x->n; i++) {
        status_unset(&x->s[i]);
        x->s[i].MPI_ERROR = (int)SOURCE_UNSET;
    }
    return 1;
}

/* It went well; a request is perhaps not over, or a status special. */
static int fortran_waitall_done(struct request_arrays *x, MPI_Fint *requests, A_MPI_Status *statuses)
{
    for (size_t i = 0; i < x->n; i++)
        if (likely(x->r[i] == R_MPI_REQUEST_NULL))
            requests[i] = null_request;
    waitall_statuses(x, statuses);
    return 0;
}

#if FAST_PATHS
/* Completed by the assembly, but one is not over, a status is special, or the call failed
   (rc). May see requests and statuses that have been converted already. */
HIDDEN int PAIR(fortran_requests_finish)(int count, MPI_Fint *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc);
HIDDEN int PAIR(fortran_requests_finish)(int count, MPI_Fint *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc)
{
    struct request_arrays x = {.r = r, .s = s, .n = (size_t)count};
    return rc ? fortran_waitall_failed(&x, requests, statuses, rc) : fortran_waitall_done(&x, requests, statuses);
}
#endif

static void *other_MPI_Waitall;
#define frequent_MPI_Waitall PAIR(frequent_MPI_Waitall)
HIDDEN void frequent_MPI_Waitall(const int *count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *ierror);
void frequent_MPI_Waitall(const int *count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct request_arrays x;
    const int ignored = unlikely(statuses == wi4go_fortran_constants.statuses_ignore);
    if (!fortran_requests_take(&x, *count, requests, ignored)) {
        ((__typeof__(frequent_MPI_Waitall) *)other_MPI_Waitall)(count, requests, statuses, ierror);
        return;
    }
    int rc = R_MPI_Waitall(*count, x.r, x.s);
    if (unlikely(rc))
        rc = fortran_waitall_failed(&x, requests, (A_MPI_Status *)statuses, rc);
    else
        rc = fortran_waitall_done(&x, requests, (A_MPI_Status *)statuses);
    *ierror = rc;
}
#endif
#endif
