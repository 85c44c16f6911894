/*
 * Handles as Fortran integers (MPI-5.0, 19.3.4). The standard ABI's MPI_*_toint and
 * MPI_*_fromint use the same numbers, in both families.
 *
 * In a family of int handles the Fortran handle is the C handle. In a family of pointers a
 * predefined handle has its own small number, and every other handle has the runtime's int,
 * which is moved past the small numbers if it can be one itself.
 *
 * If a Fortran library is loaded, fortran_cache caches the runtime's handle of each integer that
 * the program was given, for the bodies of direct procedures (fortran_direct_bodies.h). The cache
 * needs no lock: an entry is written when its integer is given to the program and cleared before
 * the object ends, and a program may not use a handle at the same time as it frees it.
 *
 * Gives: MPI_Comm_c2f, MPI_Comm_f2c, MPI_Comm_toint, MPI_Comm_fromint and the same
 * functions for the other kinds.
 * Needs: pair.h, layout.h, identity.h, handles.h, request_handles.h.
 */
#ifndef WI4GO_FORTRAN_H
#define WI4GO_FORTRAN_H
#include "pair.h"

#if SAME_FAMILY && A_HANDLE_BITS == 64 && !A_HANDLES_ARE_NUMBERS
/* The conversions are the library's own, or the front's if the library lacks them. */
#define AS_INT(Name, Type, name) \
    static int A_MPI_##Name##_toint(A_##Type name) { return ((MPI_Fint (*)(A_##Type))wi4go_inner[SLOT_MPI_##Name##_c2f])(name); } \
    static A_##Type A_MPI_##Name##_fromint(int name) { return ((A_##Type (*)(MPI_Fint))wi4go_inner[SLOT_MPI_##Name##_f2c])(name); }
#else
#include "layout.h"
#include "handles.h"
#include "request_handles.h"
#include <stddef.h>

/* R_INT is the runtime's Fortran integer of a handle, R_HANDLE the handle of an integer. Files
   have their own pair, because they are pointers in a family of int handles, too. */
#if R_HANDLES_ARE_NUMBERS
#define R_INT(Name, x) R_MPI_##Name##_toint(x)
#define R_HANDLE(Name, x) R_MPI_##Name##_fromint(x)
#elif R_HANDLE_BITS == 64
#define R_INT(Name, x) R_MPI_##Name##_c2f(x)
#define R_HANDLE(Name, x) R_MPI_##Name##_f2c(x)
#else
#define R_INT(Name, x) ((MPI_Fint)(x))
#define R_HANDLE(Name, x) (x)
#endif
#if R_HANDLES_ARE_NUMBERS
#define R_FILE_INT(x) R_INT(File, x)
#define R_FILE_HANDLE(x) R_HANDLE(File, x)
#else
#define R_FILE_INT(x) R_MPI_File_c2f(x)
#define R_FILE_HANDLE(x) R_MPI_File_f2c(x)
#endif

#if SAME_FAMILY && A_HANDLES_ARE_NUMBERS
#include "identity.h"
/* A library of the standard ABI need not have c2f and f2c, but it has toint and fromint. */
#define FORTRAN(Name, Type, name) \
    static MPI_Fint A_MPI_##Name##_c2f(A_##Type name) { return R_MPI_##Name##_toint(name); } \
    static A_##Type A_MPI_##Name##_f2c(MPI_Fint name) { return (A_##Type)R_MPI_##Name##_fromint(name); }
FORTRAN(Comm, MPI_Comm, comm)
FORTRAN(Type, MPI_Datatype, datatype)
FORTRAN(File, MPI_File, file)
FORTRAN(Group, MPI_Group, group)
FORTRAN(Info, MPI_Info, info)
FORTRAN(Message, MPI_Message, message)
FORTRAN(Op, MPI_Op, op)
FORTRAN(Request, MPI_Request, request)
FORTRAN(Session, MPI_Session, session)
FORTRAN(Win, MPI_Win, win)

/* A draft of the standard ABI has other numbers for error handlers. A call is converted if the
   program and the library differ in that (needs_renumbering). */
static MPI_Fint A_MPI_Errhandler_c2f(A_MPI_Errhandler errhandler)
{
    if (!needs_renumbering(__builtin_return_address(0)))
        return R_MPI_Errhandler_toint(errhandler);
    return (MPI_Fint)ERRHANDLER_r2a(R_MPI_Errhandler_toint(ERRHANDLER_a2r(errhandler)));
}
static A_MPI_Errhandler A_MPI_Errhandler_f2c(MPI_Fint errhandler)
{
    if (!needs_renumbering(__builtin_return_address(0)))
        return (A_MPI_Errhandler)R_MPI_Errhandler_fromint(errhandler);
    return (A_MPI_Errhandler)ERRHANDLER_r2a(R_MPI_Errhandler_fromint((int)ERRHANDLER_a2r(errhandler)));
}
#elif A_HANDLE_BITS == 32
/* Defines c2f and f2c of a kind: the integer is the C handle. */
#define FORTRAN(Name, KIND, name) \
    static MPI_Fint A_MPI_##Name##_c2f(A_MPI_##KIND name) { return (MPI_Fint)name; } \
    static A_MPI_##KIND A_MPI_##Name##_f2c(MPI_Fint name) { return (A_MPI_##KIND)name; }
FORTRAN(Comm, Comm, comm)
FORTRAN(Type, Datatype, datatype)
FORTRAN(Errhandler, Errhandler, errhandler)
FORTRAN(Group, Group, group)
FORTRAN(Info, Info, info)
FORTRAN(Message, Message, message)
FORTRAN(Op, Op, op)
FORTRAN(Request, Request, request)
FORTRAN(Session, Session, session)
FORTRAN(Win, Win, win)

/* A file is a pointer in C. Its integer is the runtime's; 0 is MPI_FILE_NULL. */
static MPI_Fint A_MPI_File_c2f(A_MPI_File file) { return file == A_MPI_FILE_NULL ? 0 : R_FILE_INT(FILE_a2r(file)); }
static A_MPI_File A_MPI_File_f2c(MPI_Fint file) { return file ? FILE_r2a(R_FILE_HANDLE(file)) : A_MPI_FILE_NULL; }
#else
#if A_HANDLES_ARE_NUMBERS
#define FIRST_DYNAMIC_INTEGER LOWEST_ADDRESS /* the first integer above those of predefined handles */

/* Returns the number of the predefined handle a of a kind, or -1 if a is another handle. */
static int fortran_number(int kind, int64_t a)
{
    return (uint64_t)a < LOWEST_ADDRESS && standard_kinds[a] == kind + 1 ? (int)a : -1;
}

/* Stores the predefined handle with the number f. Returns whether there is one. */
static int fortran_predefined(int kind, MPI_Fint f, int64_t *a) { return fortran_number(kind, *a = (uint32_t)f) >= 0; }
#else
#define FIRST_DYNAMIC_INTEGER 0

/* Returns the number of the predefined handle a of a kind, or -1 if a is another handle or has
   no number. A tracked request is not the address of an object. */
static inline __attribute__((always_inline)) int fortran_number(int kind, int64_t a)
{
    const struct predefined_storage *s = (const void *)(intptr_t)a;
    if (kind == KIND_REQUEST && wi4go_is_tracked(a))
        return -1;
    return a >= LOWEST_ADDRESS && s->magic == MAGIC(kind) ? s->number - 1 : -1;
}

/* Stores the predefined handle with the number f. Returns whether there is one. */
static int fortran_predefined(int kind, MPI_Fint f, int64_t *a)
{
    const unsigned row = (unsigned)f < N_NUMBERS ? fortran_rows[kind][f] : 0;
    if (row)
        *a = (int64_t)(intptr_t)predefined[row - 1].storage;
    return row != 0;
}
#endif

/* The amount that is added to a runtime's integer for the program. It is 0 for int handles,
   which are never small. */
#if R_HANDLE_BITS == 32
#define INTEGER_OFFSET 0
#elif R_HANDLES_ARE_NUMBERS
#define INTEGER_OFFSET FORTRAN_CACHE_SMALL
#else
#define INTEGER_OFFSET FIRST_DYNAMIC_INTEGER
#endif

/*
 * The cache of the runtime's handles by Fortran integer, which the direct procedures read
 * (fortran_direct_bodies.h, gen/assembly/fortran_direct.go). Three functions serve it:
 *
 *   fortran_cache_enter(kind, f, r)      enters the handle r when the program is given the integer f
 *   fortran_cache_find(kind, f)          returns the handle of f, or 0 if it is not in the cache
 *   fortran_cache_clear(kind, f, null)    clears the entry of f when its object ends
 */
#define fortran_cache PAIR(fortran_cache)
#if !R_HANDLES_ARE_NUMBERS
SHARED struct fortran_cache {
    int64_t small[N_KINDS][FORTRAN_CACHE_SMALL]; /* handles of small integers, 0 if never given, the null handle if ended */
} fortran_cache;
_Static_assert(N_NUMBERS <= FORTRAN_CACHE_SMALL, "predefined handles are known");

static inline void fortran_cache_enter(int kind, MPI_Fint f, int64_t r)
{
    if (R_HANDLE_BITS == 64 && (unsigned)f < FORTRAN_CACHE_SMALL)
        __atomic_store_n(&fortran_cache.small[kind][f], r, __ATOMIC_RELAXED);
}

static inline int64_t fortran_cache_find(int kind, MPI_Fint f)
{
    return likely((unsigned)f < FORTRAN_CACHE_SMALL) ? __atomic_load_n(&fortran_cache.small[kind][f], __ATOMIC_RELAXED) : 0;
}

static inline void fortran_cache_clear(int kind, MPI_Fint f, int64_t null) { fortran_cache_enter(kind, f, null); }
#else
/* The integers of a library of the standard ABI can be any. The lower half of an integer is the
   index of its place. If the place has another integer of the kind, the new one is not entered.
   INTEGER_OFFSET keeps the places of predefined handles free. */
static const signed char fortran_cache_row[N_KINDS] = {[KIND_COMM] = 1, [KIND_DATATYPE] = 2, [KIND_OP] = 3, [KIND_WIN] = 4}; /* row in the cache, plus 1, or 0 if not cached */
SHARED struct fortran_cache {
    int64_t objects[4][FORTRAN_CACHE_PLACES];  /* the runtime's handles */
    MPI_Fint handles[4][FORTRAN_CACHE_PLACES]; /* the integer in the place, or 0 if it is free (except place 0) */
} fortran_cache;
_Static_assert(offsetof(__typeof__(fortran_cache), handles) == FORTRAN_CACHE_HANDLES, "layout.h");
_Static_assert(N_NUMBERS <= FORTRAN_CACHE_SMALL, "predefined handles have places of their own");

/* Enters the runtime's handle r of the integer f into a row, if the place of f is free. While
   one thread fills a place, it contains an integer of another place, so that no look-up finds
   it. */
#define fortran_cache_enter_row PAIR(fortran_cache_enter_row)
void fortran_cache_enter_row(int row, MPI_Fint f, int64_t r) HIDDEN;
#if DEFINES_SHARED
void fortran_cache_enter_row(int row, MPI_Fint f, int64_t r)
{
    const uint16_t place = (uint16_t)f;
    MPI_Fint *const handle = &fortran_cache.handles[row][place], none = 0, is = __atomic_load_n(handle, __ATOMIC_RELAXED);
    if (is != f) { /* place 0 is never free, because 0 is an integer that belongs there */
        if (is || !place || !__atomic_compare_exchange_n(handle, &none, place ^ 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
    }
    __atomic_store_n(&fortran_cache.objects[row][place], r, __ATOMIC_RELEASE);
    __atomic_store_n(handle, f, __ATOMIC_RELEASE);
}
#endif

static inline void fortran_cache_enter(int kind, MPI_Fint f, int64_t r)
{
    if (fortran_cache_row[kind])
        fortran_cache_enter_row(fortran_cache_row[kind] - 1, f, r);
}

static inline int64_t fortran_cache_find(int kind, MPI_Fint f)
{
    const int row = fortran_cache_row[kind] - 1;
    const uint16_t place = (uint16_t)f;
    return likely(__atomic_load_n(&fortran_cache.handles[row][place], __ATOMIC_ACQUIRE) == f) ? fortran_cache.objects[row][place] : 0;
}

static inline void fortran_cache_clear(int kind, MPI_Fint f, int64_t null)
{
    const int row = fortran_cache_row[kind] - 1;
    if (row >= 0)
        __atomic_compare_exchange_n(&fortran_cache.handles[row][(uint16_t)f], &f, 0, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
#endif

/* Defines c2f and f2c of a kind. c2r(a) returns the runtime's handle, and KIND_f2a, below, the
   program's handle for the runtime's. */
#define FORTRAN(Name, KIND, Type, name, c2r) \
    static MPI_Fint A_MPI_##Name##_c2f(A_##Type name) \
    { \
        const int number = fortran_number(KIND_##KIND, (int64_t)name); \
        return number >= 0 ? number : KIND##_r_int(c2r(name)); \
    } \
    static A_##Type A_MPI_##Name##_f2c(MPI_Fint name) \
    { \
        int64_t a; \
        if (likely(fortran_predefined(KIND_##KIND, name, &a))) \
            return (A_##Type)a; \
        return KIND##_f2a(KIND##_r_handle(name)); \
    }
#if R_HANDLE_BITS == 32 && !A_HANDLES_ARE_NUMBERS
#define NOT_PREDEFINED_f2a(KIND, r) A_FROM_R(r) /* no predefined handle has this int, so none is searched */
#define COMM_f2a(r) A_FROM_R(r)
#else
#define NOT_PREDEFINED_f2a(KIND, r) KIND##_r2a(r)
#define COMM_f2a(r) COMM_r2a_again(r)
#endif
#define DATATYPE_f2a DATATYPE_r2a
#define ERRHANDLER_f2a(r) NOT_PREDEFINED_f2a(ERRHANDLER, r)
#define GROUP_f2a(r) NOT_PREDEFINED_f2a(GROUP, r)
#define INFO_f2a(r) NOT_PREDEFINED_f2a(INFO, r)
#define MESSAGE_f2a(r) NOT_PREDEFINED_f2a(MESSAGE, r)
#define OP_f2a(r) NOT_PREDEFINED_f2a(OP, r)
#define SESSION_f2a(r) NOT_PREDEFINED_f2a(SESSION, r)
#define WIN_f2a(r) NOT_PREDEFINED_f2a(WIN, r)
#define FILE_f2a FILE_r2a
/* Returns the program's handle of a request. A tracked one is found by the runtime's handle. */
static A_MPI_Request REQUEST_f2a(R_MPI_Request r)
{
    struct tracked_request *o = tracked_find(r);
    return o ? (A_MPI_Request)o->handle : REQUEST_r2a(r);
}
/* Returns the runtime's request. From now on REQUEST_f2a finds it, if it is a tracked one. */
static R_MPI_Request request_c2r(A_MPI_Request a) { return tracked_shown(a, REQUEST_a2r(a)); }
/* Defines KIND_r_int and KIND_r_handle, which convert between the runtime's handle and the
   program's integer. */
#define INTS_OF(KIND, Type, r_int, r_handle, offset) \
    static inline MPI_Fint KIND##_r_int(R_##Type r) { return (MPI_Fint)((unsigned)r_int(r) + (offset)); } \
    static inline R_##Type KIND##_r_handle(MPI_Fint f) { return r_handle((MPI_Fint)((unsigned)f - (offset))); }
/* Defines c2f and f2c of a kind, and the functions that they need. */
#define FORTRAN_OF(Name, KIND, Type, name, c2r) \
    static inline MPI_Fint Name##_int(R_##Type r) { return R_INT(Name, r); } \
    static inline R_##Type Name##_handle(MPI_Fint f) { return R_HANDLE(Name, f); } \
    INTS_OF(KIND, Type, Name##_int, Name##_handle, INTEGER_OFFSET) \
    FORTRAN(Name, KIND, Type, name, c2r)
FORTRAN_OF(Comm, COMM, MPI_Comm, comm, COMM_a2r)
FORTRAN_OF(Type, DATATYPE, MPI_Datatype, datatype, DATATYPE_a2r)
FORTRAN_OF(Errhandler, ERRHANDLER, MPI_Errhandler, errhandler, ERRHANDLER_a2r)
FORTRAN_OF(Group, GROUP, MPI_Group, group, GROUP_a2r)
FORTRAN_OF(Info, INFO, MPI_Info, info, INFO_a2r)
FORTRAN_OF(Message, MESSAGE, MPI_Message, message, MESSAGE_a2r)
FORTRAN_OF(Op, OP, MPI_Op, op, OP_a2r)
#if R_HANDLE_BITS == 64
/* The numbers of pooled requests are below 0. The integers of a library of the standard ABI may
   be, too, so those have their sign bit changed. */
#if R_HANDLES_ARE_NUMBERS
#define REQUEST_INTEGER_OFFSET 0x80000000u
#else
#define REQUEST_INTEGER_OFFSET INTEGER_OFFSET
#endif
/* Returns the program's integer of a request that pooled_r2a refused. */
#define request_number_slow PAIR(request_number_slow)
MPI_Fint request_number_slow(R_MPI_Request r) HIDDEN __attribute__((noinline));
#if DEFINES_SHARED
MPI_Fint request_number_slow(R_MPI_Request r)
{
    MPI_Fint f;
    return pooled_r2a_slow(r, &f) ? f : (MPI_Fint)((unsigned)R_INT(Request, r) + REQUEST_INTEGER_OFFSET);
}
#endif
/* Returns the program's integer of a request. */
static inline MPI_Fint REQUEST_r_int(R_MPI_Request r)
{
    MPI_Fint f;
    return pooled_r2a(r, &f) ? f : request_number_slow(r);
}
/* Returns the runtime's request of the program's integer. */
static inline R_MPI_Request REQUEST_r_handle(MPI_Fint f)
{
    return likely(IS_POOLED(f)) ? pooled_a2r(f) : R_HANDLE(Request, (MPI_Fint)((unsigned)f - REQUEST_INTEGER_OFFSET));
}
FORTRAN(Request, REQUEST, MPI_Request, request, request_c2r)
#else
FORTRAN_OF(Request, REQUEST, MPI_Request, request, request_c2r)
#endif
FORTRAN_OF(Session, SESSION, MPI_Session, session, SESSION_a2r)
FORTRAN_OF(Win, WIN, MPI_Win, win, WIN_a2r)
INTS_OF(FILE, MPI_File, R_FILE_INT, R_FILE_HANDLE, FIRST_DYNAMIC_INTEGER)
FORTRAN(File, FILE, MPI_File, file, FILE_a2r)
#endif

/* Defines toint and fromint of a kind, which are the same as c2f and f2c. */
#define AS_INT(Name, Type, name) \
    static int A_MPI_##Name##_toint(A_##Type name) { return A_MPI_##Name##_c2f(name); } \
    static A_##Type A_MPI_##Name##_fromint(int name) { return A_MPI_##Name##_f2c(name); }
#endif

#if !SAME_FAMILY || !A_HANDLES_ARE_NUMBERS
AS_INT(Comm, MPI_Comm, comm)
AS_INT(Type, MPI_Datatype, datatype)
AS_INT(Errhandler, MPI_Errhandler, errhandler)
AS_INT(Group, MPI_Group, group)
AS_INT(Info, MPI_Info, info)
AS_INT(Message, MPI_Message, message)
AS_INT(Op, MPI_Op, op)
AS_INT(Request, MPI_Request, request)
AS_INT(Session, MPI_Session, session)
AS_INT(Win, MPI_Win, win)
AS_INT(File, MPI_File, file)
#endif
#endif
