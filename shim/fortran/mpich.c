/*
 * What the layer has for programs of the MPICH family alone: the data.
 */
#include "layer.h"

__typeof__(mpipriv1_) mpipriv1_;
__typeof__(mpipriv2_) mpipriv2_;
__typeof__(mpiprivc_) mpiprivc_;
MPI_Fint mpifcmb5_, mpifcmb9_, mpifcmba_;

/* By these C knows Fortran's constants (MPI-5.0, 19.3.5): variables of the front. */
extern MPI_Fint *status_ignore_in_c __asm__("MPI_F_STATUS_IGNORE");
extern MPI_Fint *statuses_ignore_in_c __asm__("MPI_F_STATUSES_IGNORE");

static __attribute__((constructor)) void tell_c(void)
{
    status_ignore_in_c = mpipriv1_.status_ignore;
    statuses_ignore_in_c = mpipriv2_.statuses_ignore;
}
