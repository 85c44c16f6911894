/*
 * The Fortran binding of programs that were built with MPICH's family. In mpi_f08, as
 * gfortran compiles it, buffers are the compiler's descriptors, and constants that are
 * addresses are variables. Procedures with descriptors are looked up by name: a program that
 * is linked with them, but not with the library of a Fortran compiler, would be taken for a
 * program of another compiler.
 *
 * Gives: PLAIN, CHOICE, LARGE, LARGECHOICE, SIZEOF_INTEGERS, COMPARE, C_COMM and the like, DESCRIPTORS, struct descriptor, BOTTOM, IN_PLACE, STATUS_IGNORE, STATUSES_IGNORE,
 * UNWEIGHTED, F_TAG_UB.
 * Needs: mpi.h, binding.h.
 */
#ifndef MPICH_H
#define MPICH_H

#ifdef F08
#define PLAIN(x) PROCEDURE(mpi_##x##_f08_)
#define CHOICE(x) looked_up("mpi_" #x "_f08ts_")
#define LARGE(x) looked_up("mpi_" #x "_f08_large_") /* the names of MPICH 4.0 */
#define LARGECHOICE(x) looked_up("mpi_" #x "_f08ts_large_")
#define DESCRIPTORS
#include "gfortran.h"
#define BOTTOM constant_at("MPIR_F08_MPI_BOTTOM")
#define IN_PLACE constant_at("MPIR_F08_MPI_IN_PLACE")
#define STATUS_IGNORE constant_at("MPIR_F08_MPI_STATUS_IGNORE_OBJ")
#define STATUSES_IGNORE constant_at("MPIR_F08_MPI_STATUSES_IGNORE_OBJ")
#define UNWEIGHTED constant_at("__mpi_f08_link_constants_MOD_mpi_unweighted")
#else
#define PLAIN(x) PROCEDURE(mpi_##x##_)
#define CHOICE(x) PLAIN(x)
struct {
    MPI_Fint bottom, in_place, status_ignore[5];
} mpipriv1_ COMMON;
struct {
    MPI_Fint statuses_ignore[5], errcodes_ignore;
} mpipriv2_ COMMON;
MPI_Fint mpifcmb5_ COMMON;
#define BOTTOM (&mpipriv1_.bottom)
#define IN_PLACE (&mpipriv1_.in_place)
#define STATUS_IGNORE mpipriv1_.status_ignore
#define STATUSES_IGNORE mpipriv2_.statuses_ignore
#define UNWEIGHTED (&mpifcmb5_)
#endif

/* A predefined keyval is one larger than in C. */
#define F_TAG_UB (MPI_TAG_UB + 1)

/* By the type and the rank of the argument. */
#ifdef F08
#define SIZEOF_INTEGERS looked_up("__mpi_f08_types_MOD_mpi_sizeof_xint32")
#define SIZEOF_DOUBLE looked_up("__mpi_f08_types_MOD_mpi_sizeof_xreal64")
#else
#define SIZEOF_INTEGERS looked_up("__mpi_sizeofs_MOD_mpi_sizeof_iv")
#define SIZEOF_DOUBLE looked_up("__mpi_sizeofs_MOD_mpi_sizeof_d")
#endif
#define COMPARE(kind, is) looked_up("__mpi_f08_types_MOD_mpi_" kind "_" is)
#define NOT_EQUAL "neq"
#define C_COMM(comm) ((MPI_Comm)(comm))
#define F_COMM(comm) ((MPI_Fint)(comm))
#endif
