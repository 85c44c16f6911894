/*
 * The Fortran binding of programs that were built with Open MPI 4 and 5. Buffers are
 * addresses, in mpi_f08 too, and constants that are addresses are the same common blocks in
 * all bindings. Procedures with large counts exist since Open MPI 6, and their buffers are
 * descriptors.
 *
 * Gives: PLAIN, CHOICE, LARGE, LARGECHOICE, struct descriptor, SIZEOF_INTEGERS, COMPARE, C_COMM and the like, BOTTOM, IN_PLACE, STATUS_IGNORE, STATUSES_IGNORE, UNWEIGHTED, F_TAG_UB.
 * Needs: mpi.h, binding.h.
 */
#ifndef OPENMPI_H
#define OPENMPI_H

#ifdef F08
#define PLAIN(x) PROCEDURE(mpi_##x##_f08_)
#define LARGE(x) looked_up("mpi_" #x "_c_f08_")
#define LARGECHOICE(x) looked_up("mpi_" #x "_c_f08ts_")
#include "gfortran.h"
#else
#define PLAIN(x) PROCEDURE(mpi_##x##_)
#endif
#define CHOICE(x) PLAIN(x)

MPI_Fint mpi_fortran_bottom_ COMMON, mpi_fortran_in_place_ COMMON, mpi_fortran_unweighted_ COMMON;
MPI_Fint mpi_fortran_status_ignore_[6] COMMON, mpi_fortran_statuses_ignore_[6] COMMON;
#define BOTTOM (&mpi_fortran_bottom_)
#define IN_PLACE (&mpi_fortran_in_place_)
#define STATUS_IGNORE mpi_fortran_status_ignore_
#define STATUSES_IGNORE mpi_fortran_statuses_ignore_
#define UNWEIGHTED (&mpi_fortran_unweighted_)

#define F_TAG_UB MPI_TAG_UB

/* By the type and the rank of the argument. */
#define SIZEOF_INTEGERS looked_up("mpi_sizeof_int32_r1_")
#define SIZEOF_DOUBLE looked_up("mpi_sizeof_real64_scalar_")
#define COMPARE(kind, is) looked_up("__mpi_f08_types_MOD_ompi_" kind "_op_" is)
#define NOT_EQUAL "ne"
#define C_COMM(comm) ((MPI_Comm(*)(MPI_Fint))function("MPI_Comm_f2c"))(comm)
#define F_COMM(comm) ((MPI_Fint(*)(MPI_Comm))function("MPI_Comm_c2f"))(comm)
#endif
