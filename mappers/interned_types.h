/*
 * Interned arrays of datatypes: converted copies of the two arrays of MPI_Alltoallw and similar
 * functions. Programs usually pass the same arrays in each call. An interned pair of arrays never
 * changes and never ends, so the runtime may read it as long as it likes: the request of a
 * nonblocking call needs no record (tracked_requests.h), and a later call with the same arrays
 * converts nothing.
 *
 * State: `interned` has room for INTERNED_ENTRIES pairs of arrays. When all are in use, the
 * caller converts other arrays for each call, as it does for arrays of more than INTERNED_MOST
 * elements. Entry 0 is empty. `last` holds the last call with arrays at some addresses. The fast
 * paths (fast_path_x86_64.h) look it up: if the communicator is the same one and the arrays have
 * the same contents, the runtime gets the same copies.
 *
 * A handle that is a number in a table, and any handle of a communicator, may have several objects
 * in turn. A call counts until a communicator is created or, where datatypes are such numbers, a
 * datatype is: `changes` is a number that changes then.
 *
 * Locking: a thread that adds an entry or stores a call holds `lock`, and others do not wait for
 * it. An entry is complete when its index is stored, and does not change then. A thread may read a
 * call while another one stores it. It reads `changes` first, which is stored last, so that the
 * other members are not older: they were right when no handle had changed. `sized` contains both
 * the communicator and the length, which must be the `n` of the entry.
 *
 * Gives: struct interned_types, intern_types.
 * Needs: pair.h, layout.h, handles.h, comm_sizes.h.
 */
#ifndef WI4GO_INTERNED_TYPES_H
#define WI4GO_INTERNED_TYPES_H
#include "pair.h"
#include "layout.h"
#include "handles.h"
#include "comm_sizes.h"

/* A pair of arrays. */
struct interned_types {
    uint64_t n;                   /* the length of both arrays, plus INTERNED_ONE if the program has one array for both, or 0 if their lengths differ */
    R_MPI_Datatype *send, *recv;  /* the runtime's arrays, or NULL */
    uint32_t n_send, n_recv;      /* their lengths */
    uint32_t next;                /* the next entry with the same hash, or 0 */
    _Alignas(8) A_MPI_Datatype a_send[INTERNED_MOST];
    A_MPI_Datatype a_recv[INTERNED_MOST];
    R_MPI_Datatype r_send[INTERNED_MOST], r_recv[INTERNED_MOST];
};

/* A call with two arrays of one length. */
struct interned_call {
    _Alignas(CALL_BYTES) uint64_t changes; /* see above */
    const A_MPI_Datatype *send, *recv;     /* the program's arrays */
    uint64_t sized;                        /* the communicator with the length, as in comm_sizes.h, plus INTERNED_ONE if both arrays are one */
    const struct interned_types *types;
};

#define interned PAIR(interned)
SHARED struct interned {
    struct interned_call last[2][INTERNED_CALLS]; /* with INTERNED_PEERS and INTERNED_NEIGHBORS, by the addresses of the arrays */
    struct interned_types entry[INTERNED_ENTRIES];
    uint32_t first[INTERNED_CALLS]; /* by hash, the index of the entry that was added last, or 0 */
    uint32_t used;                  /* the number of entries, apart from entry 0 */
    int lock;                       /* 1: a thread adds an entry or stores a call */
} interned;
_Static_assert(sizeof(struct interned_call) == CALL_BYTES && offsetof(struct interned_call, changes) == CALL_CHANGES &&
               offsetof(struct interned_call, send) == CALL_SEND && offsetof(struct interned_call, recv) == CALL_RECV &&
               offsetof(struct interned_call, sized) == CALL_SIZED && offsetof(struct interned_call, types) == CALL_TYPES &&
               offsetof(struct interned, last) == 0 && offsetof(struct interned_types, n) == INTERNED_N &&
               offsetof(struct interned_types, send) == INTERNED_SEND && offsetof(struct interned_types, recv) == INTERNED_RECV &&
               offsetof(struct interned_types, a_send) == INTERNED_A_SEND &&
               offsetof(struct interned_types, a_recv) == INTERNED_A_SEND + INTERNED_MOST * sizeof(A_MPI_Datatype), "layout.h");

#define intern_types PAIR(intern_types)
/* Returns the entry of the program's arrays send and recv in a call with the runtime's communicator
   comm; it adds the entry if there is none. with: INTERNED_PEERS, INTERNED_NEIGHBORS or INTERNED_ONCE. An array
   may be NULL, and contains no elements then. The runtime gets one array for both if the program passes
   one: MPICH compares them. Returns NULL if the arrays are too long, contain an invalid handle, or
   are new when all entries are in use. */
const struct interned_types *intern_types(R_MPI_Comm comm, int with, const A_MPI_Datatype *send, size_t n_send, const A_MPI_Datatype *recv, size_t n_recv) HIDDEN;

#if DEFINES_SHARED
/* Stores the number of changes at *changes. Reports whether it counts: no table is being changed. */
static int handle_changes(uint64_t *changes)
{
    *changes = comm_changes();
    int settled = comm_changes_settled(*changes);
#if A_HANDLE_BITS == 32
    const uint32_t of_types = ht_changes(&table_DATATYPE);
    settled &= !(of_types & 1);
    *changes = (uint32_t)*changes + of_types; /* both only grow */
#endif
    return settled;
}

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
        if (e->n_send == x->n_send && e->n_recv == x->n_recv && e->n == x->n && !e->send == !x->send && !e->recv == !x->recv &&
            !memcmp(e->a_send, x->a_send, x->n_send * sizeof *x->a_send) && !memcmp(e->a_recv, x->a_recv, x->n_recv * sizeof *x->a_recv) &&
            !memcmp(e->r_send, x->r_send, x->n_send * sizeof *x->r_send) && !memcmp(e->r_recv, x->r_recv, x->n_recv * sizeof *x->r_recv))
            break;
    }
    return i;
}

static int lock_interned(void) { return !__atomic_exchange_n(&interned.lock, 1, __ATOMIC_ACQUIRE); }
static void unlock_interned(void) { __atomic_store_n(&interned.lock, 0, __ATOMIC_RELEASE); }

/* Adds x to the entries with its hash and returns its index; or returns 0 if there is no room, or
   another thread holds the lock. */
static __attribute__((noinline)) uint32_t add_interned(uint32_t *chain, const struct interned_types *x)
{
    if (interned.used == INTERNED_ENTRIES - 1 || !lock_interned())
        return 0;
    uint32_t i = find_interned(*chain, x); /* another thread may have added it */
    if (!i && interned.used < INTERNED_ENTRIES - 1) {
        i = ++interned.used;
        struct interned_types *e = &interned.entry[i];
        *e = *x;
        e->send = x->send ? e->r_send : NULL;
        e->recv = !x->recv ? NULL : x->n == x->n_recv + INTERNED_ONE ? e->send : e->r_recv;
        e->next = *chain;
        __atomic_store_n(chain, i, __ATOMIC_RELEASE);
    }
    unlock_interned();
    return i;
}

/* Stores a call for the fast paths. Its arrays have been converted since the number of changes was
   `changes`. */
static void keep_call(int with, const struct interned_call *call, uint64_t changes)
{
    const uint32_t i = ((uint32_t)(uintptr_t)call->send + 4 * (uint32_t)(uintptr_t)call->recv) / INTERNED_GRAIN % INTERNED_CALLS;
    struct interned_call *last = &interned.last[with][i];
    uint64_t now;
    if (!lock_interned())
        return;
    if (handle_changes(&now) && now == changes) {
        __atomic_store_n(&last->send, call->send, __ATOMIC_RELAXED);
        __atomic_store_n(&last->recv, call->recv, __ATOMIC_RELAXED);
        __atomic_store_n(&last->sized, call->sized, __ATOMIC_RELAXED);
        __atomic_store_n(&last->types, call->types, __ATOMIC_RELAXED);
        __atomic_store_n(&last->changes, changes, __ATOMIC_RELEASE);
    }
    unlock_interned();
}

const struct interned_types *intern_types(R_MPI_Comm comm, int with, const A_MPI_Datatype *send, size_t n_send, const A_MPI_Datatype *recv, size_t n_recv)
{
    struct interned_types x;
    uint64_t hash = 0, changes;
    n_send = send ? n_send : 0;
    n_recv = recv ? n_recv : 0;
    if (n_send > INTERNED_MOST || n_recv > INTERNED_MOST || !(n_send | n_recv))
        return NULL;
    const int settled = handle_changes(&changes);
    if (!convert_types(x.r_send, send, n_send, &hash) || !convert_types(x.r_recv, recv, n_recv, &hash))
        return NULL;
    if (n_send)
        memcpy(x.a_send, send, n_send * sizeof *send);
    if (n_recv)
        memcpy(x.a_recv, recv, n_recv * sizeof *recv);
    x.send = send ? x.r_send : NULL;
    x.recv = recv ? x.r_recv : NULL;
    x.n_send = (uint32_t)n_send;
    x.n_recv = (uint32_t)n_recv;
    x.n = n_send != n_recv ? 0 : send == recv ? n_send + INTERNED_ONE : n_send;
    uint32_t *chain = &interned.first[(hash >> 32) % INTERNED_CALLS];
    uint32_t i = find_interned(__atomic_load_n(chain, __ATOMIC_ACQUIRE), &x);
    if (unlikely(!i) && !(i = add_interned(chain, &x)))
        return NULL;
    const struct interned_types *e = &interned.entry[i];
    if (x.n && settled && with != INTERNED_ONCE)
        keep_call(with, &(struct interned_call){.send = send, .recv = recv, .sized = SIZED(comm) + x.n, .types = e}, changes);
    return e;
}
#endif
#endif
