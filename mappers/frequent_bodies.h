/*
 * The parts of which a pair's bodies of frequent Fortran procedures consist
 * (gen/pair/frequent.go): runtime handles from Fortran integers, and constants that are
 * addresses. Programs of a family of int handles have no such bodies, because their Fortran
 * integer is the C handle.
 *
 * If the runtime's handles are ints, a small integer is a predefined handle, which a table
 * converts, and a larger one is the runtime's handle. Otherwise the cache in fortran.h has the
 * handles of the integers that the program was given. To keep that cache current,
 * numbers_begin, which runs when a Fortran library is loaded, replaces the functions that give
 * integers to the program and those that end objects.
 *
 * KIND_f2r returns the runtime's handle of a communicator, datatype, operation or window. It
 * returns 0 if the cache does not have the integer; the call then goes to C, and KIND_ask
 * enters the integer for later calls.
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

/* Returns the C address of a choice buffer. MPI_BOTTOM is the null pointer in the C of every
   family. */
static inline void *fortran_buffer(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.bottom) ? NULL : (void *)p;
}
/* Reports whether an argument is Fortran's MPI_STATUS_IGNORE. */
static inline int is_fortran_ignored(const void *p) { return unlikely(p == wi4go_fortran_constants.status_ignore); }
/* Returns the C address of a choice buffer that may be MPI_IN_PLACE. */
static inline void *fortran_in_place(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.in_place) ? (void *)A_MPI_IN_PLACE : fortran_buffer(p);
}

#if A_HANDLE_BITS == 64
#if R_HANDLE_BITS == 32
/* Defines KIND_f2r, and KIND_begin, which fills the table of predefined handles. */
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
/* Defines the replacement for a function that ends an object. It clears the integer before the
   call, because while the object ends the runtime may give its integer to another object in
   another thread. If the call fails, the object has not ended, and the integer is entered
   again. */
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
/* Defines for a kind: the replacements for the functions that give the program integers and
   that end objects; KIND_f2r; KIND_begin, which enters the predefined handles and installs the
   replacements; and KIND_ask, which enters an integer that is not in the cache. */
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

static MPI_Fint null_request; /* the integer of MPI_REQUEST_NULL */

#if R_HANDLE_BITS == 64
ENDS(MPI_Comm_disconnect, COMM, MPI_Comm)
#endif
/* Prepares the tables and replaces functions. Called once, before the first body runs. */
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

/* Returns the program's integer of a request that the call has started. */
static inline MPI_Fint REQUEST_r2f_started(R_MPI_Request r) { return REQUEST_r_int(r); }
#if FAST_PATHS && R_HANDLE_BITS == 64
/* Does the same for the assembly. */
HIDDEN MPI_Fint PAIR(request_number)(R_MPI_Request r);
HIDDEN MPI_Fint PAIR(request_number)(R_MPI_Request r) { return REQUEST_r_int(r); }
#endif

/* ---- MPI_Wait, MPI_Test and, by hand, MPI_Waitall (MPI-5.0, 3.7) ---- */

/* Returns the runtime's request of the program's integer, which is not a tracked request's. */
static inline R_MPI_Request request_f2r(MPI_Fint f)
{
    return f == null_request ? R_MPI_REQUEST_NULL : REQUEST_r_handle(f);
}

/* Reports whether a pair's body may complete a request. It may not complete the null request,
   nor any request while a tracked one exists. */
static inline int is_plain_request(MPI_Fint f)
{
    return likely(!__atomic_load_n(&records.n, __ATOMIC_RELAXED)) && f != null_request && !(R_FOLLOWS_REQUEST && !request_f2r(f));
}

/* Converts the results of an MPI_Waitall that has failed, as in C: some requests have ended and
   some have not. Returns the program's error code. */
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

/* Converts an array of Fortran's requests and prepares statuses for MPI_Waitall, unless
   statuses are ignored. Returns 1, or 0 if the body cannot serve the call: there are too many
   requests, a tracked one exists, or the runtime would follow the null pointer that an integer
   stands for. */
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

/* Converts the results of a successful MPI_Waitall. A request may not have ended, and a status
   may be special. Returns 0. */
static int fortran_waitall_done(struct request_arrays *x, MPI_Fint *requests, A_MPI_Status *statuses)
{
    for (size_t i = 0; i < x->n; i++)
        if (likely(x->r[i] == R_MPI_REQUEST_NULL))
            requests[i] = null_request;
    waitall_statuses(x, statuses);
    return 0;
}

#if FAST_PATHS
/* Finishes an MPI_Waitall of the assembly, if a request has not ended, a status is special, or
   the call has failed (rc). Some requests and statuses may be converted already. Returns the
   program's error code. */
HIDDEN int PAIR(fortran_requests_finish)(int count, MPI_Fint *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc);
HIDDEN int PAIR(fortran_requests_finish)(int count, MPI_Fint *requests, A_MPI_Status *statuses, R_MPI_Request *r, R_MPI_Status *s, int rc)
{
    struct request_arrays x = {.r = r, .s = s, .n = (size_t)count};
    return rc ? fortran_waitall_failed(&x, requests, statuses, rc) : fortran_waitall_done(&x, requests, statuses);
}
#endif

static void *other_MPI_Waitall; /* the Fortran library's own body, for unusual calls */
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
