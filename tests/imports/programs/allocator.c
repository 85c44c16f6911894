/* Sends and receives buffers of Intel MPI's allocator. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
void *impi_malloc(size_t), *impi_calloc(size_t, size_t), *impi_realloc(void *, size_t);
void impi_free(void *);
int main(int argc, char **argv)
{
    enum { N = 10000 };
    int rank, size, zeros = 1, right = 1;
    int *const early = impi_malloc(N * sizeof *early); /* before MPI_Init, too */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *const in = impi_calloc(N, sizeof *in);
    for (int i = 0; i < N; i++)
        zeros &= !in[i];
    int *out = impi_malloc(sizeof *out);
    out[0] = rank;
    out = impi_realloc(out, N * sizeof *out);
    for (int i = 0; i < N; i++)
        out[i] = out[0] + i;
    MPI_Sendrecv(out, N, MPI_INT, (rank + 1) % size, 1, in, N, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(early, in, N * sizeof *early);
    for (int i = 0; i < N; i++)
        right &= early[i] == (rank + size - 1) % size + i;
    impi_free(out);
    impi_free(in);
    impi_free(early);
    printf("rank %d of %d: %s, %s\n", rank, size, zeros ? "zeros" : "wrong", right ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
