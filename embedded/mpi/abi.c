/* The queries about the ABI (MPI-5.0, 20.4). The program owns the info objects that they return. No state, no locks. */
#include "info.h"
#include "functions.h"
#include "../base/errors.h"

#include <string.h>

int em_Abi_get_version(int *abi_major, int *abi_minor)
{
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

/* Creates an info object of pairs of keys and values; NULL ends them. */
static int info_of_facts(const char *const (*facts)[2], MPI_Info *info)
{
    int err = em_Info_create(info);
    for (; err == MPI_SUCCESS && (*facts)[0]; facts++) {
        err = em_Info_set(em_info_of(*info), (*facts)[0], (*facts)[1]);
        if (err != MPI_SUCCESS)
            em_Info_free(info);
    }
    return err;
}

int em_Abi_get_info(MPI_Info *info)
{
    static const char *const facts[][2] = {{"mpi_aint_size", "8"}, {"mpi_count_size", "8"}, {"mpi_offset_size", "8"}, {NULL, NULL}};
    return info_of_facts(facts, info);
}

int em_Abi_get_fortran_info(MPI_Info *info)
{
#define HAVE(name) {"mpi_" name "_supported", "true"}
    static const char *const facts[][2] = {
        {"mpi_logical_size", "4"}, {"mpi_integer_size", "4"}, {"mpi_real_size", "4"}, {"mpi_double_precision_size", "8"},
        HAVE("logical1"), HAVE("logical2"), HAVE("logical4"), HAVE("logical8"), HAVE("logical16"),
        HAVE("integer1"), HAVE("integer2"), HAVE("integer4"), HAVE("integer8"), HAVE("integer16"),
        HAVE("real2"), HAVE("real4"), HAVE("real8"), HAVE("real16"),
        HAVE("complex4"), HAVE("complex8"), HAVE("complex16"), HAVE("complex32"), HAVE("double_complex"), {NULL, NULL},
    };
    return info_of_facts(facts, info);
}

/* .TRUE. is 1 and .FALSE. is 0, as gfortran stores them, in the byte order of the host. */
int em_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8 && logical_size != 16)
        return em_error(MPI_ERR_ARG, "logical_size is %d", logical_size);
    if (!logical_true || !logical_false)
        return em_error(MPI_ERR_ARG, "a pointer for a result is null");
    memset(logical_true, 0, (size_t)logical_size);
    memset(logical_false, 0, (size_t)logical_size);
    ((char *)logical_true)[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : logical_size - 1] = 1;
    *is_set = 1;
    return MPI_SUCCESS;
}

/* The values are set already (MPI-5.0, 20.4.2). */
int em_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    return em_error(MPI_ERR_ABI, "the values of .TRUE. and .FALSE. are set already, to 1 and 0");
}
int em_Abi_set_fortran_info(struct info *info) { return em_error(MPI_ERR_ABI, "the sizes of Fortran's types are set already"); }
