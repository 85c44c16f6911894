/* MPI_LB and MPI_UB, removed from MPI-3.0 (MPI-2.2, 4.1.6), if mpi.h or the library still has them. */
#include "check.h"

#ifdef OPEN_MPI /* its mpi.h no longer has them, but older programs use these */
extern struct ompi_predefined_datatype_t ompi_mpi_lb, ompi_mpi_ub;
#undef MPI_LB
#undef MPI_UB
#define MPI_LB ((MPI_Datatype)&ompi_mpi_lb)
#define MPI_UB ((MPI_Datatype)&ompi_mpi_ub)
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#ifdef MPI_UB
    MPI_Datatype parts[3] = {MPI_LB, MPI_INT, MPI_UB}, back[3], marked, two;
    MPI_Aint lower, extent, places[3] = {-4, 0, 12};
    int lengths[3] = {1, 1, 1}, ints[4], bytes, counts[3], combiner, length;
    char name[MPI_MAX_OBJECT_NAME], library[MPI_MAX_LIBRARY_VERSION_STRING];
    MUST(MPI_Get_library_version(library, &length));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    int code = MPI_Type_create_struct(3, lengths, places, parts, &marked);
    if (code != MPI_SUCCESS) {
        CHECK(strstr(library, "MPICH Version:      5") != NULL); /* the standard ABI lacks them */
        CHECK_CLASS(code, MPI_ERR_TYPE);
        return check_done("type_markers");
    }
    MUST(MPI_Type_commit(&marked));
    MUST(MPI_Type_get_extent(marked, &lower, &extent));
    CHECK(lower == -4 && extent == 16);
    MUST(MPI_Type_get_true_extent(marked, &lower, &extent));
    CHECK(lower == 0 && extent == 4);
    MUST(MPI_Type_get_envelope(marked, &counts[0], &counts[1], &counts[2], &combiner));
    CHECK(counts[0] == 4 && counts[1] == 3 && counts[2] == 3 && combiner == MPI_COMBINER_STRUCT);
    MUST(MPI_Type_get_contents(marked, 4, 3, 3, ints, places, back));
    CHECK(back[0] == MPI_LB && back[1] == MPI_INT && back[2] == MPI_UB);
    MUST(MPI_Type_size(MPI_UB, &bytes));
    CHECK_INT(bytes, 0);
    MUST(MPI_Type_get_name(MPI_LB, name, &length));
    CHECK_STR(name, "MPI_LB");
    MUST(MPI_Type_get_name(MPI_UB, name, &length));
    CHECK_STR(name, "MPI_UB");
    /* A type made from it keeps the bounds and places its data by them. */
    MUST(MPI_Type_contiguous(2, marked, &two));
    MUST(MPI_Type_commit(&two));
    MUST(MPI_Type_get_extent(two, &lower, &extent));
    CHECK(lower == -4 && extent == 32);
    int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MUST(MPI_Sendrecv(from + 1, 1, two, next, 0, to + 1, 1, two, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < 8; i++)
        CHECK_INT(to[i], i == 1 || i == 5 ? i + 1 : 0);
    MUST(MPI_Type_free(&two));
    MUST(MPI_Type_free(&marked));
#endif
    return check_done("type_markers");
}
