/*
 * The Fortran binding of programs that wi4go's mpifort compiles: in mpi_f08, buffers are C
 * descriptors; constants that are addresses are the common blocks of mpif.h.
 *
 * Gives: PLAIN, CHOICE, LARGE, LARGECHOICE, SIZEOF_INTEGERS, COMPARE, C_COMM and the like, DESCRIPTORS, struct descriptor, BOTTOM, IN_PLACE, STATUS_IGNORE, STATUSES_IGNORE,
 * UNWEIGHTED, F_TAG_UB.
 * Needs: mpi.h, binding.h.
 */
#ifndef MPIABI_H
#define MPIABI_H

#ifdef F08
#define PLAIN(x) PROCEDURE(mpi_##x##_f08_)
#define CHOICE(x) PROCEDURE(mpi_##x##_f08ts)
#define LARGE(x) PROCEDURE(mpi_##x##_c_f08_)
#define LARGECHOICE(x) PROCEDURE(mpi_##x##_c_f08ts)
#define DESCRIPTORS
/* A C descriptor (Fortran 2018, 18.5). */
struct descriptor {
    void *base;
    size_t size;
    int version;
    signed char rank, attribute;
    short type;
    struct {
        ptrdiff_t lower, extent, stride; /* stride in bytes */
    } dim[2];
};
/* Values of version, attribute (neither allocatable nor a pointer) and type (a 4-byte int). */
enum { C_VERSION = 1, C_OTHER = 2, C_INT = 1 + (4 << 8) };
/* Fills in a descriptor. Extents and strides are in elements. */
static inline void describe(struct descriptor *d, void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride)
{
    *d = (struct descriptor){.base = base, .size = size, .version = C_VERSION, .rank = (signed char)rank, .attribute = C_OTHER, .type = C_INT};
    for (int i = 0; i < rank; i++) {
        d->dim[i].extent = extent[i];
        d->dim[i].stride = stride[i] * (ptrdiff_t)size;
    }
}
#else
#define PLAIN(x) PROCEDURE(mpi_##x##_)
#define CHOICE(x) PLAIN(x)
#endif

MPI_Fint wi4go_fortran_bottom_ COMMON, wi4go_fortran_in_place_ COMMON, wi4go_fortran_unweighted_ COMMON;
MPI_Fint wi4go_fortran_status_ignore_[8] COMMON, wi4go_fortran_statuses_ignore_[8] COMMON;
#define BOTTOM (&wi4go_fortran_bottom_)
#define IN_PLACE (&wi4go_fortran_in_place_)
#define STATUS_IGNORE wi4go_fortran_status_ignore_
#define STATUSES_IGNORE wi4go_fortran_statuses_ignore_
#define UNWEIGHTED (&wi4go_fortran_unweighted_)

#define F_TAG_UB MPI_TAG_UB

/* By the type and the rank of the argument. */
#define SIZEOF_INTEGERS looked_up("mpi_sizeof_int32_1_")
#define SIZEOF_DOUBLE looked_up("mpi_sizeof_real64_0_")
#define COMPARE(kind, is) looked_up("wi4go_" is "equal_" kind "_")
#define EQUAL ""
#define NOT_EQUAL "un"
#define C_COMM(comm) ((MPI_Comm(*)(MPI_Fint))function("MPI_Comm_f2c"))(comm)
#define F_COMM(comm) ((MPI_Fint(*)(MPI_Comm))function("MPI_Comm_c2f"))(comm)
#endif
