/*
 * Definitions that the Fortran library has only for programs of the MPICH family: the common
 * blocks and module variables whose addresses are constants, and MPI_OP_CREATE with large
 * counts. The constructor is the only code that writes shared state, at load.
 */
#include "sections.h"

__typeof__(mpipriv1_) mpipriv1_;
__typeof__(mpipriv2_) mpipriv2_;
__typeof__(mpiprivc_) mpiprivc_;
MPI_Fint mpifcmb5_, mpifcmb9_, mpifcmba_;
MPI_Fint LINK_CONSTANT(errcodes_ignore), LINK_CONSTANT(unweighted), LINK_CONSTANT(weights_empty), LINK_CONSTANT(buffer_automatic);
char LINK_CONSTANT(argv_null), LINK_CONSTANT(argvs_null);

/* Variables of the front, in which C finds Fortran's constants (MPI-5.0, 19.3.5). */
extern MPI_Fint *status_ignore_in_c __asm__("MPI_F_STATUS_IGNORE");
extern MPI_Fint *statuses_ignore_in_c __asm__("MPI_F_STATUSES_IGNORE");

/* Stores the addresses of the common blocks in them. */
static __attribute__((constructor)) void publish_status_ignore(void)
{
    status_ignore_in_c = mpipriv1_.status_ignore;
    statuses_ignore_in_c = mpipriv2_.statuses_ignore;
}

/* Creates an operation with large counts. Handles are INTEGERs in C too, so the Fortran
   procedure serves as the C function without a trampoline. */
void mpi_op_create_c_(void *user_fn, const MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror)
{
    RESULT(CALL(MPI_Op_create_c)((MPI_User_function_c *)user_fn, *commute != 0, op));
}
NAME(mpi_op_create_f08_large_, mpi_op_create_c_)
NAME(pmpir_op_create_f08_large_, mpi_op_create_c_)
NAME(mpi_op_create_c_f08_, mpi_op_create_c_)
NAME(pmpir_op_create_c_f08_, mpi_op_create_c_)
