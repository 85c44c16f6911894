/* The standard ABI's own exports. It exports no data, no C++ bindings and no error handler that
   throws (MPI-5.0, chapter 20), so nothing is exported except MPI's functions. */
#include "intel_malloc.h"
#include "fortran_callbacks.h"

const intptr_t wi4go_throw_exceptions = -1; /* no handle has this value */

void *wi4go_throwing_function(enum wi4go_object object)
{
    (void)object;
    return NULL;
}

/* ---- for libwi4go_fortran ---- */

FORTRAN_OPERATION(operation, OPERATION)
FORTRAN_OPERATION(operation_c, LARGE_OPERATION)
FORTRAN_HANDLER(comm_handler, MPI_Comm_c2f, COMM_HANDLER)
FORTRAN_HANDLER(file_handler, MPI_File_c2f, FILE_HANDLER)
FORTRAN_HANDLER(session_handler, MPI_Session_c2f, SESSION_HANDLER)
FORTRAN_HANDLER(win_handler, MPI_Win_c2f, WIN_HANDLER)
