/*
 * What all ways of handles have in common: the predefined handles by the
 * runtime's value, and what stands for a handle that is none.
 *
 * Gives: reverse_find, reverse_add, bad_handle, NO_HANDLE.
 * Needs: pair.h.
 */
#ifndef WI4GO_PREDEFINED_H
#define WI4GO_PREDEFINED_H
#include "pair.h"

#define HASH_SIZE 512

/* What no library gives. */
#define NO_HANDLE(type) ((type)(intptr_t)-1)

/* What stands for no object: the null handle, which a library whose handles are
   pointers refuses where it may follow 0. MPICH refuses 0, and so does Open MPI
   for the kinds whose null handle is an argument as good as any. */
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

/* Predefined handles by the runtime's value: open addressing, filled once. */
struct reverse { int64_t r, a; };
#define reverse_of PAIR(reverse_of)
SHARED struct reverse reverse_of[N_KINDS][HASH_SIZE];

static inline unsigned reverse_hash(int64_t r)
{
    return (unsigned)((uint64_t)r * 0x9E3779B97F4A7C15u >> 55);
}

/* Where the predefined handle r stands; its a is 0 when there is none. The
   storage of a predefined handle is never at address 0, and 0 is no int handle. */
static inline struct reverse *reverse_find(int kind, int64_t r)
{
    unsigned i = reverse_hash(r);
    while (reverse_of[kind][i].a && reverse_of[kind][i].r != r)
        i = (i + 1) % HASH_SIZE;
    return &reverse_of[kind][i];
}

static void reverse_add(int kind, int64_t r, int64_t a)
{
    struct reverse *e = reverse_find(kind, r);
    if (!e->a) {
        e->r = r;
        e->a = a;
    }
}
#endif
