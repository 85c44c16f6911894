/*
 * Program handles that are pointers (Open MPI's).
 *
 * A predefined handle is the address of a data symbol of the front, whose storage begins with a
 * magic number and the runtime's handle. Every other handle is the runtime's own with bit 63
 * set, which neither a user-space address nor a zero-extended int has. A tracked request
 * (tracked_requests.h) has bit 62 instead, so the sign alone distinguishes a request that
 * contains the runtime's handle.
 *
 * Nothing is allocated for a handle and no lock is needed: storage, `storage_ranges` and
 * `fortran_rows` are written during the set-up and only read afterwards.
 *
 * Gives: the interface of handles.h, struct predefined_storage, MAGIC, A_FROM_R,
 * and what requests_wide.h needs.
 * Needs: pair.h, layout.h, predefined.h.
 */
#ifndef WI4GO_HANDLES_POINTER_H
#define WI4GO_HANDLES_POINTER_H
#include "pair.h"
#include "layout.h"
#include "predefined.h"

#define TAG_BIT ((int64_t)1 << 63)

/* The beginning of the storage of a predefined handle. */
struct predefined_storage {
    uint32_t magic, kind; /* MAGIC(kind), and the kind */
    int64_t runtime;      /* the runtime's handle */
    int32_t number;       /* its Fortran integer, plus 1, or 0 */
};
_Static_assert(offsetof(struct predefined_storage, runtime) == 8 && TAG_UPPER == 1ll << 31, "fast_path_x86_64.h, gen/assembly/fast_path.go");
/* Each kind has its own magic number, so that a handle of another kind is refused as well. */
#define MAGIC(kind) ((uint32_t)HANDLE_MAGIC + (kind))

/* R_FROM_TAGGED is the runtime's handle in a program's handle, and A_FROM_R the opposite. Files
   are pointers even in a family of int handles. */
#if R_HANDLE_BITS == 32
#define R_FROM_TAGGED(type, a) ((type)(sizeof(type) == 4 ? (int64_t)(int32_t)(a) : (a) & ~TAG_BIT))
#define A_FROM_R(r) (TAG_BIT | (sizeof(r) == 4 ? (int64_t)(uint32_t)(r) : (int64_t)(r)))
#else
#define R_FROM_TAGGED(type, a) ((type)((a) & ~TAG_BIT))
#define A_FROM_R(r) (TAG_BIT | (int64_t)(r))
#endif

/* The ranges of addresses of predefined handles: [0] in the program, which has copies of the
   symbols that it names, and [1] in the front. from and to are the lowest and the highest
   address. */
#define storage_ranges PAIR(storage_ranges)
SHARED struct storage_ranges { int64_t from, to; } storage_ranges[2] INITIALLY({{INT64_MAX, 0}, {INT64_MAX, 0}});

/* Reports whether a handle is in one of the ranges, and so can be read. */
static inline int is_storage(int64_t a)
{
    return (a >= storage_ranges[0].from && a <= storage_ranges[0].to) || (a >= storage_ranges[1].from && a <= storage_ranges[1].to);
}

/* Defines the interface of handles.h for a kind, except KIND_after. KIND_a2r_idle converts an
   argument that may be insignificant in the call and can then have any value, so it does not
   read memory unless the value is an address of a predefined handle. */
#define HANDLE(KIND, Type) \
    static inline R_##Type KIND##_a2r(A_##Type a) \
    { \
        if (likely(a >= LOWEST_ADDRESS)) { \
            const struct predefined_storage *p = (const void *)a; \
            return (R_##Type)(likely(p->magic == MAGIC(KIND_##KIND)) ? p->runtime : bad_handle(KIND_##KIND)); \
        } \
        if (R_HANDLES_ARE_NUMBERS && __builtin_expect_with_probability(a >= 0, 0, 0.999)) /* a jump: the compiler takes a conditional move for unlikely */ \
            return (R_##Type)bad_handle(KIND_##KIND); \
        return R_FROM_TAGGED(R_##Type, a); \
    } \
    static inline R_##Type KIND##_a2r_idle(A_##Type a) \
    { \
        return a < LOWEST_ADDRESS || is_storage(a) ? KIND##_a2r(a) : (R_##Type)bad_handle(KIND_##KIND); \
    } \
    static inline A_##Type KIND##_r2a(R_##Type r) \
    { \
        int64_t a = predefined_r2a(KIND_##KIND, (int64_t)r); \
        return a ? (A_##Type)a : A_FROM_R(r); \
    } \
    static inline A_##Type KIND##_r2a_borrow(R_##Type r) { return KIND##_r2a(r); } \
    static inline A_##Type KIND##_r2a_callback(R_##Type r, int *transient) { *transient = 0; return KIND##_r2a(r); } \
    static inline void KIND##_drop(A_##Type a) { (void)a; } \
    static inline void KIND##_release(A_##Type a) { (void)a; }

/* Defines KIND_after. */
#define AFTER(KIND, Type, null) \
    static inline A_##Type KIND##_after(A_##Type a, R_##Type r) { return r == R_##null ? A_##null : a; }

HANDLE(COMM, MPI_Comm) AFTER(COMM, MPI_Comm, MPI_COMM_NULL)
HANDLE(DATATYPE, MPI_Datatype) AFTER(DATATYPE, MPI_Datatype, MPI_DATATYPE_NULL)
HANDLE(ERRHANDLER, MPI_Errhandler) AFTER(ERRHANDLER, MPI_Errhandler, MPI_ERRHANDLER_NULL)
HANDLE(FILE, MPI_File) AFTER(FILE, MPI_File, MPI_FILE_NULL)
HANDLE(GROUP, MPI_Group) AFTER(GROUP, MPI_Group, MPI_GROUP_NULL)
HANDLE(INFO, MPI_Info) AFTER(INFO, MPI_Info, MPI_INFO_NULL)
HANDLE(OP, MPI_Op) AFTER(OP, MPI_Op, MPI_OP_NULL)
HANDLE(SESSION, MPI_Session) AFTER(SESSION, MPI_Session, MPI_SESSION_NULL)
HANDLE(WIN, MPI_Win) AFTER(WIN, MPI_Win, MPI_WIN_NULL)

HANDLE(MESSAGE, MPI_Message)
static inline A_MPI_Message MESSAGE_after(A_MPI_Message a, R_MPI_Message r)
{
    return r == R_MPI_MESSAGE_NULL ? A_MPI_MESSAGE_NULL : a;
}

/* ---- requests: see requests_wide.h ---- */

/* REQUEST_IS_PLAIN reports whether a handle contains the runtime's, and REQUEST_FROM_PLAIN
   returns that. */
#define REQUEST_IS_PLAIN(a) ((a) < 0)
#define REQUEST_FROM_PLAIN(a) R_FROM_TAGGED(R_MPI_Request, a)

/* Returns the runtime's handle of a predefined request, or one that the runtime refuses. */
static inline R_MPI_Request request_predefined(A_MPI_Request a)
{
    if (a < LOWEST_ADDRESS)
        return (R_MPI_Request)bad_handle(KIND_REQUEST);
    const struct predefined_storage *p = (const void *)a;
    return (R_MPI_Request)(likely(p->magic == MAGIC(KIND_REQUEST)) ? p->runtime : bad_handle(KIND_REQUEST));
}

/* ---- set-up ---- */

/* By kind and Fortran integer, the row of a predefined handle, plus 1, or 0. */
#define fortran_rows PAIR(fortran_rows)
SHARED uint16_t fortran_rows[N_KINDS][N_NUMBERS];
_Static_assert(N_PREDEFINED < UINT16_MAX, "fortran_rows");

#if DEFINES_SHARED
static inline void handles_prepare(void) {}

/* Fills the storage of the predefined handle in row i. If several rows have one Fortran integer,
   the first row counts. */
static int handle_predefine(unsigned i, int64_t r, int real)
{
    struct predefined_storage *s = (struct predefined_storage *)predefined[i].storage;
    const int64_t at = (int64_t)(intptr_t)s;
    const int own = wi4go_is_own_address((uintptr_t)s);
    if (at < storage_ranges[own].from)
        storage_ranges[own].from = at;
    if (at > storage_ranges[own].to)
        storage_ranges[own].to = at;
    s->kind = predefined[i].kind;
    s->runtime = r;
    s->number = predefined[i].fortran + 1;
    if (s->number > 0) {
        uint16_t *row = &fortran_rows[s->kind][predefined[i].fortran];
        if (!*row || i < *row - 1u)
            *row = (uint16_t)(i + 1);
    }
    s->magic = MAGIC(predefined[i].kind);
    if (real)
        reverse_add(predefined[i].kind, r, (int64_t)(intptr_t)s);
    return 0;
}
#endif
#endif
