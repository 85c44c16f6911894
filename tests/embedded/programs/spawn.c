/* spawn.c: starts a process, which the embedded MPI cannot, and ignores the error. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm child;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, MPI_ERRCODES_IGNORE);
    return MPI_Finalize();
}
