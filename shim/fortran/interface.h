/*
 * The part of the Fortran library that only interface mode has: libwi4go_fortran, over the front
 * of the standard ABI. Its state is the addresses of common blocks, which are constants.
 *
 * Gives: CALL, C_KEYVAL, TRIMS_ALL, BOTTOM, IN_PLACE and the other constants that are
 * addresses, FORTRAN_CONSTANTS.
 * Needs: inner.h.
 */
#ifndef WI4GO_INTERFACE_H
#define WI4GO_INTERFACE_H
#include "inner.h"
/* The C function that a procedure calls: the profiling name. */
#define CALL(name) P##name

/* Returns the C keyval for a Fortran keyval: the same number. */
#define C_KEYVAL(keyval) (keyval)

/* CHARACTERs lose the blanks at their end; only keys and values of infos lose them at both ends. */
#define TRIMS_ALL 0

/* The number of the first process set: 0, as in C. */
#define FIRST_PSET 0

/* Conversions of handles that may be used before MPI_Init. The C functions allow that here. */
#define Errhandler_f2c INNER(MPI_Errhandler_f2c)
#define Errhandler_c2f INNER(MPI_Errhandler_c2f)
#define Info_f2c INNER(MPI_Info_f2c)
#define Info_c2f INNER(MPI_Info_c2f)
#define Session_f2c INNER(MPI_Session_f2c)
#define Session_c2f INNER(MPI_Session_c2f)

/* Reading an attribute that is not set stores 0 in the value. */
#define NONE_IS_0 1

/* ---- constants that are addresses ----
 *
 * They are common blocks of this library. If the program defines a block too, the dynamic
 * linker uses the program's. No other MPI in the process has these names.
 */

extern MPI_Fint wi4go_fortran_bottom_, wi4go_fortran_in_place_, wi4go_fortran_buffer_automatic_;
extern MPI_Fint wi4go_fortran_unweighted_, wi4go_fortran_weights_empty_, wi4go_fortran_errcodes_ignore_;
extern MPI_Fint wi4go_fortran_status_ignore_[], wi4go_fortran_statuses_ignore_[];
extern char wi4go_fortran_argv_null_, wi4go_fortran_argvs_null_;

/* The macros up to WEIGHTS return the C constant if p is the address of the Fortran constant,
   else p. NO_STATUS and the following report whether p is the address of the constant that the
   program passes if it does not need the output or passes no arguments. */
#define BOTTOM(p) ((void *)(p) == &wi4go_fortran_bottom_ ? MPI_BOTTOM : (void *)(p))
#define IN_PLACE(p) ((void *)(p) == &wi4go_fortran_in_place_ ? MPI_IN_PLACE : BOTTOM(p))
#define ATTACHED(p) ((void *)(p) == &wi4go_fortran_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC : BOTTOM(p))
#define WEIGHTS(p) ((p) == &wi4go_fortran_unweighted_ ? MPI_UNWEIGHTED : (p) == &wi4go_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : (p))
#define NO_STATUS(p) ((p) == wi4go_fortran_status_ignore_)
#define NO_STATUSES(p) ((p) == wi4go_fortran_statuses_ignore_)
#define NO_ERRCODES(p) ((p) == &wi4go_fortran_errcodes_ignore_)
#define NO_ARGV(p) ((p) == &wi4go_fortran_argv_null_)
#define NO_ARGVS(p) ((p) == &wi4go_fortran_argvs_null_)

/* The constants' addresses for the front (fortran_direct.h). */
#define FORTRAN_CONSTANTS {&wi4go_fortran_bottom_, &wi4go_fortran_in_place_, wi4go_fortran_status_ignore_, wi4go_fortran_statuses_ignore_}
#define DESCRIBED_CONSTANTS FORTRAN_CONSTANTS /* mpi_f08 defines the same constants */

/* Stores the address of a detached buffer in the program's variable. The standard does not
   define that for mpif.h (MPI-5.0, 3.6); MPICH and other bindings of the standard ABI do it. */
#define DETACHED(buffer_addr, buffer) memcpy(buffer_addr, &(buffer), sizeof(buffer))

/* MPI_GREQUEST_START copies the extra state: the callbacks get a variable of the request. */
#define KEEPS_EXTRA_STATE 1
#endif
