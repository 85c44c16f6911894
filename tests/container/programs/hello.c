/* The program in the containers. It uses shared memory between the ranks, a window and a file, and prints one line on
 * rank 0. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = -1, length, *base, mine;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    static char big[1 << 20];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && size > 1)
        MPI_Send(big, sizeof big, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(big, sizeof big, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    /* One page: with windows of 4 bytes MPICH 4.0.2 gives two ranks the same word. */
    MPI_Win window;
    MPI_Win_allocate(4096, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&mine, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    int put = *base;
    MPI_Win_free(&window);

    if (argc > 1) {
        MPI_File file;
        if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                          MPI_INFO_NULL, &file) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_File_write_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof mine, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Get_library_version(text, &length);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    if (rank == 0)
        printf("ranks %d sum %d put %d on %s\n", size, sum, put, text);
    MPI_Finalize();
    return 0;
}
