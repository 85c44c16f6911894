/*
 * Errors: their codes, their texts, and the call of error handlers.
 *
 * Every function em_X implements the function MPI_X for arguments that the generated entry point has checked and
 * converted (gen/embedded). It returns an error code: MPI_SUCCESS, an error class of the standard, or a code that the
 * program has added. Error handlers are called by the entry points alone, never below them.
 *
 * Gives: em_error, em_raise, em_raise_file, em_error_of, em_errhandler_release, em_errhandler_predefined, em_errhandler_inherit, em_device_error,
 * em_object_error.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_ERRORS_H
#define WI4GO_EMBEDDED_ERRORS_H

#include "objects.h"

/* Returns the error code. The text is that of the thread's latest error; an error handler that
 * prints uses it. Example: em_error(MPI_ERR_RANK, "rank %d: the communicator has %d ranks", …). */
int em_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
/* Calls the error handler of a communicator (NULL: of MPI_COMM_SELF) for an error of the function
 * and returns the code that the function returns. */
int em_raise(struct comm *comm, int code, const char *function) __attribute__((cold));
/* Calls the error handler of MPI_FILE_NULL for an error of the function, and returns the code that the function returns. */
int em_raise_file(int code, const char *function) __attribute__((cold));
/* Stores the communicator whose error handler gets this thread's next error without a communicator, for example of a request. */
void em_error_of(struct comm *comm);
/* Takes a reference away and frees the error handler with the last one. NULL does nothing. */
void em_errhandler_release(struct errhandler *errhandler);
/* Returns a new predefined error handler, or NULL. */
struct errhandler *em_errhandler_predefined(MPI_Errhandler handle);
/* Gives a new communicator the error handler of its parent. */
void em_errhandler_inherit(struct comm *comm, struct comm *parent);
/* Returns the error code of the standard for a code of the device (adi_types.h). */
int em_device_error(int err);
/* Returns the error for a memory object that this process cannot use. needed_for: its purpose, in the error's text. */
int em_object_error(int err, const char *needed_for) __attribute__((cold));

#endif
