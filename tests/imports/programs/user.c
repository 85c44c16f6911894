/* Calls library.c, which imports more than it uses. */
#include <mpi.h>
#include <stdio.h>
int library_works(void);
int library_asks(void *room);
int main(int argc, char **argv)
{
    char room[4096] = "";
    MPI_Init(&argc, &argv);
    printf("rank works: %d\n", library_works());
    if (argc > 1)
        library_asks(room);
    MPI_Finalize();
    return 0;
}
