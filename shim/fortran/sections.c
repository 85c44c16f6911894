/*
 * Choice buffers of mpi_f08 as gfortran describes them, and the procedures of mpi_f08 whose
 * buffers are not messages. No state.
 */
#include "sections.h"

/* Returns the view of an array. */
static struct view view_of(const struct array *a)
{
    struct view v = {.rank = a->rank, .size = a->size};
    for (int d = 0; d < a->rank; d++) {
        v.stride[d] = a->dim[d].stride * a->span;
        v.extent[d] = a->dim[d].upper - a->dim[d].lower + 1;
    }
    return v;
}

int section_begin(struct section *s, const struct array *a, MPI_Count count, MPI_Fint datatype, int how)
{
    *s = (struct section){.address = a->base, .count = count, .datatype = datatype};
    if (!is_section(a))
        return MPI_SUCCESS;
    const struct view v = view_of(a);
    const int rc = section_pass(s, &v, count, how & TYPED ? INNER(MPI_Type_f2c)(datatype) : MPI_DATATYPE_NULL, how);
    if (s->is_made && !s->copy)
        s->datatype = INNER(MPI_Type_c2f)(s->type);
    return rc;
}

/* ---- procedures of mpi_f08 whose buffers are not messages ---- */

/* Does nothing. A compiler must assume that the call changes buf, and that is its only purpose
   (MPI-5.0, 19.1.17). */
void mpi_f_sync_reg_f08ts_(const struct array *buf) { (void)buf; }
NAME(PROFILING(f_sync_reg_f08ts_), mpi_f_sync_reg_f08ts_)

/* Frees memory. MPICH passes its address since 4.1, and a descriptor before. */
extern void mpi_free_mem_(void *base, MPI_Fint *ierror);
void mpi_free_mem_f08ts_(const struct array *base, MPI_Fint *ierror) { mpi_free_mem_(base->base, ierror); }
NAME(PROFILING(free_mem_f08ts_), mpi_free_mem_f08ts_)
