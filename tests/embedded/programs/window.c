/* Ignores the errors of functions of windows, as ARMCI does. */
#include <mpi.h>

int main(int argc, char **argv)
{
    void *memory = 0;
    int one = 1;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++)
        MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    if (window != MPI_WIN_NULL) {
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_free(&window);
    }
    return MPI_Finalize();
}
