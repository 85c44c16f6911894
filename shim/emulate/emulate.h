/*
 * Emulates functions that MPI-4.0 and later added and MPI-3.1 can express, for programs over a
 * library that lacks them. All of this works on the program's side of the front: it calls the
 * front's functions by their slots, in the ABI of the front's family, and is compiled once for
 * each family.
 *
 * E_MPI_X fills the slot of a function that the library lacks. layer_MPI_X (such as
 * requests_MPI_Wait) is installed over the translation of a function that the library has, by a
 * layer (funcs.json names it). It calls the function below it as BELOW(layer, MPI_X).
 * wi4go_chain, generated from gen/model/layers.go, lists the layers in their order, and when each
 * is installed. A program that uses no emulated function pays nothing for them.
 *
 * Ownership: handles are the program's; memory of a request belongs to its struct emulated.
 * Locking: a file that has lists protects them with a mutex of its own.
 *
 * Gives: wi4go_chain, wi4go_layers_install, wi4go_request_new, wi4go_persistent_new and the other
 * declarations that the files of this directory share.
 * Needs: front_mpi.h.
 */
#ifndef WI4GO_EMULATE_H
#define WI4GO_EMULATE_H
#include "front_mpi.h"
#include <pthread.h>
#include <stdlib.h>

/* The function that a layer's function replaced in its slot. */
#define BELOW(layer, function) below_##layer##_##function
/* Reports whether the library exports a function. */
#define RUNTIME_HAS(function) (wi4go_R[SLOT_##function] != wi4go_missing_entries[SLOT_##function])

/* A layer. wi4go_chain lists them, the lowest first; a row without a name ends it. */
struct wi4go_chain {
    const char *name;
    enum wi4go_moment when;                      /* when it is installed */
    int (*is_needed)(const struct wi4go_pair *pair); /* reports whether the layer is needed now. May be NULL: then it always is */
    const struct wi4go_layer *functions;         /* a row without a function ends them */
};
extern const struct wi4go_chain wi4go_chain[] HIDDEN;
/* Installs the layers of this moment. Must be called once for each moment. */
void wi4go_layers_install(enum wi4go_moment moment) HIDDEN;
/* Installs the layers of this moment that are needed now, and removes the others. */
void wi4go_layers_update(enum wi4go_moment moment) HIDDEN;

/* Reports whether the library is initialized and not finalized. */
int wi4go_library_is_up(void) HIDDEN;
/* Sets that, and updates the layers of WI4GO_OUTSIDE. The caller makes sure that no other thread does. */
void wi4go_library_set_up(int is_up) HIDDEN;

/* Raises an error class through the error handler of an object. Returns the error code that the
   MPI call must return. */
static inline int wi4go_raise(enum wi4go_object object, int64_t handle, int error_class)
{
    return wi4go_pair->raise(object, (long)handle, error_class);
}

/* ---- requests ---- */

/*
 * An emulated request: it has up to two inner requests, which are requests of the front and which
 * the runtime drives, and functions that run before and after these. wi4go_request_new makes it:
 * active, or inactive if it is persistent. The program has its handle.
 *
 * The states of a request are inactive (persistent ones only), active, over, and freed. It is
 * over when `ready` reports true and both inner requests are null. A request that is over becomes
 * inactive if it is persistent; otherwise it is discarded.
 */
struct emulated;
struct emulated_kind {
    size_t size;                            /* size of the whole record, whose first member is a struct emulated */
    int (*start)(struct emulated *);        /* starts the inner requests of a persistent one; returns an error code */
    int (*ready)(struct emulated *);        /* reports whether all inner requests have begun. May be NULL: then they have as soon as it is active */
    MPI_Request (*sleeper)(struct emulated *); /* returns a request that completes when `ready` reports true, so that the runtime can wait for that; MPI_REQUEST_NULL if it fails. NULL: only wi4go_progress helps */
    void (*wake)(struct emulated *);        /* completes the request of `sleeper`, unless something else does */
    int (*complete)(struct emulated *);     /* called once the inner requests are over; returns an error code. NULL: nothing to do */
    void (*discard)(struct emulated *);     /* called before the record is freed, if not NULL */
    void (*convert_status)(struct emulated *, MPI_Status *); /* turns the inner request's status into the program's. May be NULL: then they are equal */
    int cancel_has_no_effect;               /* 1: a cancel succeeds without effect: a send that is over when it begins */
};
struct emulated {
    const struct emulated_kind *kind;       /* its functions */
    MPI_Request handle;                     /* the program's handle */
    MPI_Request inner[2];                   /* MPI_REQUEST_NULL: none. The first one's status is the whole request's */
    MPI_Status status;                      /* for the program, once it is over */
    int error;                              /* the first error of an inner request, or MPI_SUCCESS */
    char persistent, active;
    struct kept *kept;  /* copies made by wi4go_request_copy */
    struct held **held; /* objects held by wi4go_request_hold */
    int n_held;
    struct emulated *next;                  /* the list of requests that are freed and still active */
};

/* Returns a new record, zero except for the fields of struct emulated. Its inner requests are
   null. Never returns NULL: the process ends when memory is exhausted. */
struct emulated *wi4go_request_new(const struct emulated_kind *kind, int persistent) HIDDEN;
/* Returns the record of a handle, or NULL if the handle is no emulated request's or was freed. */
struct emulated *wi4go_request_find(MPI_Request request) HIDDEN;
/* Frees the record of a request that has no active inner requests, and its handle. */
void wi4go_request_discard(struct emulated *e) HIDDEN;
/* Returns a copy of n elements that lives as long as the record, or NULL if `from` is NULL. */
void *wi4go_request_copy(struct emulated *e, const void *from, int64_t n, size_t size) HIDDEN;
/* Keeps an object of the program alive as long as the record. slot is the function that frees
   such objects. If the program calls it meanwhile, its effect is delayed until the last record
   that holds the object is freed. wi4go_request_hold_types holds n datatypes; types may be NULL. */
void wi4go_request_hold(struct emulated *e, unsigned slot, int64_t handle) HIDDEN;
void wi4go_request_hold_types(struct emulated *e, const MPI_Datatype *types, int64_t n) HIDDEN;
/* Makes progress in the runtime, and yields to other threads. */
void wi4go_progress(void) HIDDEN;
/* Writes the empty status (MPI-5.0, 3.7.3). */
void wi4go_status_empty(MPI_Status *status) HIDDEN;

/* Returns the class of a class or code that the program has added, or -1. With a string it copies
   the text, and returns -1 if there is none (errors.c). */
int wi4go_added_class(int number, char *string) HIDDEN;
/* Sets the text of such a class or code; NULL removes it. Reports whether there is one (errors.c). */
int wi4go_added_set_text(int number, const char *text) HIDDEN;
/* Forgets such a class (is_class) or code, if its text was removed and, for a class, if it has no
   codes any more. Reports whether it has done so (errors.c). */
int wi4go_added_remove(int number, int is_class) HIDDEN;

/* Over a library without sessions: enter an info that the program has got unless rc is an error,
   and return rc; remove it from the list; copy the entries of all infos before the library is
   finalized (infos.c). */
int wi4go_info_note(int rc, const MPI_Info *info) HIDDEN;
void wi4go_info_forget(MPI_Info info) HIDDEN;
void wi4go_infos_keep(void) HIDDEN;

/* The key of the kinds of memory in an info, and the kinds that a session made with this info
   supports; NULL when memory is exhausted (memory_kinds.c). The library must be initialized. The
   caller frees the text. */
#define WI4GO_MEMORY_KINDS "mpi_memory_alloc_kinds"
char *wi4go_memory_kinds(MPI_Info info) HIDDEN;

/* Returns after all buffered messages have left. Called before MPI ends. */
void wi4go_buffers_flush(void) HIDDEN;

/* ---- persistent collectives ---- */

/* A persistent collective, or another collective request with memory of its own. */
struct persistent {
    struct emulated request;
    MPI_Comm comm;                          /* a communicator of its own, so that processes need not start requests in the same order */
    struct pieces *pieces;                  /* for a reduction of a large count (reduce.h); else NULL */
    int *counts;                            /* the narrowed counts of a request whose counts fit an int; else NULL */
    struct exchange *exchange;              /* the arrays passed to the library for large counts (exchange.h); else NULL */
};
/* Makes the record of a persistent collective on comm; neighbours: it is a neighborhood
   collective. Returns 0, or an error code. wi4go_persistent_discard frees its communicator. */
int wi4go_persistent_new(struct persistent **made, const struct emulated_kind *kind, MPI_Comm comm, int neighbours) HIDDEN;
void wi4go_persistent_discard(struct emulated *e) HIDDEN;
/* The emulated_kind functions of reductions of large counts. The record holds all pieces except
   the last, which is its inner request. */
int wi4go_pieces_ready(struct emulated *e) HIDDEN;
int wi4go_pieces_complete(struct emulated *e) HIDDEN;
void wi4go_pieces_discard(struct emulated *e) HIDDEN;

/* These return the number of elements in the arrays of a collective call: wi4go_peers for the
   remote group of an intercommunicator or else the only group, wi4go_members for the local group,
   and the degrees for the neighbors that send to and receive from this process. */
int64_t wi4go_peers(MPI_Comm comm) HIDDEN;
int64_t wi4go_members(MPI_Comm comm) HIDDEN;
int64_t wi4go_indegree(MPI_Comm comm) HIDDEN;
int64_t wi4go_outdegree(MPI_Comm comm) HIDDEN;
/* Reports whether this process is the root of a call. */
int wi4go_at_root(int root, MPI_Comm comm) HIDDEN;
#endif
