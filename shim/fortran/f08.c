/*
 * The procedures of mpi_f08 that are not mpif.h's, written by hand.
 */
#include "f08.h"

/* mpi_f08 gives the buffer as a C pointer (MPI-5.0, 3.6). */
void mpi_buffer_detach_f08_(void **buffer_addr, MPI_Fint *size, MPI_Fint *ierror)
{
    void *buffer;
    const int rc = PMPI_Buffer_detach(&buffer, size);
    if (rc == MPI_SUCCESS)
        *buffer_addr = buffer;
    RESULT(rc);
}
NAME(pmpi_buffer_detach_f08_, mpi_buffer_detach_f08_)
NAME(ompi_buffer_detach_f08, mpi_buffer_detach_f08_)
NAME(pompi_buffer_detach_f08, mpi_buffer_detach_f08_)

/* Addresses of C, which mpi_f08 brings along. */
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_ptr, void *, 0)
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_funptr, void *, 0)
