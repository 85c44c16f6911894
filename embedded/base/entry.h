/*
 * Used by the generated entry points of the embedded MPI only: checks and errors.
 *
 * Gives: em_refuse, em_not_running, em_missing, em_missing_tool, em_instead, em_null_name, em_at_root, em_at_leaf, em_root_valid, em_null_buffer.
 * Needs: errors.h, handles.h.
 */
#ifndef WI4GO_EMBEDDED_ENTRY_H
#define WI4GO_EMBEDDED_ENTRY_H

#include "errors.h"
#include "handles.h"

/* Calls the error handler (em_raise) for an argument that the entry point refuses. */
#define em_refuse em_raise

/* Ends the program: the function is called before MPI_Init or after MPI_Finalize. */
int em_not_running(const char *function) __attribute__((cold));
/* Raises MPI_ERR_UNSUPPORTED_OPERATION for a function that the embedded MPI does not have. */
int em_missing(struct comm *comm, const char *function) __attribute__((cold));
/* Returns an error code of MPI_T for a function of it, which the embedded MPI does not have. It calls no error handler. */
int em_missing_tool(const char *function) __attribute__((cold));

/* Returns the words of a message that name another MPI library, or the command that installs one. */
const char *em_instead(void) __attribute__((cold));

/* Writes the name of a null handle. */
int em_null_name(const char *null, char *name, int *resultlen) __attribute__((cold));

/* Reports whether this process is the root, with the root's arguments significant (MPI-5.0, 6.2.3). */
static inline bool em_at_root(const struct comm *comm, int root)
{
    return comm->inter ? root == MPI_ROOT : root == comm->rank;
}

/* Reports whether this process sends to the root, or receives from it. */
static inline bool em_at_leaf(const struct comm *comm, int root)
{
    return !comm->inter || root >= 0;
}

static inline bool em_root_valid(const struct comm *comm, int root)
{
    return (unsigned)root < (unsigned)comm->remote_size || (comm->inter && (root == MPI_ROOT || root == MPI_PROC_NULL));
}

/* Reports whether a call would read or write data at a null pointer. */
static inline bool em_null_buffer(const void *buf, int64_t count, const struct type *type)
{
    return MPID_Lacks_buffer(buf, count, &type->device);
}

#endif
