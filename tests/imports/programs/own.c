/* Imports FUNCTION, which only its MPI library defines, and calls it if there is an argument. */
#include <mpi.h>
#include <stdio.h>
int FUNCTION(void *);
int main(int argc, char **argv)
{
    char room[4096] = "";
    MPI_Init(&argc, &argv);
    puts("rank works");
    if (argc > 1)
        FUNCTION(room);
    MPI_Finalize();
    return 0;
}
