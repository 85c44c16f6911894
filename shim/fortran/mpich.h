/*
 * The part of the Fortran library that only the MPICH family has. Handles, except files, and
 * statuses are the same in Fortran and C. Its state is the addresses of common blocks and
 * module variables, which are constants.
 *
 * Gives: CALL, C_KEYVAL, TRIMS_ALL, BOTTOM, IN_PLACE and the other constants that are
 * addresses, FORTRAN_CONSTANTS.
 * Needs: inner.h.
 */
#ifndef WI4GO_MPICH_H
#define WI4GO_MPICH_H
#include "inner.h"
/* The C function that a procedure calls: the plain name, as in MPICH itself, so that C tools
   see the call. */
#define CALL(name) name

/* Returns the C keyval for a Fortran keyval. A predefined keyval, which is odd in C, is one
   larger in Fortran. */
static inline int c_keyval(int keyval)
{
    const int predefined = ((unsigned)keyval & 0xc0000000) == 0x40000000;
    return predefined ? keyval - !(keyval & 1) : keyval;
}
#define C_KEYVAL(keyval) c_keyval(keyval)

/* CHARACTERs lose the blanks at their end; only keys and values of infos lose them at both ends. */
#define TRIMS_ALL 0

/* The number of the first process set: 1, whereas C begins with 0. */
#define FIRST_PSET 1

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
 * In mpif.h they are common blocks. If the program defines a block too, the dynamic linker
 * uses the program's.
 */

extern struct {
    MPI_Fint bottom, in_place, status_ignore[5];
} mpipriv1_;
extern struct {
    MPI_Fint statuses_ignore[5], errcodes_ignore;
} mpipriv2_;
extern struct {
    char argvs_null, argv_null;
} mpiprivc_;
extern MPI_Fint mpifcmb5_, mpifcmb9_, mpifcmba_;

/* In mpi_f08 they are variables: some of the front, some of a module. */
extern MPI_Fint MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
#define LINK_CONSTANT(name) __mpi_f08_link_constants_MOD_mpi_##name
extern MPI_Fint LINK_CONSTANT(errcodes_ignore), LINK_CONSTANT(unweighted), LINK_CONSTANT(weights_empty), LINK_CONSTANT(buffer_automatic);
extern char LINK_CONSTANT(argv_null), LINK_CONSTANT(argvs_null);

/* Reports whether p is the constant of mpif.h or the one of mpi_f08. */
#define EITHER(p, f77, f08) ((void *)(p) == (void *)(f77) || (void *)(p) == (void *)(f08))
/* The macros up to WEIGHTS return the C constant if p is the address of the Fortran constant,
   else p. NO_STATUS and the following report whether p is the address of the constant that the
   program passes if it does not need the output or passes no arguments. */
#define BOTTOM(p) (EITHER(p, &mpipriv1_.bottom, &MPIR_F08_MPI_BOTTOM) ? MPI_BOTTOM : (void *)(p))
#define IN_PLACE(p) (EITHER(p, &mpipriv1_.in_place, &MPIR_F08_MPI_IN_PLACE) ? MPI_IN_PLACE : BOTTOM(p))
#define ATTACHED(p) (EITHER(p, &mpifcmba_, &LINK_CONSTANT(buffer_automatic)) ? MPI_BUFFER_AUTOMATIC : BOTTOM(p))
#define WEIGHTS(p) \
    (EITHER(p, &mpifcmb5_, &LINK_CONSTANT(unweighted))      ? MPI_UNWEIGHTED \
     : EITHER(p, &mpifcmb9_, &LINK_CONSTANT(weights_empty)) ? MPI_WEIGHTS_EMPTY \
                                                            : (p))
#define NO_STATUS(p) EITHER(p, mpipriv1_.status_ignore, MPIR_F08_MPI_STATUS_IGNORE_OBJ)
#define NO_STATUSES(p) EITHER(p, mpipriv2_.statuses_ignore, MPIR_F08_MPI_STATUSES_IGNORE_OBJ)
#define NO_ERRCODES(p) EITHER(p, &mpipriv2_.errcodes_ignore, &LINK_CONSTANT(errcodes_ignore))
#define NO_ARGV(p) EITHER(p, &mpiprivc_.argv_null, &LINK_CONSTANT(argv_null))
#define NO_ARGVS(p) EITHER(p, &mpiprivc_.argvs_null, &LINK_CONSTANT(argvs_null))

/* The constants' addresses in mpif.h, then in mpi_f08, for the front (fortran_direct.h). */
#define FORTRAN_CONSTANTS {&mpipriv1_.bottom, &mpipriv1_.in_place, mpipriv1_.status_ignore, mpipriv2_.statuses_ignore}
#define DESCRIBED_CONSTANTS \
    {&MPIR_F08_MPI_BOTTOM, &MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ}

/* A direct procedure of mpi_f08 calls the one of mpif.h. In the body of a pair (fortran_direct.h)
   that one recognizes only the constants of mpif.h, so f77_address and f77_status return those
   for the constants of mpi_f08, and any other address unchanged. */
static inline void *f77_address(const void *p)
{
    if (__builtin_expect(p == &MPIR_F08_MPI_IN_PLACE, 0))
        return &mpipriv1_.in_place;
    return __builtin_expect(p == &MPIR_F08_MPI_BOTTOM, 0) ? &mpipriv1_.bottom : (void *)p;
}
static inline MPI_Fint *f77_status(MPI_Fint *status)
{
    return status == MPIR_F08_MPI_STATUS_IGNORE_OBJ ? mpipriv1_.status_ignore : status;
}

/* The profiling name of a procedure of mpi_f08. */
#define PROFILING(x) pmpir_##x

/* Stores the address of a detached buffer in the program's variable, as MPICH does. The
   standard does not define that for mpif.h (MPI-5.0, 3.6). */
#define DETACHED(buffer_addr, buffer) memcpy(buffer_addr, &(buffer), sizeof(buffer))

/* The callbacks of MPI_GREQUEST_START get the caller's variable, and may change it. */
#define KEEPS_EXTRA_STATE 0
#endif
