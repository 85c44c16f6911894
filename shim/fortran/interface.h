/*
 * Of interface mode alone: libwi4go_fortran, over the front of the standard ABI.
 *
 * Gives: CALL, C_KEYVAL, TRIMS_ALL, BOTTOM, IN_PLACE and the other constants that are
 * addresses, FORTRAN_CONSTANTS.
 * Needs: inner.h.
 */
#ifndef WI4GO_INTERFACE_H
#define WI4GO_INTERFACE_H
#include "inner.h"
/* What a procedure calls: the profiling name. */
#define CALL(name) P##name

/* Keyvals have the same numbers in C. */
#define C_KEYVAL(keyval) (keyval)

/* A string loses the blanks at its end, those of infos at both. */
#define TRIMS_ALL 0

/* Process sets count from 0, as in C. */
#define FIRST_PSET 0

/* Conversions of what is used without MPI_Init too. */
#define Errhandler_f2c INNER(MPI_Errhandler_f2c)
#define Errhandler_c2f INNER(MPI_Errhandler_c2f)
#define Info_f2c INNER(MPI_Info_f2c)
#define Info_c2f INNER(MPI_Info_c2f)
#define Session_f2c INNER(MPI_Session_f2c)
#define Session_c2f INNER(MPI_Session_c2f)

/* The value of an attribute that is not there is 0. */
#define NONE_IS_0 1

/* ---- constants that are addresses: common blocks of ours, which may be the program's own.
   No other MPI of the process has the names. ---- */

extern MPI_Fint wi4go_fortran_bottom_, wi4go_fortran_in_place_, wi4go_fortran_buffer_automatic_;
extern MPI_Fint wi4go_fortran_unweighted_, wi4go_fortran_weights_empty_, wi4go_fortran_errcodes_ignore_;
extern MPI_Fint wi4go_fortran_status_ignore_[], wi4go_fortran_statuses_ignore_[];
extern char wi4go_fortran_argv_null_, wi4go_fortran_argvs_null_;

#define BOTTOM(p) ((void *)(p) == &wi4go_fortran_bottom_ ? MPI_BOTTOM : (void *)(p))
#define IN_PLACE(p) ((void *)(p) == &wi4go_fortran_in_place_ ? MPI_IN_PLACE : BOTTOM(p))
#define ATTACHED(p) ((void *)(p) == &wi4go_fortran_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC : BOTTOM(p))
#define WEIGHTS(p) ((p) == &wi4go_fortran_unweighted_ ? MPI_UNWEIGHTED : (p) == &wi4go_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : (p))
#define NO_STATUS(p) ((p) == wi4go_fortran_status_ignore_)
#define NO_STATUSES(p) ((p) == wi4go_fortran_statuses_ignore_)
#define NO_ERRCODES(p) ((p) == &wi4go_fortran_errcodes_ignore_)
#define NO_ARGV(p) ((p) == &wi4go_fortran_argv_null_)
#define NO_ARGVS(p) ((p) == &wi4go_fortran_argvs_null_)

/* The same for the front (frequent.h). */
#define FORTRAN_CONSTANTS {&wi4go_fortran_bottom_, &wi4go_fortran_in_place_, wi4go_fortran_status_ignore_, wi4go_fortran_statuses_ignore_}
#define DESCRIBED_CONSTANTS FORTRAN_CONSTANTS /* one for all bindings */

/* mpif.h gives the address of a buffer that is detached, for which the standard has no use
   there (MPI-5.0, 3.6), as MPICH's does, and other bindings of the standard ABI. */
#define DETACHED(buffer_addr, buffer) memcpy(buffer_addr, &(buffer), sizeof(buffer))

/* What MPI_GREQUEST_START is given is a value: callbacks have a variable of their own. */
#define KEEPS_EXTRA_STATE 1
#endif
