/* Two ranks spawn one process, twice. Its world has one process. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int rank, size, token = 5, one = 1;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            MPI_Recv(&token, 1, MPI_INT, 0, 3, children, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&children);
        MPI_Comm_spawn_multiple(1, argv, MPI_ARGVS_NULL, &one, &info, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            MPI_Recv(&one, 1, MPI_INT, 0, 3, children, MPI_STATUS_IGNORE);
        MPI_Comm_disconnect(&children);
        token *= one;
        printf("parent %d of %d, token %d\n", rank, size, token);
    } else {
        MPI_Send(&size, 1, MPI_INT, 0, 3, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
