/*
 * The inner door of the Fortran library. A procedure calls the C function that it implements
 * by CALL or by the profiling name, and makes its other MPI calls by INNER(name). The front
 * then does not count those as calls of the program (front.h, wi4go_inner).
 *
 * fortran_inner.h, generated, lists the functions. Each gets a pointer, wi4go_inner_NAME, to
 * the place that holds the address to call. At first that place is in this library and holds
 * the profiling name; when the library registers, the front redirects the pointer to its own
 * table (wi4go_fortran_inner). An older front leaves it as it is. The pointers are written
 * only then, before the program runs, so they need no lock.
 *
 * Gives: INNER.
 * Needs: mpi.h, fortran_inner.h.
 */
#ifndef WI4GO_INNER_H
#define WI4GO_INNER_H
#include "mpi.h"
#include "fortran_inner.h"

#define INNER(name) (*wi4go_inner_##name)
#define INNER_DECLARED(name) extern __typeof__(P##name) *const *wi4go_inner_##name __attribute__((visibility("hidden")));
INNER_FUNCTIONS(INNER_DECLARED)
#endif
