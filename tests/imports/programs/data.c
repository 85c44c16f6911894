/* Imports DATA, which only its MPI library defines. */
#include <mpi.h>
#include <stdio.h>
extern char DATA[];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("rank works: %d\n", DATA[0] == 1);
    MPI_Finalize();
    return 0;
}
