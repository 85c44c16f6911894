/* window.c: creates a window, which the embedded MPI does not have, and reports the class of the error. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int memory = 0, error, error_class;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Error_class(error, &error_class);
    printf("%s\n", error_class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported" : "another result");
    MPI_Finalize();
    return 0;
}
