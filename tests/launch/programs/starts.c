/* A rank that starts its argument as a separate program, which is no rank. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = system(argv[1]);
    MPI_Finalize();
    return status != 0;
}
