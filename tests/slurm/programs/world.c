/* Prints its rank and its library, and checks that the ranks communicate. As `world print` it prints the variables that
   a process manager has set. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, size, length, sum;
    if (argc == 2 && !strcmp(argv[1], "print")) {
        for (char **e = environ; *e; e++)
            if (!strncmp(*e, "PMI", 3) || !strncmp(*e, "SLURM", 5))
                puts(*e);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    version[strcspn(version, "\n")] = 0;
    printf("rank %d of %d, sum %d, %s\n", rank, size, sum, version);
    MPI_Finalize();
    return 0;
}
