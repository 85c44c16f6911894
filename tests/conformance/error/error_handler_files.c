/* The error handler of MPI_FILE_NULL, which new files inherit, and a handler that is replaced while it runs (MPI-3.1,
   8.3.3, 13.7). */
#include "check.h"

#include "files.h"

static int calls;
static MPI_File the_file;

static void file_a(MPI_File *file, int *code, ...)
{
    calls++;
    CHECK(*file == the_file);
    CHECK(*code != MPI_SUCCESS);
    MUST(MPI_File_set_errhandler(*file, MPI_ERRORS_RETURN));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Errhandler handler, got;
    char *path = file_path("error_handler_files.dat");
    int value = 0;
    /* A file opened afterwards inherits the handler of MPI_FILE_NULL. No handle is freed, because MPICH 4.0.2 counts
       their references wrongly. */
    MUST(MPI_File_create_errhandler(file_a, &handler));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == handler);
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                       &the_file));
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MUST(MPI_File_get_errhandler(the_file, &got));
    CHECK(got == handler);
    calls = 0;
    for (int i = 0; i < 2; i++)
        CHECK(MPI_File_read_at(the_file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    CHECK_INT(calls, 1);
    MUST(MPI_File_get_errhandler(the_file, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    MUST(MPI_File_set_errhandler(the_file, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_File_get_errhandler(the_file, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_File_close(&the_file));

    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL));
    MUST(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_File_delete(path, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    return check_done("error_handler_files");
}
