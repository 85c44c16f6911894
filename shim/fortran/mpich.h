/*
 * Of the MPICH family alone. Handles, but for files, and statuses are the same in C.
 *
 * Gives: CALL, C_KEYVAL, TRIMS_ALL, BOTTOM, IN_PLACE and the other constants that are
 * addresses, FORTRAN_CONSTANTS.
 * Needs: inner.h.
 */
#ifndef WI4GO_MPICH_H
#define WI4GO_MPICH_H
#include "inner.h"
/* What a procedure calls. Natively it is the name that C tools take. */
#define CALL(name) name

/* A predefined keyval is C's, which is odd, plus one. */
static inline int c_keyval(int keyval)
{
    const int predefined = ((unsigned)keyval & 0xc0000000) == 0x40000000;
    return predefined ? keyval - !(keyval & 1) : keyval;
}
#define C_KEYVAL(keyval) c_keyval(keyval)

/* A string loses the blanks at its end, those of infos at both. */
#define TRIMS_ALL 0

/* Process sets count from 1, in C from 0. */
#define FIRST_PSET 1

/* Conversions of what is used without MPI_Init too. */
#define Errhandler_f2c INNER(MPI_Errhandler_f2c)
#define Errhandler_c2f INNER(MPI_Errhandler_c2f)
#define Info_f2c INNER(MPI_Info_f2c)
#define Info_c2f INNER(MPI_Info_c2f)
#define Session_f2c INNER(MPI_Session_f2c)
#define Session_c2f INNER(MPI_Session_c2f)

/* The value of an attribute that is not there is 0. */
#define NONE_IS_0 1

/* ---- constants that are addresses: common blocks, which may be the program's own ---- */

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

/* In mpi_f08 they are variables: of the front, and of a module. */
extern MPI_Fint MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
#define LINK_CONSTANT(name) __mpi_f08_link_constants_MOD_mpi_##name
extern MPI_Fint LINK_CONSTANT(errcodes_ignore), LINK_CONSTANT(unweighted), LINK_CONSTANT(weights_empty), LINK_CONSTANT(buffer_automatic);
extern char LINK_CONSTANT(argv_null), LINK_CONSTANT(argvs_null);

#define EITHER(p, f77, f08) ((void *)(p) == (void *)(f77) || (void *)(p) == (void *)(f08))
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

/* The same for the front (frequent.h): mpif.h's, and mpi_f08's. */
#define FORTRAN_CONSTANTS {&mpipriv1_.bottom, &mpipriv1_.in_place, mpipriv1_.status_ignore, mpipriv2_.statuses_ignore}
#define DESCRIBED_CONSTANTS \
    {&MPIR_F08_MPI_BOTTOM, &MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ}

/* What a frequent procedure of mpi_f08 gives to the one of mpif.h, which in a pair's body
   (frequent.h) knows no constants but its own. */
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

/* The name of a procedure of mpi_f08 for profiling. */
#define PROFILING(x) pmpir_##x

/* mpif.h gives the address of a buffer that is detached, for which the standard has no use
   there (MPI-5.0, 3.6). */
#define DETACHED(buffer_addr, buffer) memcpy(buffer_addr, &(buffer), sizeof(buffer))

/* What MPI_GREQUEST_START is given is the variable itself, which callbacks may change. */
#define KEEPS_EXTRA_STATE 0
#endif
