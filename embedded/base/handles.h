/*
 * Conversion of handles to objects and back, and handles as integers.
 * Locks: each kind's table of integers has one.
 *
 * Gives: em_comm_of, em_request_of and the others, em_comm_handle, em_group_handle, em_errhandler_handle, em_fortran_forget.
 * Needs: datatype.h, state.h.
 */
#ifndef WI4GO_EMBEDDED_HANDLES_H
#define WI4GO_EMBEDDED_HANDLES_H

#include "datatype.h"
#include "state.h"

/* ---- handles ----
 * The object of a handle, or NULL if it is invalid or the null handle of its kind. */

#define NUMBER(handle) ((uintptr_t)(handle))
#define PREDEFINED 4096 /* handles below are numbers */

struct comm *em_comm_predefined(uintptr_t number);
struct group *em_group_of(MPI_Group handle);
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

/* Removes an object from the table of integers of its kind (integers.c). */
void em_fortran_forget(enum kind kind, struct object *head);

#endif
