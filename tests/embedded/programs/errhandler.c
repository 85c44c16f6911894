/* The class of an invalid error handler, which MPI-4.1 has introduced: MPI_ERR_ERRHANDLER, also in programs whose mpi.h lacks it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong;

/* Checks an error code. */
static void check(const char *function, int code)
{
    static const char name[] = "MPI_ERR_ERRHANDLER";
    char text[MPI_MAX_ERROR_STRING];
    int class = MPI_SUCCESS, length;
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    int bad = class == MPI_SUCCESS || class > MPI_ERR_LASTCODE || strncmp(text, name, sizeof name - 1);
#ifdef MPI_ERR_ERRHANDLER
    bad |= class != MPI_ERR_ERRHANDLER;
#else
    bad |= class == MPI_ERR_ARG || class == MPI_ERR_OTHER || class == MPI_ERR_UNKNOWN;
#endif
    wrong |= bad;
    if (bad)
        printf("%s: class %d, %s\n", function, class, text);
}

int main(int argc, char **argv)
{
    MPI_Errhandler null = MPI_ERRHANDLER_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, null));
    check("MPI_File_set_errhandler", MPI_File_set_errhandler(MPI_FILE_NULL, null));
    check("MPI_Errhandler_free", MPI_Errhandler_free(&null));
    MPI_Finalize();
    printf("%s\n", wrong ? "wrong" : "right");
    return wrong;
}
