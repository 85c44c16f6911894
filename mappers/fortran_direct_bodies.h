/*
 * The parts of which a pair's bodies of direct Fortran procedures consist
 * (gen/pair/fortran_direct.go): runtime handles from Fortran integers, and constants that are
 * addresses. Programs of a family of int handles have no such bodies, because their Fortran
 * integer is the C handle.
 *
 * If the runtime's handles are ints, a small integer is a predefined handle, which a table
 * converts, and a larger one is the runtime's handle. Otherwise the cache in fortran.h contains the
 * handles of the integers that the program was given. To keep that cache current,
 * fortran_cache_init, which runs when a Fortran library is loaded, replaces the functions that give
 * integers to the program and those that end objects.
 *
 * KIND_f2r returns the runtime's handle of a communicator, datatype, operation or window. It
 * returns 0 if the cache does not have the integer; the call then goes to C, and KIND_cache_enter
 * enters the integer for later calls.
 *
 * Gives: F2R, fortran_cache_init, REQUEST_r2f_started, fortran_buffer, fortran_in_place,
 * is_fortran_status_ignore; request_f2r, is_plain_request; fortran_requests_convert,
 * fortran_statuses_take, fortran_requests_after.
 * Needs: pair.h, handles.h, request_handles.h, fortran.h, requests.h, slot_replace.h,
 * fortran_direct.h.
 */
#ifndef WI4GO_FORTRAN_DIRECT_BODIES_H
#define WI4GO_FORTRAN_DIRECT_BODIES_H
#include "pair.h"
#include "handles.h"
#include "request_handles.h"
#include "fortran.h"
#include "requests.h"
#include "slot_replace.h"
#include "fortran_direct.h"

extern struct wi4go_fortran_constants wi4go_fortran_constants HIDDEN;

/* Returns the C address of a choice buffer. MPI_BOTTOM is the null pointer in the C of every
   family. */
static inline void *fortran_buffer(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.bottom) ? NULL : (void *)p;
}
/* Reports whether an argument is Fortran's MPI_STATUS_IGNORE. */
static inline int is_fortran_status_ignore(const void *p) { return unlikely(p == wi4go_fortran_constants.status_ignore); }
/* Returns the C address of a choice buffer that may be MPI_IN_PLACE. */
static inline void *fortran_in_place(const void *p)
{
    return unlikely(p == wi4go_fortran_constants.in_place) ? (void *)A_MPI_IN_PLACE : fortran_buffer(p);
}

#if A_HANDLE_BITS == 64
#if R_HANDLE_BITS == 32
/* Defines KIND_f2r, and KIND_cache_init, which fills the table of predefined handles. */
#define F2R(KIND, Name, Type) \
    static inline R_##Type KIND##_f2r(MPI_Fint f) \
    { \
        return likely((unsigned)f >= FORTRAN_CACHE_SMALL) ? (R_##Type)f : (R_##Type)fortran_cache.small[KIND_##KIND][(unsigned)f]; \
    } \
    static FOR_SIZE void KIND##_cache_init(void) \
    { \
        for (MPI_Fint f = 0; f < FORTRAN_CACHE_SMALL; f++) \
            fortran_cache.small[KIND_##KIND][f] = (int64_t)KIND##_a2r(A_MPI_##Name##_f2c(f)); \
    }
#else
/* Defines the replacement for a function that ends an object. It clears the integer before the
   call, because while the object ends the runtime may give its integer to another object in
   another thread. If the call fails, the object has not ended, and the integer is entered
   again. */
#define CACHING_FREE(NAME, KIND, Type) \
    static int caching_##NAME(A_##Type *handle) \
    { \
        A_##Type const ending = handle ? *handle : A_MPI_##KIND##_NULL; \
        const R_##Type r = KIND##_a2r(ending); \
        const int is_numbered = r && r != R_MPI_##KIND##_NULL && fortran_number(KIND_##KIND, (int64_t)ending) < 0; \
        const MPI_Fint number = is_numbered ? KIND##_r_int(r) : 0; \
        if (is_numbered) \
            fortran_cache_clear(KIND_##KIND, number, (int64_t)R_MPI_##KIND##_NULL); \
        const int rc = ((int (*)(A_##Type *))PAIR(translations)[SLOT_##NAME].function)(handle); \
        if (unlikely(rc) && is_numbered) \
            fortran_cache_enter(KIND_##KIND, number, (int64_t)r); \
        return rc; \
    }
/* Defines for a kind: the replacements for the functions that give the program integers and
   that end objects; KIND_f2r; KIND_cache_init, which enters the predefined handles and installs the
   replacements; and KIND_cache_enter, which enters an integer that is not in the cache. */
#define F2R(KIND, Name, Type) \
    static MPI_Fint caching_MPI_##Name##_c2f(A_##Type name) \
    { \
        const MPI_Fint number = A_MPI_##Name##_c2f(name); \
        if (fortran_number(KIND_##KIND, (int64_t)name) < 0) \
            fortran_cache_enter(KIND_##KIND, number, (int64_t)KIND##_a2r(name)); \
        return number; \
    } \
    CACHING_FREE(MPI_##Name##_free, KIND, Type) \
    static inline R_##Type KIND##_f2r(MPI_Fint f) { return (R_##Type)fortran_cache_find(KIND_##KIND, f); } \
    static FOR_SIZE void KIND##_cache_init(void) \
    { \
        for (MPI_Fint f = 0; f < N_NUMBERS; f++) { \
            int64_t a; \
            if (fortran_predefined(KIND_##KIND, f, &a)) \
                fortran_cache_enter(KIND_##KIND, f, (int64_t)KIND##_a2r((A_##Type)a)); \
        } \
        slot_replace(SLOT_MPI_##Name##_c2f, caching_MPI_##Name##_c2f); \
        slot_replace(SLOT_MPI_##Name##_toint, caching_MPI_##Name##_c2f); \
        slot_replace(SLOT_MPI_##Name##_free, caching_MPI_##Name##_free); \
    } \
    static FOR_SIZE __attribute__((noinline)) void KIND##_cache_enter(MPI_Fint f) \
    { \
        if (!fortran_cache_find(KIND_##KIND, f)) \
            caching_MPI_##Name##_c2f(A_MPI_##Name##_f2c(f)); \
    }
#endif
F2R(COMM, Comm, MPI_Comm)
F2R(DATATYPE, Type, MPI_Datatype)
F2R(OP, Op, MPI_Op)
F2R(WIN, Win, MPI_Win)

static MPI_Fint null_request; /* the integer of MPI_REQUEST_NULL */

#if R_HANDLE_BITS == 64
CACHING_FREE(MPI_Comm_disconnect, COMM, MPI_Comm)
#endif
/* Prepares the tables and replaces functions. Called once, before the first body runs. */
#define fortran_cache_init PAIR(fortran_cache_init)
FOR_SIZE HIDDEN void fortran_cache_init(void);
void fortran_cache_init(void)
{
    COMM_cache_init();
    DATATYPE_cache_init();
    OP_cache_init();
    WIN_cache_init();
#if R_HANDLE_BITS == 64
    slot_replace(SLOT_MPI_Comm_disconnect, caching_MPI_Comm_disconnect);
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

/* ---- MPI_Wait, MPI_Test and MPI_Waitall (MPI-5.0, 3.7) ---- */

/* Returns the runtime's request of the program's integer, which is not a tracked request's. */
static inline R_MPI_Request request_f2r(MPI_Fint f)
{
    return f == null_request ? R_MPI_REQUEST_NULL : REQUEST_r_handle(f);
}

/* Reports whether a pair's body may complete a request. It may not complete the null request,
   nor any request while a tracked one exists. */
static inline int is_plain_request(MPI_Fint f)
{
    return likely(!__atomic_load_n(&tracked_requests.n, __ATOMIC_RELAXED)) && f != null_request && !(R_FOLLOWS_REQUEST && !request_f2r(f));
}

/* Converts an array of Fortran's requests, and chooses MPI_STATUSES_IGNORE. Returns 1, or 0 if the
   body cannot serve the call: there are too many requests, a tracked one exists, or the runtime
   would follow the null pointer that an integer stands for. */
static inline int fortran_requests_convert(struct request_arrays *x, int count, const MPI_Fint *requests)
{
    x->n = (size_t)count;
    x->r = x->small;
    x->s = R_MPI_STATUSES_IGNORE;
    if (unlikely((unsigned)count > SMALL || __atomic_load_n(&tracked_requests.n, __ATOMIC_RELAXED)))
        return 0;
    for (size_t i = 0; i < x->n; i++) {
        x->r[i] = request_f2r(requests[i]);
        if (R_FOLLOWS_REQUEST && unlikely(!x->r[i]))
            return 0;
    }
    return 1;
}

/* Prepares statuses for the runtime, unless the program ignores them. */
static inline void fortran_statuses_take(struct request_arrays *x, const void *statuses)
{
    if (likely(statuses != wi4go_fortran_constants.statuses_ignore))
        statuses_prepare(x, x->n);
}

/* Stores Fortran's integers after a call that may have completed any of the requests. None of them
   is tracked. */
static inline void fortran_requests_after(struct request_arrays *x, MPI_Fint *requests)
{
    for (size_t i = 0; i < x->n; i++)
        if (likely(x->r[i] == R_MPI_REQUEST_NULL))
            requests[i] = null_request;
}
#endif
#endif
