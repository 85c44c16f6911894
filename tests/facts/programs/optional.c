/* Types that some versions of a library lack: each works, or is refused with an error class, as MPI_DATATYPE_NULL is.
   MPI_ERRORS_ABORT is an error handler everywhere (except natively in MPICH 4.0, which crashes). */
#include "fact.h"

#if defined OPEN_MPI && OMPI_MAJOR_VERSION >= 5 && !defined MPI_COMPLEX4
/* As in an Open MPI built with a compiler that has these types. */
#define MPI_REAL2 ((MPI_Datatype)(void *)&ompi_mpi_real2)
#define MPI_COMPLEX4 ((MPI_Datatype)(void *)&ompi_mpi_complex4)
#endif

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void try(MPI_Datatype type, const char *name, int bytes)
{
    int size = -1;
    char in[64] = {0}, out[64] = {0};
    int rc = MPI_Type_size(type, &size);
    if (rc) {
        CHECK(class_of(rc) == MPI_ERR_TYPE || class_of(rc) == MPI_ERR_ARG);
        CHECK(MPI_Sendrecv(in, 1, type, 0, 0, out, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE) != MPI_SUCCESS);
        MPI_Datatype two;
        CHECK(MPI_Type_contiguous(2, type, &two) != MPI_SUCCESS);
    } else if (size > 0) { /* Open MPI's unavailable types have size 0 */
        CHECK(size == bytes);
        memset(in, 1, sizeof in);
        MUST(MPI_Sendrecv(in, 1, type, 0, 0, out, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK(!memcmp(in, out, (size_t)bytes) && !out[bytes]);
    }
    printf("%s %s\n", name, rc ? "refused" : "there");
}

int main(int argc, char **argv)
{
    MUST(MPI_Init(&argc, &argv));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    try(MPI_INTEGER1, "MPI_INTEGER1", 1);
    try(MPI_REAL16, "MPI_REAL16", 16);
    try(MPI_COMPLEX32, "MPI_COMPLEX32", 32);
#ifdef MPI_INTEGER16
    try(MPI_INTEGER16, "MPI_INTEGER16", 16);
#endif
#ifdef MPI_REAL2
    try(MPI_REAL2, "MPI_REAL2", 2);
#endif
#ifdef MPI_COMPLEX4
    try(MPI_COMPLEX4, "MPI_COMPLEX4", 4);
#endif
#ifdef MPI_LOGICAL1
    try(MPI_LOGICAL1, "MPI_LOGICAL1", 1);
    try(MPI_LOGICAL2, "MPI_LOGICAL2", 2);
    try(MPI_LOGICAL4, "MPI_LOGICAL4", 4);
    try(MPI_LOGICAL8, "MPI_LOGICAL8", 8);
#endif
#ifdef MPI_LOGICAL16
    try(MPI_LOGICAL16, "MPI_LOGICAL16", 16);
#endif
#if defined MPI_ERRORS_ABORT && !defined OPEN_MPI
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT));
#endif
    MUST(MPI_Finalize());
    return fact_done();
}
