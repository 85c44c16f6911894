/*
 * Shared by all implementations of handles: the reverse map of predefined handles, from the
 * runtime's value to the program's, and the handle that represents an invalid one.
 *
 * The map is filled during the set-up and only read afterwards, so it needs no lock.
 *
 * Gives: predefined_r2a, reverse_find, reverse_add, bad_handle, NO_HANDLE.
 * Needs: pair.h.
 */
#ifndef WI4GO_PREDEFINED_H
#define WI4GO_PREDEFINED_H
#include "pair.h"

#define HASH_SIZE 512

/* A handle that no library returns. */
#define NO_HANDLE(type) ((type)(intptr_t)-1)

/* Returns the runtime's handle to pass for an invalid handle of the program. It must be a handle
   that the runtime refuses and does not dereference. A library whose handles are pointers may
   dereference 0, so it gets the null handle of the kind. MPICH refuses 0. So does Open MPI for
   the kinds whose null handle is a valid argument. */
#define BAD_IS_NULL (R_HANDLE_BITS == 64)
static inline int64_t bad_handle(int kind)
{
#if BAD_IS_NULL
    switch (kind) {
    case KIND_COMM: return (int64_t)R_MPI_COMM_NULL;
    case KIND_DATATYPE: return (int64_t)R_MPI_DATATYPE_NULL;
    case KIND_ERRHANDLER: return (int64_t)R_MPI_ERRHANDLER_NULL;
    case KIND_FILE: return (int64_t)R_MPI_FILE_NULL;
    case KIND_GROUP: return (int64_t)R_MPI_GROUP_NULL;
    case KIND_INFO: return R_FOLLOWS_INFO ? 0 : (int64_t)R_MPI_INFO_NULL;
    case KIND_MESSAGE: return (int64_t)R_MPI_MESSAGE_NULL;
    case KIND_OP: return (int64_t)R_MPI_OP_NULL;
    case KIND_REQUEST: return R_FOLLOWS_REQUEST ? 0 : (int64_t)R_MPI_REQUEST_NULL;
    case KIND_SESSION: return (int64_t)R_MPI_SESSION_NULL;
    case KIND_WIN: return (int64_t)R_MPI_WIN_NULL;
    }
#endif
    return 0;
}

/* The program's predefined handles by the runtime's value, for each kind: a hash table with open
   addressing. */
struct reverse { int64_t r, a; }; /* the runtime's and the program's handle; a is 0 in a free entry */
#define reverse_of PAIR(reverse_of)
SHARED struct reverse reverse_of[N_KINDS][HASH_SIZE];

/* Returns the first entry for a handle, below HASH_SIZE. */
static inline unsigned reverse_hash(int64_t r)
{
    return (unsigned)((uint64_t)r * 0x9E3779B97F4A7C15u >> 55);
}

/* Returns the entry of the runtime's handle r, or a free one, whose a is 0, if r is not a
   predefined handle. No program's handle is 0: the storage of a predefined handle is never at
   address 0, and 0 is not a valid int handle. */
static inline struct reverse *reverse_find(int kind, int64_t r)
{
    struct reverse *first = reverse_of[kind];
    if (kind) /* so that the compiler does not add the kind to the hash, by an instruction of its own */
        __asm__("" : "+r"(first));
    struct reverse *e = first + reverse_hash(r);
    while (e->a && unlikely(e->r != r))
        e = e == &first[HASH_SIZE - 1] ? first : e + 1;
    return e;
}

/* The rare case of predefined_r2a, out of line. */
static __attribute__((noinline, cold, unused)) int64_t reverse_comm(int64_t r) { return reverse_find(KIND_COMM, r)->a; }
/* Returns the program's predefined handle of the runtime's handle r, or 0. Hardly any communicator
   that the program gets is predefined, so the first entry is tested before anything else. */
static inline int64_t predefined_r2a(int kind, int64_t r)
{
    if (kind != KIND_COMM)
        return reverse_find(kind, r)->a;
    return likely(!reverse_of[kind][reverse_hash(r)].a) ? 0 : reverse_comm(r);
}

/* Enters the runtime's handle r. If several of the program's handles have one handle of the
   runtime, the first one counts. */
static void reverse_add(int kind, int64_t r, int64_t a)
{
    struct reverse *e = reverse_find(kind, r);
    if (!e->a) {
        e->r = r;
        e->a = a;
    }
}
#endif
