/* The functions that MPI-3.0 removed (MPI-5.0, 16.2), by those that replace them, over libraries that have the standard
   ABI, which has no removed functions. No state, no lock. */
#include "emulate.h"

int E_MPI_Address(void *location, MPI_Aint *address) { return MPI_Get_address(location, address); }

/* Writes the bounds of a datatype; each result may be NULL. */
static int bounds(MPI_Datatype datatype, MPI_Aint *lower, MPI_Aint *extent, MPI_Aint *upper)
{
    MPI_Aint lb, size;
    int rc = MPI_Type_get_extent(datatype, &lb, &size);
    if (rc)
        return rc;
    if (lower)
        *lower = lb;
    if (extent)
        *extent = size;
    if (upper)
        *upper = lb + size;
    return MPI_SUCCESS;
}

int E_MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) { return bounds(datatype, NULL, extent, NULL); }

int E_MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) { return bounds(datatype, displacement, NULL, NULL); }

int E_MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) { return bounds(datatype, NULL, NULL, displacement); }

int E_MPI_Type_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}

int E_MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int E_MPI_Type_struct(int count, const int *blocklengths, const MPI_Aint *displacements, const MPI_Datatype *types, MPI_Datatype *newtype)
{
    return MPI_Type_create_struct(count, blocklengths, displacements, types, newtype);
}

int E_MPI_Errhandler_create(void *function, MPI_Errhandler *errhandler)
{
    return MPI_Comm_create_errhandler(function, errhandler);
}

int E_MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler) { return MPI_Comm_get_errhandler(comm, errhandler); }

int E_MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) { return MPI_Comm_set_errhandler(comm, errhandler); }
