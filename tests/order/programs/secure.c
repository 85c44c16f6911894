/* Prints whether the kernel requires the dynamic linker to ignore the environment. */
#include <mpi.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(int argc, char **argv)
{
    if (argc > 1)
        MPI_Init(&argc, &argv);
    printf("secure %lu\n", getauxval(AT_SECURE));
    return 0;
}
