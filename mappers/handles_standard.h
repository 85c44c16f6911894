/*
 * Program handles of the standard ABI (MPI-5.0, 20.3.3). A predefined handle is a number below
 * 4096 that belongs to one kind only. Every other handle is the runtime's own, with an int
 * zero-extended, so it is never that low. A tracked request (tracked_requests.h) sets the sign
 * bit, which a user-space address does not have, so one comparison distinguishes a request that
 * is the runtime's handle.
 *
 * The tables are filled during the set-up and only read afterwards, so they need no lock.
 *
 * Gives: the interface of handles.h, standard_kinds, A_FROM_R, and what
 * requests_wide.h needs.
 * Needs: pair.h, layout.h, predefined.h.
 */
#ifndef WI4GO_HANDLES_STANDARD_H
#define WI4GO_HANDLES_STANDARD_H
#include "pair.h"
#include "layout.h"
#include "predefined.h"

/* By kind and number, the runtime's handle of a predefined handle. For a number of another kind
   it is a handle that the runtime refuses. */
#define tables PAIR(tables)
SHARED int64_t tables[N_KINDS][LOWEST_ADDRESS];
#define standard_kinds PAIR(standard_kinds)
SHARED unsigned char standard_kinds[LOWEST_ADDRESS]; /* the kind of each number, plus 1, or 0 if not predefined */

/* Returns the runtime's handle of a number, or 0 if the number is not below 4096. */
static inline int64_t standard_a2r(int kind, int64_t a) { return likely((uint64_t)a < LOWEST_ADDRESS) ? tables[kind][a] : 0; }

#define A_FROM_R(r) (sizeof(r) == 4 ? (int64_t)(uint32_t)(r) : (int64_t)(r))

/* Defines the interface of handles.h for a kind. */
#define HANDLE(KIND, Type, null) \
    static inline R_##Type KIND##_a2r(A_##Type a) \
    { \
        return (R_##Type)((uint64_t)a >= LOWEST_ADDRESS ? a : standard_a2r(KIND_##KIND, a)); \
    } \
    static inline A_##Type KIND##_r2a(R_##Type r) \
    { \
        int64_t a = predefined_r2a(KIND_##KIND, (int64_t)r); \
        return a ? (A_##Type)a : A_FROM_R(r); \
    } \
    static inline A_##Type KIND##_r2a_borrow(R_##Type r) { return KIND##_r2a(r); } \
    static inline A_##Type KIND##_r2a_callback(R_##Type r, int *transient) { *transient = 0; return KIND##_r2a(r); } \
    static inline void KIND##_drop(A_##Type a) { (void)a; } \
    static inline void KIND##_release(A_##Type a) { (void)a; } \
    static inline A_##Type KIND##_after(A_##Type a, R_##Type r) { return r == R_##null ? A_##null : a; }

HANDLE(COMM, MPI_Comm, MPI_COMM_NULL)
HANDLE(DATATYPE, MPI_Datatype, MPI_DATATYPE_NULL)
HANDLE(ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
HANDLE(FILE, MPI_File, MPI_FILE_NULL)
HANDLE(GROUP, MPI_Group, MPI_GROUP_NULL)
HANDLE(INFO, MPI_Info, MPI_INFO_NULL)
HANDLE(MESSAGE, MPI_Message, MPI_MESSAGE_NULL)
HANDLE(OP, MPI_Op, MPI_OP_NULL)
HANDLE(SESSION, MPI_Session, MPI_SESSION_NULL)
HANDLE(WIN, MPI_Win, MPI_WIN_NULL)

/* ---- requests: see requests_wide.h ---- */

/* REQUEST_IS_PLAIN reports whether a handle is the runtime's own, and REQUEST_FROM_PLAIN returns
   that. */
#define REQUEST_IS_PLAIN(a) ((a) >= LOWEST_ADDRESS)
#define REQUEST_FROM_PLAIN(a) ((R_MPI_Request)(a))

static inline R_MPI_Request request_predefined(A_MPI_Request a) { return (R_MPI_Request)standard_a2r(KIND_REQUEST, a); }

/* ---- set-up ---- */

#if DEFINES_SHARED
/* Fills the tables with handles that the runtime refuses, unless those are 0. */
static void handles_prepare(void)
{
    for (int kind = 0; BAD_IS_NULL && kind < N_KINDS; kind++)
        for (int64_t n = 0; n < LOWEST_ADDRESS; n++)
            tables[kind][n] = bad_handle(kind);
}

/* Enters a predefined handle. If several names have one number, the first one counts. */
static int handle_predefine(unsigned i, int64_t r, int real)
{
    const int64_t a = program_handle(predefined[i].value);
    if (!standard_kinds[a]) {
        standard_kinds[a] = (unsigned char)(predefined[i].kind + 1);
        tables[predefined[i].kind][a] = r;
    }
    if (real)
        reverse_add(predefined[i].kind, r, a);
    return 0;
}
#endif
#endif
