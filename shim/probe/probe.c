/*
 * The probe of `wi4go doctor`: two ranks pass a message. It is a program of one
 * family, made with the generated mpi.h and linked to the front of that family, so that it is
 * made without any MPI.
 *
 * It prints one line a rank: "probe: alone", "probe: ok", or what went wrong.
 */
#include "mpi.h"
#include <stdio.h>

enum { TAG = 7, FIRST = 4711 };

/* Sends n numbers there and back: short ones and ones that go by way of shared
   memory or the kernel. Returns 0, or 1 when something else came back. */
static int exchange(int rank, int n)
{
    static int numbers[1 << 18];
    MPI_Status status;
    if (rank == 0) {
        for (int i = 0; i < n; i++)
            numbers[i] = FIRST + i;
        MPI_Send(numbers, n, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    }
    MPI_Recv(numbers, n, MPI_INT, rank == 0 ? 1 : MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE != 1 - rank || status.MPI_TAG != TAG)
        return 1;
    for (int i = 0; i < n; i++)
        if (numbers[i]++ != FIRST + i + (rank == 0))
            return 1;
    if (rank == 1)
        MPI_Send(numbers, n, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    return 0;
}

int main(int argc, char **argv)
{
    int rank = -1, size = -1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *result = "alone";
    if (size > 1) {
        int wrong = rank < 2 && (exchange(rank, 1) || exchange(rank, 1 << 18));
        MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        result = sum ? "another message came than was sent" : "ok";
    }
    printf("probe: %s\n", result);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
