/* abort: an error on a communicator with MPI_ERRORS_ABORT ends both ranks. Each makes the file set.RANK before, and
   survived.RANK if it continues, because a launcher may lose the output of an aborted job. Arguments: the directory of the files;
   `self` to set the handler on MPI_COMM_SELF too, where it is not used. */
#include MPI_H
#include <stdio.h>
#include <string.h>

static void make(const char *directory, const char *name, int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%d", directory, name, rank);
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    int rank, never = 0;
    MPI_Errhandler set = MPI_ERRHANDLER_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 2 && !strcmp(argv[2], "self"))
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT) || MPI_Comm_get_errhandler(MPI_COMM_WORLD, &set) || set != MPI_ERRORS_ABORT)
        return 1;
    make(argv[1], "set", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&never, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 1 sends nothing */
    MPI_Send(&never, 1, MPI_INT, 77, 1, MPI_COMM_WORLD);
    make(argv[1], "survived", rank);
    return 0;
}
