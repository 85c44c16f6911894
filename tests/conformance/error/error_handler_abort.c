/* MPI_ERRORS_ABORT of communicators, windows and files: the same handle is returned and inherited, and it differs from
   MPI_ERRORS_ARE_FATAL (MPI-5.0, 9.3). init_abort.c checks that it ends the process. */
#include "check.h"
#include "files.h"

#ifdef MPI_ERRORS_ABORT
#define OF(Type, object)                                                \
    do {                                                                \
        MPI_Errhandler former, got = MPI_ERRHANDLER_NULL;               \
        MUST(Type##_get_errhandler(object, &former));                   \
        MUST(Type##_set_errhandler(object, MPI_ERRORS_ABORT));          \
        for (int i = 0; i < 3; i++) {                                   \
            MUST(Type##_get_errhandler(object, &got));                  \
            CHECK(got == MPI_ERRORS_ABORT);                             \
        }                                                               \
        MUST(Type##_set_errhandler(object, got));                       \
        MUST(Type##_get_errhandler(object, &got));                      \
        CHECK(got == MPI_ERRORS_ABORT);                                 \
        MUST(Type##_set_errhandler(object, MPI_ERRORS_ARE_FATAL));      \
        MUST(Type##_get_errhandler(object, &got));                      \
        CHECK(got == MPI_ERRORS_ARE_FATAL && got != MPI_ERRORS_ABORT);  \
        MUST(Type##_set_errhandler(object, former));                    \
        MUST(Type##_get_errhandler(object, &got));                      \
        CHECK(got == former);                                           \
    } while (0)

static void inherited(void)
{
    MPI_Comm comm, child;
    MPI_Errhandler got;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ABORT));
    MUST(MPI_Comm_dup(comm, &child));
    MUST(MPI_Comm_get_errhandler(child, &got));
    CHECK(got == MPI_ERRORS_ABORT);
    MUST(MPI_Comm_free(&child));
    MUST(MPI_Comm_split(comm, 0, rank, &child));
    MUST(MPI_Comm_get_errhandler(child, &got));
    CHECK(got == MPI_ERRORS_ABORT);
    MUST(MPI_Comm_free(&child));
    MUST(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Win win;
    MPI_File file;
    char name[64];
    int data = 0;
    OF(MPI_Comm, MPI_COMM_WORLD);
    OF(MPI_Comm, MPI_COMM_SELF);
    OF(MPI_File, MPI_FILE_NULL);
    MUST(MPI_Win_create(&data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OF(MPI_Win, win);
    MUST(MPI_Win_free(&win));
    snprintf(name, sizeof name, "error_handler_abort.%d", rank);
    MUST(MPI_File_open(MPI_COMM_SELF, file_path(name), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    OF(MPI_File, file);
    MUST(MPI_File_close(&file));
    inherited();
    return check_done("error_handler_abort");
}
#else
int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    return check_done("error_handler_abort");
}
#endif
