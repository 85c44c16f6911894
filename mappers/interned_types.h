/*
 * Interned arrays of datatypes: converted copies of the two arrays of MPI_Alltoallw and similar
 * functions. Programs usually pass the same arrays in each call. An interned pair of arrays never
 * changes and never ends, so the runtime may read it as long as it likes: the request of a
 * nonblocking call needs no record (tracked_requests.h), and a later call with the same arrays
 * converts nothing.
 *
 * State: `interned` has room for INTERNED_ENTRIES pairs of arrays. When all are in use, the
 * caller converts other arrays for each call, as it does for arrays of more than INTERNED_MOST
 * elements. Entry 0 is empty. `found` has the entry of the last call with arrays at some
 * addresses, which the fast paths (fast_path_x86_64.h) look up.
 *
 * If handles are numbers in a table, one number may have several objects in turn. `changes` is the
 * table's number of changes when the entry was last known to be right. In other families, a handle
 * always converts to the same one.
 *
 * Locking: a thread that adds an entry holds `lock`, and others do not wait for it. An entry is
 * complete when its index is stored, and of its members only `changes` changes then.
 *
 * Gives: struct interned_types, intern_types.
 * Needs: pair.h, layout.h, handles.h.
 */
#ifndef WI4GO_INTERNED_TYPES_H
#define WI4GO_INTERNED_TYPES_H
#include "pair.h"
#include "layout.h"
#include "handles.h"

/* A pair of arrays. */
struct interned_types {
    uint32_t changes;             /* see above */
    uint32_t n;                   /* the length of both arrays; UINT32_MAX: the program has one array for both, or their lengths differ */
    R_MPI_Datatype *send, *recv;  /* the runtime's arrays; NULL: the program has none */
    uint32_t n_one;               /* the length of the one array for both; UINT32_MAX: there are two */
    uint32_t n_send, n_recv;      /* their lengths */
    uint32_t next;                /* the next entry with the same hash; 0: none */
    _Alignas(8) A_MPI_Datatype a_send[INTERNED_MOST];
    A_MPI_Datatype a_recv[INTERNED_MOST];
    R_MPI_Datatype r_send[INTERNED_MOST], r_recv[INTERNED_MOST];
};
#define interned PAIR(interned)
SHARED struct interned {
    uint32_t found[INTERNED_PLACES]; /* by the addresses of the program's arrays: the offset of an entry in this struct */
    struct interned_types entry[INTERNED_ENTRIES];
    uint32_t first[INTERNED_PLACES]; /* by hash, the index of the entry that was added last; 0: none */
    uint32_t used;                   /* the number of entries, apart from entry 0 */
    int lock;                        /* 1: a thread adds an entry */
} interned;
_Static_assert(offsetof(struct interned, entry) == INTERNED_FIRST && offsetof(struct interned_types, n) == INTERNED_N &&
               offsetof(struct interned_types, n_one) == INTERNED_N_ONE &&
               offsetof(struct interned_types, send) == INTERNED_SEND && offsetof(struct interned_types, recv) == INTERNED_RECV &&
               offsetof(struct interned_types, a_send) == INTERNED_A_SEND &&
               offsetof(struct interned_types, a_recv) == INTERNED_A_SEND + INTERNED_MOST * sizeof(A_MPI_Datatype), "layout.h");

#define intern_types PAIR(intern_types)
/* Returns the entry of the program's arrays send and recv, which it adds if there is none. An array
   may be NULL, and has no elements then. The runtime gets one array for both if the program passes
   one: MPICH compares them. Returns NULL if the arrays are too long, contain an invalid
   handle, or are new when all entries are in use. */
const struct interned_types *intern_types(const A_MPI_Datatype *send, size_t n_send, const A_MPI_Datatype *recv, size_t n_recv) HIDDEN;

#if DEFINES_SHARED
#if A_HANDLE_BITS == 32
static uint32_t types_changes(void) { return ht_changes(&table_DATATYPE); }
#else
static uint32_t types_changes(void) { return 0; }
#endif

/* Converts an array into r, and adds its handles to *hash. Reports whether all are valid. */
static int convert_types(R_MPI_Datatype *r, const A_MPI_Datatype *a, size_t n, uint64_t *hash)
{
    for (size_t i = 0; i < n; i++) {
        r[i] = DATATYPE_a2r(a[i]);
        if (unlikely(r[i] == (R_MPI_Datatype)bad_handle(KIND_DATATYPE)) && a[i] != A_MPI_DATATYPE_NULL)
            return 0;
        *hash = (*hash ^ (uint64_t)a[i]) * 0x9E3779B97F4A7C15u;
    }
    return 1;
}

/* Returns the index of the entry that has x's arrays, from the first one of a hash on; or 0. */
static uint32_t find_interned(uint32_t first, const struct interned_types *x)
{
    uint32_t i = first;
    for (; i; i = interned.entry[i].next) {
        const struct interned_types *e = &interned.entry[i];
        if (e->n_send == x->n_send && e->n_recv == x->n_recv && e->n_one == x->n_one && !e->send == !x->send && !e->recv == !x->recv &&
            !memcmp(e->a_send, x->a_send, x->n_send * sizeof *x->a_send) && !memcmp(e->a_recv, x->a_recv, x->n_recv * sizeof *x->a_recv) &&
            !memcmp(e->r_send, x->r_send, x->n_send * sizeof *x->r_send) && !memcmp(e->r_recv, x->r_recv, x->n_recv * sizeof *x->r_recv))
            break;
    }
    return i;
}

/* Adds x to the entries with its hash and returns its index; or returns 0 if there is no room, or
   another thread adds an entry. */
static __attribute__((noinline)) uint32_t add_interned(uint32_t *chain, const struct interned_types *x)
{
    if (interned.used == INTERNED_ENTRIES - 1 || __atomic_exchange_n(&interned.lock, 1, __ATOMIC_ACQUIRE))
        return 0;
    uint32_t i = find_interned(*chain, x); /* another thread may have added it */
    if (!i && interned.used < INTERNED_ENTRIES - 1) {
        i = ++interned.used;
        struct interned_types *e = &interned.entry[i];
        *e = *x;
        e->send = x->send ? e->r_send : NULL;
        e->recv = !x->recv ? NULL : x->n_one == x->n_recv ? e->send : e->r_recv;
        e->next = *chain;
        __atomic_store_n(chain, i, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&interned.lock, 0, __ATOMIC_RELEASE);
    return i;
}

const struct interned_types *intern_types(const A_MPI_Datatype *send, size_t n_send, const A_MPI_Datatype *recv, size_t n_recv)
{
    struct interned_types x;
    uint64_t hash = 0;
    n_send = send ? n_send : 0;
    n_recv = recv ? n_recv : 0;
    if (n_send > INTERNED_MOST || n_recv > INTERNED_MOST || !(n_send | n_recv))
        return NULL;
    const uint32_t changes = types_changes();
    if ((changes & 1) || !convert_types(x.r_send, send, n_send, &hash) || !convert_types(x.r_recv, recv, n_recv, &hash))
        return NULL;
    if (n_send)
        memcpy(x.a_send, send, n_send * sizeof *send);
    if (n_recv)
        memcpy(x.a_recv, recv, n_recv * sizeof *recv);
    x.send = send ? x.r_send : NULL;
    x.recv = recv ? x.r_recv : NULL;
    x.n_send = (uint32_t)n_send;
    x.n_recv = (uint32_t)n_recv;
    x.n = n_send == n_recv && send != recv ? x.n_send : UINT32_MAX;
    x.n_one = n_send == n_recv && send == recv ? x.n_send : UINT32_MAX;
    x.changes = changes;
    uint32_t *chain = &interned.first[(hash >> 32) % INTERNED_PLACES];
    uint32_t i = find_interned(__atomic_load_n(chain, __ATOMIC_ACQUIRE), &x);
    if (unlikely(!i) && !(i = add_interned(chain, &x)))
        return NULL;
    struct interned_types *e = &interned.entry[i];
    __atomic_store_n(&e->changes, changes, __ATOMIC_RELAXED);
    const uint32_t place = ((uint32_t)(uintptr_t)send + 4 * (uint32_t)(uintptr_t)recv) / INTERNED_GRAIN % INTERNED_PLACES;
    __atomic_store_n(&interned.found[place], (uint32_t)((const char *)e - (const char *)&interned), __ATOMIC_RELEASE);
    return e;
}
#endif
#endif
