/*
 * The part of the Fortran library that only Open MPI has. Its state is the addresses of common
 * blocks, which are constants.
 *
 * Gives: CALL, C_KEYVAL, TRIMS_ALL, BOTTOM, IN_PLACE and the other constants that are
 * addresses, FORTRAN_CONSTANTS.
 * Needs: inner.h.
 */
#ifndef WI4GO_OPENMPI_H
#define WI4GO_OPENMPI_H
#include "inner.h"
/* The C function that a procedure calls: the profiling name, as in Open MPI itself, so that C
   tools do not see the call. */
#define CALL(name) P##name

/* Returns the C keyval for a Fortran keyval: the same number. */
#define C_KEYVAL(keyval) (keyval)

/* Every CHARACTER loses the blanks at both ends, not only keys and values of infos. */
#define TRIMS_ALL 1

/* The number of the first process set: 0, as in C. */
#define FIRST_PSET 0

/* Conversions of handles that may be used before MPI_Init. Open MPI's own conversions end a
   process that has not called MPI_Init, even if it has a session. So these convert the
   predefined handles, whose numbers are known, without calling Open MPI. */
static inline MPI_Info Info_f2c(MPI_Fint info) { return info == 0 ? MPI_INFO_NULL : INNER(MPI_Info_f2c)(info); }
static inline MPI_Fint Info_c2f(MPI_Info info) { return info == MPI_INFO_NULL ? 0 : INNER(MPI_Info_c2f)(info); }
static inline MPI_Session Session_f2c(MPI_Fint session) { return session == 0 ? MPI_SESSION_NULL : INNER(MPI_Session_f2c)(session); }
static inline MPI_Fint Session_c2f(MPI_Session session) { return session == MPI_SESSION_NULL ? 0 : INNER(MPI_Session_c2f)(session); }
static inline MPI_Fint Errhandler_c2f(MPI_Errhandler handler) { return handler == MPI_ERRHANDLER_NULL ? 0 : INNER(MPI_Errhandler_c2f)(handler); }
static inline MPI_Errhandler Errhandler_f2c(MPI_Fint handler)
{
    switch (handler) {
    case 0: return MPI_ERRHANDLER_NULL;
    case 1: return MPI_ERRORS_ARE_FATAL;
    case 2: return MPI_ERRORS_RETURN;
    default: return INNER(MPI_Errhandler_f2c)(handler);
    }
}

/* Reading an attribute that is not set leaves the value unchanged. */
#define NONE_IS_0 0

/* ---- constants that are addresses ----
 *
 * They are common blocks. If the program defines a block too, the dynamic linker uses the
 * program's.
 */

extern MPI_Fint mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_buffer_automatic_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_,
    mpi_fortran_errcodes_ignore_;
extern MPI_Fint mpi_fortran_status_ignore_[], mpi_fortran_statuses_ignore_[];
extern char mpi_fortran_argv_null_, mpi_fortran_argvs_null_;

/* The macros up to WEIGHTS return the C constant if p is the address of the Fortran constant,
   else p. NO_STATUS and the following report whether p is the address of the constant that the
   program passes if it does not need the output or passes no arguments. */
#define BOTTOM(p) ((void *)(p) == &mpi_fortran_bottom_ ? MPI_BOTTOM : (void *)(p))
#define IN_PLACE(p) ((void *)(p) == &mpi_fortran_in_place_ ? MPI_IN_PLACE : BOTTOM(p))
#define ATTACHED(p) ((void *)(p) == &mpi_fortran_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC : BOTTOM(p))
#define WEIGHTS(p) ((p) == &mpi_fortran_unweighted_ ? MPI_UNWEIGHTED : (p) == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : (p))
#define NO_STATUS(p) ((p) == mpi_fortran_status_ignore_)
#define NO_STATUSES(p) ((p) == mpi_fortran_statuses_ignore_)
#define NO_ERRCODES(p) ((p) == &mpi_fortran_errcodes_ignore_)
#define NO_ARGV(p) ((p) == &mpi_fortran_argv_null_)
#define NO_ARGVS(p) ((p) == &mpi_fortran_argvs_null_)

/* The constants' addresses for the front (fortran_direct.h). */
#define FORTRAN_CONSTANTS {&mpi_fortran_bottom_, &mpi_fortran_in_place_, mpi_fortran_status_ignore_, mpi_fortran_statuses_ignore_}
#define DESCRIBED_CONSTANTS FORTRAN_CONSTANTS /* mpi_f08 defines the same constants */

/* Return the argument: mpi_f08 defines the same constants, so a direct procedure of mpif.h
   recognizes them. */
static inline void *f77_address(const void *p) { return (void *)p; }
static inline MPI_Fint *f77_status(MPI_Fint *status) { return status; }

/* The profiling name of a procedure of mpi_f08. */
#define PROFILING(x) pmpi_##x

/* Does nothing: mpif.h ignores the address of a detached buffer (MPI-5.0, 3.6). */
#define DETACHED(buffer_addr, buffer) ((void)(buffer_addr))

/* The callbacks of MPI_GREQUEST_START get the caller's variable, and may change it. */
#define KEEPS_EXTRA_STATE 0
#endif
