/* Types by size or precision: match_size, create_f90_* (MPI-3.1, 17.1.9). */
#include "check.h"

static int size_of(MPI_Datatype type)
{
    int bytes = -1;
    MUST(MPI_Type_size(type, &bytes));
    return bytes;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Datatype t, again;
    int ints[4], ni = -1, na = -1, nd = -1, combiner = -1;
    MPI_Aint none[1];
    MPI_Datatype no_types[1];

    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        t = MPI_DATATYPE_NULL;
        MUST(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, bytes, &t));
        CHECK(t != MPI_DATATYPE_NULL);
        CHECK_INT(size_of(t), bytes);
        MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
        CHECK_INT(combiner, MPI_COMBINER_NAMED);
    }
    for (int bytes = 4; bytes <= 8; bytes *= 2) {
        MUST(MPI_Type_match_size(MPI_TYPECLASS_REAL, bytes, &t));
        CHECK_INT(size_of(t), bytes);
        MUST(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 2 * bytes, &t));
        CHECK_INT(size_of(t), 2 * bytes);
    }
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 3, &t), MPI_ERR_ARG);

    /* The same arguments give the same handle, which is never freed. */
    MUST(MPI_Type_create_f90_real(6, 30, &t));
    MUST(MPI_Type_create_f90_real(6, 30, &again));
    CHECK(t == again);
    CHECK_INT(size_of(t), 4);
    MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_F90_REAL);
    CHECK_INT(ni, 2);
    MUST(MPI_Type_get_contents(t, ni, na, nd, ints, none, no_types));
    CHECK_INT(ints[0], 6);
    CHECK_INT(ints[1], 30);
    MUST(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &t));
    CHECK_INT(size_of(t), 8);
    CHECK(t != again);
    MUST(MPI_Type_get_contents(t, 2, 0, 0, ints, none, no_types));
    CHECK_INT(ints[0], 15);
    CHECK_INT(ints[1], MPI_UNDEFINED);

    MUST(MPI_Type_create_f90_complex(15, 300, &t));
    MUST(MPI_Type_create_f90_complex(15, 300, &again));
    CHECK(t == again);
    CHECK_INT(size_of(t), 16);
    MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_F90_COMPLEX);

    MUST(MPI_Type_create_f90_integer(9, &t));
    MUST(MPI_Type_create_f90_integer(9, &again));
    CHECK(t == again);
    CHECK_INT(size_of(t), 4);
    MUST(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_F90_INTEGER);
    CHECK_INT(ni, 1);
    MUST(MPI_Type_get_contents(t, 1, 0, 0, ints, none, no_types));
    CHECK_INT(ints[0], 9);
    int value = 17 + rank, in = -1;
    MUST(MPI_Sendrecv(&value, 1, t, rank, 1, &in, 1, t, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(in, 17 + rank);
    return check_done("type_match");
}
