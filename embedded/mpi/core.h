/*
 * What all chapters of the embedded MPI share: memory of objects, conversion of handles, errors,
 * waiting.
 *
 * Every function em_X implements the function MPI_X for arguments that the generated entry point
 * has checked and converted (gen/embedded). It returns an error code: MPI_SUCCESS, an error class
 * of the standard, or a code that the program has added. em_error adds the text that an error
 * handler prints. Error handlers are called by the entry points alone, never below them.
 *
 * Gives: em_new, em_release, em_comm_of …, em_error, em_wait, em_status_set.
 * Needs: state.h, types/types.h.
 */
#ifndef WI4GO_EMBEDDED_CORE_H
#define WI4GO_EMBEDDED_CORE_H

#include "state.h"
#include "../types/types.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* ---- memory of objects (pool.c) ---- */

/* Returns a new object of the kind with one reference, all other bytes 0, or NULL if memory is
 * lacking. `head` of the result is filled. */
void *em_new(enum kind kind);
/* Gives the memory back to the pool, and makes the cookie invalid. */
void em_delete(enum kind kind, void *object);
static inline struct object *em_retain(struct object *head)
{
    if (!head->predefined)
        atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
    return head;
}
/* Removes an object from the table of Fortran handles (fortran.c). */
void em_fortran_forget(enum kind kind, struct object *head);
/* Takes a reference away. Returns whether it was the last one, so that the caller must free the object. */
static inline bool em_drop(struct object *head)
{
    return !head->predefined && atomic_fetch_sub_explicit(&head->references, 1, memory_order_acq_rel) == 1;
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
/* Creates MPI_INFO_ENV in em->env, when the number of ranks and the thread level are known. */
int em_info_env_init(void);
/* Frees the tables of Fortran handles. */
void em_fortran_end(void);
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
/* The error code of a code of the device. */
int em_device_error(int err);

/* ---- requests and waiting (request.c) ---- */

/* Returns a new active request of a kind, or NULL. It has a reference to comm and type, each of
 * which may be NULL. */
struct request *em_request_new(const struct request_kind *kind, struct comm *comm, struct type *type);
/* Frees a request that is complete or inactive, and its references. */
void em_request_free(struct request *request);
/* Makes progress once: the device, collective operations, buffered sends. */
void em_progress(void);
/* Waits until the request is complete. function: the name that a report of blocked ranks shows. */
int em_wait(struct request *request, const char *function);
/* Waits, takes the result, frees a request that is not persistent. status may be NULL. */
int em_finish(struct request *request, MPI_Status *status, const char *function);

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
