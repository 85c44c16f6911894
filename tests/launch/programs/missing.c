/* Calls a function of its library that others lack, and prints whether that is an error. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    printf("%s\n", MPIX_Comm_failure_ack(MPI_COMM_WORLD) ? "error" : "success");
    return MPI_Finalize();
}
