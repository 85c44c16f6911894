/*
 * Queries about the program's ABI (MPI-5.0, 20.4). The ABI belongs to the front, so the
 * front answers them. The ABI version of a family other than the standard ABI is -1. The
 * Fortran settings are fixed, as in the libraries that have this ABI: default kinds of
 * 4 bytes, and .TRUE. is 1. Open MPI's libraries have these functions since release 6.
 *
 * Gives: MPI_Abi_get_version and its kind.
 * Needs: pair.h, errors.h, handles.h, raise_error.h.
 */
#ifndef WI4GO_ABI_QUERIES_H
#define WI4GO_ABI_QUERIES_H
#include "pair.h"
#include "errors.h"
#include "handles.h"
#include "raise_error.h"

#ifdef A_MPI_ERR_ABI
/* Raises and returns MPI_ERR_ARG for a null output pointer. */
static int abi_null_output(void) { return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ARG); }

/* Writes the version of the program's ABI, or -1 twice if it is not the standard ABI. */
static int A_MPI_Abi_get_version(int *abi_major, int *abi_minor)
{
    if (!abi_major || !abi_minor)
        return abi_null_output();
#if A_STANDARD
    *abi_major = A_MPI_ABI_VERSION;
    *abi_minor = A_MPI_ABI_SUBVERSION;
#else
    *abi_major = *abi_minor = -1;
#endif
    return 0;
}

/* A key and its value, as an info object holds them. */
struct abi_fact { const char *key, *value; };

/* Creates an info object of n facts and writes the program's handle to *info. Returns the
   program's error code. The program frees the object. */
static int abi_info(const struct abi_fact *facts, size_t n, A_MPI_Info *info)
{
    if (!info)
        return abi_null_output();
    R_MPI_Info r = R_MPI_INFO_NULL;
    int rc = R_MPI_Info_create(&r);
    for (size_t i = 0; i < n && !rc; i++)
        rc = R_MPI_Info_set(r, facts[i].key, facts[i].value);
    if (unlikely(rc)) {
        if (r != R_MPI_INFO_NULL)
            R_MPI_Info_free(&r);
        return error_r2a(rc);
    }
    *info = INFO_r2a(r);
    return 0;
}

/* Writes an info object with the sizes of the ABI's integer types, in bytes. */
static int A_MPI_Abi_get_info(A_MPI_Info *info)
{
    static const struct abi_fact facts[] = {{"mpi_aint_size", "8"}, {"mpi_count_size", "8"}, {"mpi_offset_size", "8"}};
    return abi_info(facts, sizeof facts / sizeof *facts, info);
}

/* OPTIONAL_FACTS are the facts about optional datatypes. Within a family the front looks up
   no handles, so the answer leaves the optional datatypes out. */
#if SAME_FAMILY
#define OPTIONAL_FACTS
#else
/* Returns "true" if the runtime supports the program's datatype, otherwise "false". */
static const char *has_datatype(int64_t datatype) { return DATATYPE_a2r(datatype) == R_MPI_DATATYPE_NULL ? "false" : "true"; }
#define OPTIONAL(name, NAME) {"mpi_" #name "_supported", has_datatype(A_MPI_##NAME)}
#define OPTIONAL_FACTS \
    OPTIONAL(logical1, LOGICAL1), OPTIONAL(logical2, LOGICAL2), OPTIONAL(logical4, LOGICAL4), OPTIONAL(logical8, LOGICAL8), \
    OPTIONAL(logical16, LOGICAL16), OPTIONAL(integer1, INTEGER1), OPTIONAL(integer2, INTEGER2), OPTIONAL(integer4, INTEGER4), \
    OPTIONAL(integer8, INTEGER8), OPTIONAL(integer16, INTEGER16), OPTIONAL(real2, REAL2), OPTIONAL(real4, REAL4), \
    OPTIONAL(real8, REAL8), OPTIONAL(real16, REAL16), OPTIONAL(complex4, COMPLEX4), OPTIONAL(complex8, COMPLEX8), \
    OPTIONAL(complex16, COMPLEX16), OPTIONAL(complex32, COMPLEX32), OPTIONAL(double_complex, DOUBLE_COMPLEX),
#endif

/* Writes an info object with the sizes of Fortran's default kinds, in bytes, and with the
   optional datatypes that the runtime supports. */
static int A_MPI_Abi_get_fortran_info(A_MPI_Info *info)
{
    const struct abi_fact facts[] = {
        {"mpi_logical_size", "4"}, {"mpi_integer_size", "4"}, {"mpi_real_size", "4"}, {"mpi_double_precision_size", "8"},
        OPTIONAL_FACTS
    };
    return abi_info(facts, sizeof facts / sizeof *facts, info);
}

/* Writes the representations of .TRUE. and .FALSE. in logical_size bytes: 1 and 0. */
static int A_MPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8 && logical_size != 16)
        return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ARG);
    if (!logical_true || !logical_false || !is_set)
        return abi_null_output();
    memset(logical_true, 0, (size_t)logical_size);
    memset(logical_false, 0, (size_t)logical_size);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    *(char *)logical_true = 1;
#else
    ((char *)logical_true)[logical_size - 1] = 1;
#endif
    *is_set = 1;
    return 0;
}

/* Both setters return MPI_ERR_ABI, because the values are set already (MPI-5.0, 20.4.2). */
static int A_MPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    (void)logical_size, (void)logical_true, (void)logical_false;
    return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ABI);
}
static int A_MPI_Abi_set_fortran_info(A_MPI_Info info)
{
    (void)info;
    return raise_error(WI4GO_NO_OBJECT, 0, A_MPI_ERR_ABI);
}
#endif
#endif
