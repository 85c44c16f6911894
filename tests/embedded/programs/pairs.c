/*
 * Every rank sends a message to every other one, all at a time. Argument: the bytes of a message. Prints the number of wrong messages,
 * and the most memory that a rank then has for MPI, in KB.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../bench/onehost/cases/memory.h"

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, n = 0;
    double memory;
    memory_begin();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int bytes = argc > 1 ? atoi(argv[1]) : 8;
    char *out = calloc(1, (size_t)bytes), *in = calloc((size_t)size, (size_t)bytes);
    MPI_Request *requests = malloc(2 * (size_t)size * sizeof *requests);
    memcpy(out, &rank, sizeof rank);
    for (int from = 0; from < size; from++)
        MPI_Irecv(in + (size_t)from * (size_t)bytes, bytes, MPI_BYTE, from, from, MPI_COMM_WORLD, &requests[n++]);
    for (int step = 0; step < size; step++)
        MPI_Isend(out, bytes, MPI_BYTE, (rank + step) % size, rank, MPI_COMM_WORLD, &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (int from = 0; from < size; from++)
        wrong += memcmp(in + (size_t)from * (size_t)bytes, &from, sizeof from) != 0;
    MPI_Barrier(MPI_COMM_WORLD);
    memory = memory_since() - ((double)size * bytes + 2.0 * size * sizeof *requests) / 1024; /* without the program's own */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %d wrong, %.0f KB\n", size, wrong, memory);
    MPI_Finalize();
    free(out);
    free(in);
    free(requests);
    return 0;
}
