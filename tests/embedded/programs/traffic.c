/* Ranks that start, exchange messages of all sizes and end, again and again if the program is started again. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { LONG = 1 << 20 };
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 1000000000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *in = calloc(2, LONG), *out = in + LONG;
    for (int i = 0; i < rounds; i++) {
        int length = i % 7 == 0 ? LONG : i % 3 * 300, sum;
        MPI_Sendrecv(out, length, MPI_CHAR, (rank + 1) % size, 1, in, length, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != i * size)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    free(in);
    MPI_Finalize();
    return 0;
}
