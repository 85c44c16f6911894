/*
 * The probe of `wi4go doctor`: two ranks exchange messages. It is a program of one family,
 * compiled with the mpi.h that is generated for it and linked to that family's front, so that it
 * can be built without any MPI.
 *
 * It prints one line per rank: "probe: alone", "probe: ok", or the error.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG = 7, FIRST = 4711 };

/* Sends n numbers from rank 0 to rank 1 and back. A small n uses short messages, a large one goes
   through shared memory or the kernel. Returns 0, or 1 if other numbers came back. */
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
