/* A small program that tools run: messages in both directions, a reduction with a user operation. Prints one line
   for each rank if the results are right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void add(void *in, void *inout, int *n, MPI_Datatype *type);
void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* The function in which debuggers stop. */
int exchange(int rank, int size);
__attribute__((noinline)) int exchange(int rank, int size)
{
    int token = -1, sum = 0, one = 1;
    MPI_Op op;
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 7, &token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    return token == (rank + size - 1) % size && status.MPI_SOURCE == token && status.MPI_TAG == 7 && sum == size;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = exchange(rank, size);
    printf("rank %d is %s\n", rank, right ? "done" : "wrong");
    fflush(stdout);
    MPI_Finalize();
    return !right;
}
