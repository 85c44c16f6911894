/*
 * Raises the errors that wi4go itself detects.
 *
 * Gives: raise_error, persistent_check.
 * Needs: pair.h, errors.h, handles.h.
 */
#ifndef WI4GO_RAISE_ERROR_H
#define WI4GO_RAISE_ERROR_H
#include "pair.h"
#include "errors.h"
#include "handles.h"

/* Raises an error class of the program and returns it for the call to return. The error goes to
   the object's error handler. If the call names no object, the error goes to the handler of
   MPI_COMM_SELF (MPI-5.0, 9.3), or, if the program has not set one there, to the handler of
   MPI_COMM_WORLD, which programs of MPI-3.1 set (MPI-3.1, 8.3). No handler is called before MPI_Init, after MPI_Finalize and in the tool
   interface. handle is the program's. */
#define raise_error PAIR(raise_error)
int raise_error(enum wi4go_object object, long handle, int error_class) HIDDEN;
#if DEFINES_SHARED
static R_MPI_Comm comm_without_object(void)
{
    R_MPI_Errhandler handler = (R_MPI_Errhandler)R_MPI_ERRORS_ARE_FATAL;
    R_MPI_Comm_get_errhandler((R_MPI_Comm)R_MPI_COMM_SELF, &handler);
    if (handler == (R_MPI_Errhandler)R_MPI_ERRORS_ARE_FATAL)
        return (R_MPI_Comm)R_MPI_COMM_WORLD;
    if (handler != (R_MPI_Errhandler)R_MPI_ERRORS_RETURN)
        R_MPI_Errhandler_free(&handler);
    return (R_MPI_Comm)R_MPI_COMM_SELF;
}

int raise_error(enum wi4go_object object, long handle, int error_class)
{
    int code = error_a2r(error_class), up = 0, down = 0;
    R_MPI_Initialized(&up);
    R_MPI_Finalized(&down);
    if (!up || down)
        return error_class;
    switch (object) {
    case WI4GO_COMM:
        R_MPI_Comm_call_errhandler(COMM_a2r((A_MPI_Comm)handle), code);
        break;
    case WI4GO_WIN:
        R_MPI_Win_call_errhandler(WIN_a2r((A_MPI_Win)handle), code);
        break;
    case WI4GO_FILE:
        R_MPI_File_call_errhandler(FILE_a2r((A_MPI_File)handle), code);
        break;
    case WI4GO_TOOL:
        break;
    case WI4GO_ERRHANDLER:
        if (ERRHANDLER_a2r((A_MPI_Errhandler)handle) == (R_MPI_Errhandler)R_MPI_ERRORS_RETURN)
            break;
        /* fall through */
    case WI4GO_NO_OBJECT:
        R_MPI_Comm_call_errhandler(comm_without_object(), code);
        break;
    }
    return error_class;
}
#endif

#if R_PERSISTENT_UNCHECKED
/* Checks the arguments of a persistent collective call, because the functions of Open MPI 4.1
   with the prefix MPIX_ dereference a null pointer for the request and an invalid communicator.
   Returns the runtime's error code, which has been raised, or 0 if both are valid. */
#define persistent_check PAIR(persistent_check)
int persistent_check(R_MPI_Comm comm, const void *request) HIDDEN;
#if DEFINES_SHARED
int persistent_check(R_MPI_Comm comm, const void *request)
{
    int flag, code = R_MPI_Comm_test_inter(comm, &flag);
    if (likely(code || request))
        return code;
    R_MPI_Comm_call_errhandler(comm, R_MPI_ERR_ARG);
    return R_MPI_ERR_ARG;
}
#endif
#endif
#endif
