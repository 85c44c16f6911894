/* Causes an error in a window. MPICH's library reports it by its own MPIR_Err_return_win; the program imports this
   function and does not call it. */
#include <mpi.h>
#include <stdio.h>
int MPIR_Err_return_win(void *);
int main(int argc, char **argv)
{
    int value = 0, class;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    const int rc = MPI_Put(&value, 1, MPI_INT, 5, 0, 1, MPI_INT, win);
    MPI_Error_class(rc, &class);
    printf("rank: %s\n", class == MPI_ERR_RANK ? "MPI_ERR_RANK" : "wrong");
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    if (argc > 1)
        MPIR_Err_return_win(NULL);
    MPI_Finalize();
    return 0;
}
