/* The functions that MPI-3.0 removed (MPI-5.0, 16.3), over libraries that do not have them: the
   embedded MPI, and libraries of the standard ABI. There is no state and no lock. */
#include "emulate.h"

int E_MPI_Address(void *location, MPI_Aint *address) { return MPI_Get_address(location, address); }

int E_MPI_Errhandler_create(void *function, MPI_Errhandler *errhandler)
{
    return MPI_Comm_create_errhandler(function, errhandler);
}

int E_MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler) { return MPI_Comm_get_errhandler(comm, errhandler); }
int E_MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) { return MPI_Comm_set_errhandler(comm, errhandler); }

int E_MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lb;
    return MPI_Type_get_extent(datatype, &lb, extent);
}

int E_MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint extent;
    return MPI_Type_get_extent(datatype, displacement, &extent);
}

int E_MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint lb, extent = 0;
    int rc = MPI_Type_get_extent(datatype, &lb, &extent);
    if (!rc)
        *displacement = lb + extent;
    return rc;
}

int E_MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int E_MPI_Type_hindexed(int count, const int *blocklengths, const MPI_Aint *displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return MPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}

#ifdef MPI_LB
/* The members of a structure without its bound markers, and the bounds that these set. */
struct members {
    int n, *lengths;
    MPI_Aint *displacements, lb, ub;
    MPI_Datatype *types;
    int has_lb, has_ub;
};

/* Sorts the arguments of MPI_Type_struct into members and bounds. */
static void sort_members(struct members *m, int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types)
{
    for (int i = 0; i < count; i++) {
        const MPI_Aint at = displacements[i];
        if (types[i] != MPI_LB && types[i] != MPI_UB) {
            m->lengths[m->n] = lengths[i];
            m->displacements[m->n] = at;
            m->types[m->n++] = types[i];
        } else if (lengths[i] > 0 && types[i] == MPI_LB) {
            m->lb = m->has_lb && m->lb < at ? m->lb : at;
            m->has_lb = 1;
        } else if (lengths[i] > 0) {
            m->ub = m->has_ub && m->ub > at ? m->ub : at;
            m->has_ub = 1;
        }
    }
}

/* Creates the datatype of the members with the bounds. A bound without a marker is that of the
   members. */
static int create_bounded(struct members *m, MPI_Datatype *newtype)
{
    MPI_Datatype inner;
    MPI_Aint lb, extent;
    int rc = MPI_Type_create_struct(m->n, m->lengths, m->displacements, m->types, &inner);
    if (rc)
        return rc;
    rc = MPI_Type_get_extent(inner, &lb, &extent);
    if (!rc) {
        const MPI_Aint ub = m->has_ub ? m->ub : lb + extent;
        lb = m->has_lb ? m->lb : lb;
        rc = MPI_Type_create_resized(inner, lb, ub - lb, newtype);
    }
    MPI_Type_free(&inner);
    return rc;
}
#endif

int E_MPI_Type_struct(int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types, MPI_Datatype *newtype)
{
#ifdef MPI_LB
    int marked = 0;
    for (int i = 0; i < count && types; i++)
        marked |= types[i] == MPI_LB || types[i] == MPI_UB;
    if (marked && lengths && displacements) {
        const size_t n = (size_t)count;
        struct members m = {.lengths = malloc(n * sizeof *m.lengths), .displacements = malloc(n * sizeof *m.displacements), .types = malloc(n * sizeof *m.types)};
        int rc;
        if (m.lengths && m.displacements && m.types) {
            sort_members(&m, count, lengths, displacements, types);
            rc = create_bounded(&m, newtype);
        } else {
            rc = wi4go_raise(WI4GO_NO_OBJECT, 0, MPI_ERR_NO_MEM);
        }
        free(m.lengths);
        free(m.displacements);
        free(m.types);
        return rc;
    }
#endif
    return MPI_Type_create_struct(count, lengths, displacements, types, newtype);
}
