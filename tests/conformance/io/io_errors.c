/* File calls that fail: the class of each error, with MPI_ERRORS_RETURN, and its text. */
#include "check.h"

#include "files.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    char *path = file_path("io_errors.dat"), text[MPI_MAX_ERROR_STRING];
    MPI_File file = MPI_FILE_NULL;
    int value = 0, length, class;
    MPI_Offset bytes;
    MPI_Errhandler handler;

    int code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_CLASS(code, MPI_ERR_NO_SUCH_FILE);
    MUST(MPI_Error_string(code, text, &length));
    CHECK(length > 0);
    CHECK_CLASS(MPI_File_open(MPI_COMM_SELF, file_path("no/such/directory"), MPI_MODE_RDWR, MPI_INFO_NULL, &file),
                MPI_ERR_NO_SUCH_FILE);
    CHECK_CLASS(MPI_File_delete(path, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    class = check_class(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    CHECK(class == MPI_ERR_AMODE || class == MPI_ERR_ARG);
    class = check_class(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    CHECK(class == MPI_ERR_AMODE || class == MPI_ERR_ARG);
    class = check_class(MPI_File_open(MPI_COMM_WORLD, path, 0, MPI_INFO_NULL, &file));
    CHECK(class == MPI_ERR_AMODE || class == MPI_ERR_ARG);

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
    MUST(MPI_File_get_errhandler(file, &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
    MUST(MPI_File_write_at(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    CHECK_CLASS(MPI_File_write_at(file, 0, &value, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    MUST(MPI_File_close(&file));

    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    class = check_class(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(class == MPI_ERR_READ_ONLY || class == MPI_ERR_ACCESS || class == MPI_ERR_AMODE);
    class = check_class(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such representation", MPI_INFO_NULL));
    CHECK(class == MPI_ERR_UNSUPPORTED_DATAREP);
    MUST(MPI_File_get_size(file, &bytes)); /* file access still works */
    CHECK_INT(bytes, 4 * size);
    MUST(MPI_File_close(&file));

    class = check_class(
        MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    CHECK_INT(class, MPI_ERR_FILE_EXISTS);
    class = check_class(MPI_File_get_size(MPI_FILE_NULL, &bytes));
    CHECK(class == MPI_ERR_FILE || class == MPI_ERR_ARG || class == MPI_ERR_COMM);

    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        MUST(MPI_File_delete(path, MPI_INFO_NULL));
    return check_done("io_errors");
}
