/*
 * What the module of mpi_f08's types has of another module.
 */
#include "f08.h"

/* Addresses of C, which mpi_f08 brings along. */
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_ptr, void *, 0)
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_funptr, void *, 0)
