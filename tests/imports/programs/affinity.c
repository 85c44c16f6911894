/* Prints the results of OMPI_Affinity_str in each format, and in an undefined format. */
#include <mpi.h>
#include <stdio.h>
#define LENGTH 1024
int OMPI_Affinity_str(int format, char *applied, char *current, char *exists);
int main(int argc, char **argv)
{
    static char applied[LENGTH], current[LENGTH], exists[LENGTH];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int format = 0; format < 3; format++) {
        const int rc = OMPI_Affinity_str(format, applied, current, exists);
        printf("rank %d, format %d: %s; %s; %s\n", rank, format, rc == MPI_SUCCESS ? "right" : rc == MPI_ERR_ARG ? "MPI_ERR_ARG" : "wrong", current, exists);
        if (argc > 1)
            printf("rank %d, applied: %s\n", rank, applied);
    }
    MPI_Finalize();
    return 0;
}
