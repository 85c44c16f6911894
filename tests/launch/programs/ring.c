/* Prints its rank, its library and the values of the variables that its arguments name. A token goes once around all
   ranks, whatever library they were built with. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, size, length, token = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = 0;
    if (rank == 0 && size > 1) {
        MPI_Send(&token, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank > 0) {
        MPI_Status status;
        MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        token += status.MPI_SOURCE == rank - 1 && status.MPI_TAG == 7;
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    /* One write, so that no other rank's text is inserted. */
    char line[4096];
    int n = snprintf(line, sizeof line, "rank %d of %d, token %d, sum %d, %s, %s", rank, size, token, sum, BUILT_BY, version);
    for (int i = 1; i < argc; i++)
        n += snprintf(line + n, sizeof line - n, ", %s=<%s>", argv[i], getenv(argv[i]) ? getenv(argv[i]) : "");
    line[n++] = '\n';
    if (write(1, line, n) != n)
        return 1;
    MPI_Finalize();
    return 0;
}
