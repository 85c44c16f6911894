/*
 * Shared by all chapters of the embedded MPI: memory of objects, conversion of handles, errors,
 * waiting.
 *
 * Every function em_X implements the function MPI_X for arguments that the generated entry point
 * has checked and converted (gen/embedded). It returns an error code: MPI_SUCCESS, an error class
 * of the standard, or a code that the program has added. em_error adds the text that an error
 * handler prints. Error handlers are called by the entry points alone, never below them.
 *
 * Gives: em_new, em_retain, em_drop, em_comm_release …, em_comm_of …, em_error, em_wait, em_status_set.
 * Needs: state.h, types.h.
 */
#ifndef WI4GO_EMBEDDED_CORE_H
#define WI4GO_EMBEDDED_CORE_H

#include "state.h"
#include "types.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* ---- memory of objects (pool.c) ---- */

/* Returns a new object of the kind with one reference, all other bytes 0, or NULL if memory is
 * lacking. `head` of the result is filled. */
void *em_new(enum kind kind);
/* The same for a request, whose device part has any values. */
struct request *em_new_request(void);
/* Gives the memory back to the pool, and makes the cookie invalid. */
void em_delete(enum kind kind, void *object);
static inline void em_retain(struct object *head)
{
    if (head->predefined)
        return;
    if (em->threads)
        atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
    else
        atomic_store_explicit(&head->references, atomic_load_explicit(&head->references, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* Removes an object from the table of Fortran handles (fortran.c). */
void em_fortran_forget(enum kind kind, struct object *head);
/* Takes a reference away. Returns whether it was the last one, so that the caller must free the object. */
static inline bool em_drop(struct object *head)
{
    if (head->predefined)
        return false;
    if (em->threads)
        return atomic_fetch_sub_explicit(&head->references, 1, memory_order_acq_rel) == 1;
    int before = atomic_load_explicit(&head->references, memory_order_relaxed);
    atomic_store_explicit(&head->references, before - 1, memory_order_relaxed);
    return before == 1;
}
/* These take a reference away and free the object with the last one. NULL does nothing. */
void em_group_release(struct group *group);
void em_comm_release(struct comm *comm);
void em_type_release(struct type *type);
void em_op_release(struct op *op);
void em_errhandler_release(struct errhandler *errhandler);
void em_keyval_release(struct keyval *keyval);
void em_info_release(struct info *info);

/* ---- handles ----
 * The object of a handle, or NULL if it is invalid or the null handle of its kind. */

#define NUMBER(handle) ((uintptr_t)(handle))
#define PREDEFINED 4096 /* handles below are numbers */

struct comm *em_comm_predefined(uintptr_t number);
struct group *em_group_of(MPI_Group handle);
struct info *em_info_of(MPI_Info handle);
/* Creates an object with the keys of info that are reserved for the standard. */
int em_info_hints(const struct info *info, MPI_Info *hints);
struct errhandler *em_errhandler_of(MPI_Errhandler handle);
static inline struct comm *em_comm_of(MPI_Comm handle)
{
    struct comm *comm = (struct comm *)handle;
    if (unlikely(NUMBER(handle) < PREDEFINED))
        return em_comm_predefined(NUMBER(handle));
    return likely(comm->head.cookie == COOKIE(COMM)) ? comm : NULL;
}
static inline struct request *em_request_of(MPI_Request handle)
{
    struct request *request = (struct request *)handle;
    return NUMBER(handle) >= PREDEFINED && likely(request->head.cookie == COOKIE(REQUEST)) ? request : NULL;
}
static inline struct type *em_type_of(MPI_Datatype handle)
{
    uintptr_t index = NUMBER(handle) - TYPES_FIRST;
    struct type *type = index < TYPES_MAX ? &em->types[index] : (struct type *)handle;
    if (unlikely(NUMBER(handle) < PREDEFINED && index >= TYPES_MAX))
        return NULL;
    return likely(type->head.cookie == COOKIE(TYPE)) ? type : NULL;
}
static inline struct op *em_op_of(MPI_Op handle)
{
    uintptr_t index = NUMBER(handle) - OPS_FIRST;
    struct op *op = index < OPS_MAX ? &em->ops[index] : (struct op *)handle;
    if (unlikely(NUMBER(handle) < PREDEFINED && index >= OPS_MAX))
        return NULL;
    return likely(op->head.cookie == COOKIE(OP)) ? op : NULL;
}
MPI_Comm em_comm_handle(struct comm *comm); /* MPI_COMM_NULL for NULL */
MPI_Group em_group_handle(struct group *group);
MPI_Errhandler em_errhandler_handle(struct errhandler *errhandler);

/* ---- errors (errors.c) ---- */

/* Returns the error code. The text is that of the thread's latest error; an error handler that
 * prints uses it. Example: em_error(MPI_ERR_RANK, "rank %d: the communicator has %d ranks", …). */
int em_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
/* Calls the error handler of a communicator (NULL: of MPI_COMM_SELF) for an error of the function
 * and returns the code that the function returns. */
int em_raise(struct comm *comm, int code, const char *function) __attribute__((cold));
/* The same for the error handler of MPI_FILE_NULL. */
int em_raise_file(int code, const char *function) __attribute__((cold));
/* Stores the communicator whose error handler gets this thread's next error without a communicator, for example of a request. */
void em_error_of(struct comm *comm);
/* Returns a new predefined error handler, or NULL. */
struct errhandler *em_errhandler_predefined(MPI_Errhandler handle);
/* Gives a new communicator the error handler of its parent. */
void em_errhandler_inherit(struct comm *comm, struct comm *parent);
/* Returns the error code of the standard for a code of the device (adi_types.h). */
int em_device_error(int err);

/* Returns the error of a process that has no free context id (contexts.c). */
int em_no_ids(void);

/* ---- requests and waiting (request.c) ---- */

extern const struct request_kind em_send_kind, em_receive_kind, em_null_kind;

/* Returns a new active request of a kind, or NULL. It has a reference to comm and type, each of
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
    if (likely(request->kind == &em_send_kind || request->kind == &em_receive_kind))
        return atomic_load_explicit(&request->device.common.is_complete, memory_order_acquire);
    return request->kind->complete(request);
}
/* Reports whether a blocking call must progress more than the device. */
static inline bool em_busy(void) { return em->threads || em->schedules.active; }

/* ---- messages (send.c, receive.c) ----
 * Point-to-point messages in any context of a communicator; context is CONTEXT_POINT or another
 * of its contexts. dest and source are ranks of the remote group, never MPI_PROC_NULL. The device
 * part of a request is a send (receive) that has been started. */
int em_isend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, int mode, MPIR_SHANDLE *send);
int em_irecv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPIR_RHANDLE *receive);
/* The blocking forms. */
int em_send(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm, int context, const char *function);
int em_recv(void *buf, int64_t count, struct type *type, int source, int tag, struct comm *comm, int context, MPI_Status *status, const char *function);

/* A buffered send (bsend.c): copies the data into the attached buffer. */
int em_bsend(const void *buf, int64_t count, struct type *type, int dest, int tag, struct comm *comm);
/* Makes an inactive persistent request. */
int em_message_init(const struct request_kind *kind, void *buf, int64_t count, struct type *type, int peer, int tag, struct comm *comm, int mode, MPI_Request *handle);
/* Stores the name of a communicator in a description, which is all zeros or has one. */
void em_describe_comm(struct MPID_Blocked *why, const struct comm *comm);
/* Fills the description of a wait for one message. */
void em_describe(struct MPID_Blocked *why, const char *function, struct comm *comm, int rank, int tag, int context);
/* Runs the steps of collective operations in progress that can run (embedded/coll). Returns whether anything happened. */
bool em_schedules_progress(void);

/* ---- statuses (status.c) ----
 * The words of MPICH: the low 32 bits of the number of bytes, then the high bits and, as bit 0 of
 * the second word, whether the operation was cancelled. */
static inline void em_status_set(MPI_Status *status, int source, int tag, int64_t bytes, bool cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->MPI_internal[0] = (int)(uint32_t)bytes;
    status->MPI_internal[1] = (int)((uint32_t)(bytes >> 32) << 1 | cancelled);
}
static inline int64_t em_status_bytes(const MPI_Status *status)
{
    return (int64_t)((uint64_t)((uint32_t)status->MPI_internal[1] >> 1) << 32 | (uint32_t)status->MPI_internal[0]);
}
static inline bool em_status_cancelled(const MPI_Status *status) { return status->MPI_internal[1] & 1; }
static inline void em_status_empty(MPI_Status *status)
{
    em_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    status->MPI_ERROR = MPI_SUCCESS;
}

#endif
