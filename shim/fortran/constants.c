/* The constants of Fortran in libwi4go_fortran whose addresses procedures compare. Nothing is locked. */
#include "library.h"

/* Common blocks. A program that defines a block replaces it by its own, so only the addresses
   are used; they are never read or written. */
MPI_Fint wi4go_fortran_bottom_, wi4go_fortran_in_place_, wi4go_fortran_buffer_automatic_;
MPI_Fint wi4go_fortran_unweighted_, wi4go_fortran_weights_empty_, wi4go_fortran_errcodes_ignore_;
MPI_Fint wi4go_fortran_status_ignore_[MPI_F_STATUS_SIZE], wi4go_fortran_statuses_ignore_[MPI_F_STATUS_SIZE];
char wi4go_fortran_argv_null_, wi4go_fortran_argvs_null_;
