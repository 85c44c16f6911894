/* A data representation of the program: it is registered once, and refused a second time. If the library converts, it
   calls the program's functions. Debian's two libraries accept no conversion functions, and Open MPI's own component
   accepts no representation at all. */
#include "check.h"

#include "files.h"

static int extents, reads, writes, state;

static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    int bytes = -1;
    extents++;
    CHECK(extra == &state);
    MUST(MPI_Type_size(type, &bytes));
    *extent = bytes;
    return MPI_SUCCESS;
}

static int read_it(void *user, MPI_Datatype type, int count, void *filebuf, MPI_Offset position, void *extra)
{
    CHECK(extra == &state && type == MPI_INT);
    reads++;
    for (int i = 0; i < count; i++)
        ((int *)user)[position + i] = ~((int *)filebuf)[i];
    return MPI_SUCCESS;
}

static int write_it(void *user, MPI_Datatype type, int count, void *filebuf, MPI_Offset position, void *extra)
{
    CHECK(extra == &state && type == MPI_INT);
    writes++;
    for (int i = 0; i < count; i++)
        ((int *)filebuf)[i] = ~((int *)user)[position + i];
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_datarep.dat");
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MPI_Errhandler handler;
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
    int code = MPI_Register_datarep("upside down", read_it, write_it, extent_of, &state);
    if (code == MPI_SUCCESS)
        CHECK_CLASS(MPI_Register_datarep("upside down", read_it, write_it, extent_of, &state), MPI_ERR_DUP_DATAREP);
    else {
        int class = check_class(code);
        CHECK(class == MPI_ERR_CONVERSION || class == MPI_ERR_UNSUPPORTED_DATAREP || class == MPI_ERR_OTHER);
    }
    code = MPI_Register_datarep("as it is", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &state);
    if (code == MPI_SUCCESS)
        CHECK_CLASS(MPI_Register_datarep("as it is", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &state),
                    MPI_ERR_DUP_DATAREP);
    else
        CHECK_CLASS(code, MPI_ERR_OTHER);

#if CHECK_HAVE(4, 0) && defined MPI_CONVERSION_FN_NULL_C
    int small = MPI_Register_datarep("small", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &state);
    int large = MPI_Register_datarep_c("large", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent_of, &state);
    CHECK_INT(check_class(large), check_class(small));
    if (large == MPI_SUCCESS)
        CHECK_CLASS(MPI_Register_datarep_c("large", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent_of, &state),
                    MPI_ERR_DUP_DATAREP);
#endif

    MPI_File file;
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    code = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "upside down", MPI_INFO_NULL);
    if (code != MPI_SUCCESS)
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_DATAREP);
    else {
        int value = 77 + rank, got = -1;
        MUST(MPI_File_write_at(file, rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        MUST(MPI_File_read_at(file, rank, &got, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(got, value);
        CHECK(reads > 0 && writes > 0);
    }
    MUST(MPI_File_close(&file));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_datarep");
}
