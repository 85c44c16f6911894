/*
 * The inner door of the Fortran layer: a procedure calls the function that it stands for by
 * CALL, or by its profiling name, and whatever else it needs of MPI by INNER(name). The
 * front then does not take that for a call of the program (front.h, wi4go_inner).
 *
 * fortran_inner.h, generated, lists the functions. Each has a pointer to the place that
 * holds the address to call: one in this library, with the profiling name, until the front
 * names the place in its own table (wi4go_fortran_inner). An older front names none.
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
