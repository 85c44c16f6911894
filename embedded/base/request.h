/*
 * Requests and waiting.
 *
 * Gives: em_request_new, em_request_free, em_progress, em_wait, em_take, em_finish, em_complete, em_wait_as, em_describe and others.
 * Needs: handles.h.
 */
#ifndef WI4GO_EMBEDDED_REQUEST_H
#define WI4GO_EMBEDDED_REQUEST_H

#include "handles.h"

/* Requests that are complete when they are started, because their peer is MPI_PROC_NULL. */
extern const struct request_kind em_null_kind;

/* Returns a new active request of a kind, or NULL. It holds a reference to comm and type, each of
 * which may be NULL. */
struct request *em_request_new(const struct request_kind *kind, struct comm *comm, struct type *type);
/* Frees a request that is complete or inactive, and its references. */
void em_request_free(struct request *request);
/* Makes progress once: the device, and collective operations. Returns whether anything happened. */
bool em_progress(void);
/* Notes that a call which does not wait has found nothing. A program that polls so leaves its core every few calls, if ranks outnumber
 * cores: else it would keep it until the end of its slice, and the rank that it waits for may need it. */
void em_found_nothing(void);
/* Waits until the request is complete. function: the name that a report of blocked ranks shows. */
int em_wait(struct request *request, const char *function);
/* Waits until one of n requests is complete; NULL entries are skipped, at least one is not NULL.
 * Returns its index, or the negative of an error code. */
int em_wait_any(int n, struct request *const *requests, const char *function);
/* Waits until the first of n requests is complete, which is active; the caller will wait for the others. */
int em_wait_first(int n, const MPI_Request *handles, const char *function);
/* The function of MPI whose inner calls wait in this thread, or NULL. MPI_Sendrecv writes it without a call, because it is in the initial-exec model. */
extern _Thread_local const char *em_waits_as __attribute__((tls_model("initial-exec")));
/* Makes reports of blocked ranks name a function instead of the ones that this thread calls for it. NULL: those again.
 * Returns the previous value. */
static inline const char *em_wait_as(const char *function)
{
    const char *before = em_waits_as;
    em_waits_as = function;
    return before;
}
/* Takes the result of a complete request and frees it if it is not persistent. status may be NULL. */
int em_take(struct request *request, MPI_Status *status);
/* em_wait, then em_take. */
int em_finish(struct request *request, MPI_Status *status, const char *function);
/* The settings of the device call it for requests that the program has freed while active. */
void em_request_abandoned(union MPIR_HANDLE *handle);

static inline bool em_complete(struct request *request)
{
    if (likely(request->kind->is_message))
        return atomic_load_explicit(&request->device.common.is_complete, memory_order_acquire);
    return request->kind->complete(request);
}
/* Reports whether a blocking call must progress more than the device. */
static inline bool em_busy(void) { return em->threads || em->schedules.active; }

/* ---- descriptions of waits, for a report of blocked ranks ---- */

/* Stores the name of a communicator in a description, which is all zeros or has one. */
void em_describe_comm(struct MPID_Blocked *why, const struct comm *comm);
/* Fills the description of a wait for one message. */
void em_describe(struct MPID_Blocked *why, const char *function, struct comm *comm, int rank, int tag, int context);
/* Adds a peer to the description of a wait, if there is room. rank: of comm, or negative; comm may be NULL. */
void em_describe_peer(struct MPID_Blocked *why, struct comm *comm, int rank, int tag, int context);

#endif
