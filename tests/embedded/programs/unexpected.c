/*
 * Every rank but 0 sends messages that rank 0 receives only after it has received the last one of each: MPI must keep them.
 *
 * Arguments: messages of each sender, bytes, number of tags, and "self" if rank 0 sends to itself, too.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int messages = atoi(argv[1]), bytes = atoi(argv[2]), tags = atoi(argv[3]), first = argc > 4 ? 0 : 1;
    char *data = calloc(1, (size_t)bytes);
    for (int i = 0; i < messages && rank >= first; i++) {
        memset(data, i + rank, (size_t)bytes);
        MPI_Send(data, bytes, MPI_BYTE, 0, i % tags, MPI_COMM_WORLD);
    }
    if (rank >= first)
        MPI_Send(data, 1, MPI_BYTE, 0, tags, MPI_COMM_WORLD);
    for (int from = size - 1; from >= first && !rank; from--)
        MPI_Recv(data, 1, MPI_BYTE, from, tags, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int tag = tags - 1; tag >= 0 && !rank; tag--)
        for (int from = first; from < size; from++)
            for (int i = tag; i < messages; i += tags) {
                MPI_Recv(data, bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                wrong += data[0] != (char)(i + from) || data[bytes - 1] != (char)(i + from);
            }
    if (rank == 0)
        printf("%d wrong\n", wrong);
    free(data);
    MPI_Finalize();
    return 0;
}
