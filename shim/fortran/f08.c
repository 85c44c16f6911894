/*
 * Definitions that the module mpi_f08_types takes from another module, iso_c_binding. They
 * are constant data.
 */
#include "f08.h"

/* The types of C addresses, which mpi_f08 re-exports. */
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_ptr, void *, 0)
TYPE_PARTS(mpi_f08_types, __iso_c_binding, C_funptr, void *, 0)
