/* Rank 1 ends in some way, while the others wait for it. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || !strcmp(argv[1], "none")) {
        printf("%d of %d\n", rank, size);
        MPI_Finalize();
        return 0;
    }
    if (rank == 1 && !strcmp(argv[1], "kill"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(argv[1], "exit"))
        exit(0);
    if (rank == 1 && !strcmp(argv[1], "abort"))
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
