/*
 * What MPI-4.0 and later added and MPI-3.1 can express, for programs over a
 * library that lacks it. All of this is a program on the front's own side: it
 * calls the front's functions by their slots, in the ABI of the front's family,
 * and is compiled once for each family.
 *
 * E_MPI_X is in the slot of a function that the library lacks. layer_MPI_X is
 * put over the translation of a function that the library has, by a layer (funcs.json
 * names it): it calls what is below it as BELOW(layer, MPI_X). wi4go_chain, generated from
 * gen/model/layers.go, has the layers, when each is put over its functions, and in which
 * order. Whoever uses nothing of this pays nothing for it.
 *
 * Gives: wi4go_chain, wi4go_layers_begin, wi4go_request_new, wi4go_persistent_new and what else the files beside it
 * have of each other.
 * Needs: front_mpi.h.
 */
#ifndef WI4GO_EMULATE_H
#define WI4GO_EMULATE_H
#include "front_mpi.h"
#include <pthread.h>
#include <stdlib.h>

#define BELOW(layer, function) below_##layer##_##function
#define RUNTIME_HAS(function) (wi4go_R[SLOT_##function] != wi4go_missing_entries[SLOT_##function])

/* The chain of layers, the lowest first, a row without a name at its end. */
struct wi4go_chain {
    const char *name;
    enum wi4go_moment when;
    int (*wants)(const struct wi4go_pair *pair); /* reports whether the layer is needed; NULL: it is */
    const struct wi4go_layer *functions;
};
extern const struct wi4go_chain wi4go_chain[] HIDDEN;
/* Puts the layers of this moment over their functions. To be called once. */
void wi4go_layers_begin(enum wi4go_moment moment) HIDDEN;

/* Raises an error class through the handler of an object; the code to return. */
int wi4go_raise(enum wi4go_object object, int64_t handle, int error_class) HIDDEN;

/* ---- requests ---- */

/*
 * A request of ours: up to two of the front's, which the runtime drives, and
 * what is to be done before and after. Made by wi4go_request_new, inactive when
 * it is persistent; the program has its handle.
 */
struct emulated;
struct emulated_kind {
    size_t size;                            /* of the record, of which struct emulated is the beginning */
    int (*start)(struct emulated *);        /* a persistent one: begins its inner requests */
    int (*ready)(struct emulated *);        /* whether all its inner requests have begun; NULL: they have when it is active */
    int (*complete)(struct emulated *);     /* when they are over; NULL: nothing. Returns an error code */
    void (*discard)(struct emulated *);     /* before the record goes; NULL: nothing */
    void (*outward)(struct emulated *, MPI_Status *); /* makes the inner request's status the program's; NULL: it is */
    int too_late;                           /* to cancel it is to complete it: a send that is over when it begins */
};
struct emulated {
    const struct emulated_kind *kind;
    MPI_Request handle;
    MPI_Request inner[2];                   /* the first one's status is the whole one's */
    MPI_Status status;
    int error;
    char persistent, active;
    struct kept *kept;
    struct held **held;
    int n_held;
    struct emulated *next;                  /* of those that are freed and still active */
};

/* A new record, of zeros but for these; never NULL. Its inner requests are null. */
struct emulated *wi4go_request_new(const struct emulated_kind *kind, int persistent) HIDDEN;
/* The record of a handle; NULL when it is none of ours or was freed. */
struct emulated *wi4go_request_find(MPI_Request request) HIDDEN;
/* Gives the record of a request up that has no active inner requests. */
void wi4go_request_discard(struct emulated *e) HIDDEN;
/* A copy of n elements that lives as long as the record; NULL of NULL. */
void *wi4go_keep(struct emulated *e, const void *from, int64_t n, size_t size) HIDDEN;
/* The program may free the object, by the function of the slot, while the record
   is alive: what that does is put off until the last record that holds it goes. */
void wi4go_hold(struct emulated *e, unsigned slot, int64_t handle) HIDDEN;
void wi4go_hold_types(struct emulated *e, const MPI_Datatype *types, int64_t n) HIDDEN;
/* Lets the runtime work, and other threads, for a moment. */
void wi4go_progress(void) HIDDEN;
void wi4go_status_empty(MPI_Status *status) HIDDEN;

/* Whether the pair's library lacks error classes of the program's family (errors.c). */
int wi4go_error_classes_differ(const struct wi4go_pair *pair) HIDDEN;

/* Whether the pair's library lacks split types of the program's family, or has others
   (resources.c). Called before the first split. */
int wi4go_split_types_differ(const struct wi4go_pair *pair) HIDDEN;

/* Before MPI ends: buffered messages leave. */
void wi4go_buffers_end(void) HIDDEN;

/* Whether the user asks what handles are left (records.c). */
int wi4go_records_wanted(void) HIDDEN;

/* ---- persistent collectives ---- */

struct persistent {
    struct emulated request;
    MPI_Comm comm;                          /* its own, so that starts need no order */
    struct pieces *pieces;                  /* of a reduction of a large count (reduce.h) */
    int *counts;                            /* of one whose counts fit the library's: these */
    struct exchange *exchange;              /* of large counts (exchange.h): the arrays that the library is given */
};
/* Makes the record of a persistent collective on comm: 0, or the error code. */
int wi4go_persistent_new(struct persistent **made, const struct emulated_kind *kind, MPI_Comm comm, int neighbours) HIDDEN;
void wi4go_persistent_discard(struct emulated *e) HIDDEN;
/* Reductions of large counts, of which the record has all pieces but the last. */
int wi4go_pieces_ready(struct emulated *e) HIDDEN;
int wi4go_pieces_complete(struct emulated *e) HIDDEN;
void wi4go_pieces_discard(struct emulated *e) HIDDEN;

/* How many processes an array of a collective call has elements for. */
int64_t wi4go_peers(MPI_Comm comm) HIDDEN;
int64_t wi4go_members(MPI_Comm comm) HIDDEN;
int64_t wi4go_indegree(MPI_Comm comm) HIDDEN;
int64_t wi4go_outdegree(MPI_Comm comm) HIDDEN;
int wi4go_at_root(int root, MPI_Comm comm) HIDDEN;
#endif
