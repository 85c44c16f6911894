/* Each rank prints its host and its library after a message of 1 MiB from its neighbor and a sum over all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { length = 1 << 20 };
    static char buffer[length], version[MPI_MAX_LIBRARY_VERSION_STRING];
    char host[MPI_MAX_PROCESSOR_NAME];
    int rank, size, sum, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int from = (rank + size - 1) % size;
    memset(buffer, rank + 1, length);
    MPI_Sendrecv_replace(buffer, length, MPI_CHAR, (rank + 1) % size, 1, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int right = 1;
    for (int i = 0; i < length; i++)
        right = right && buffer[i] == from + 1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_processor_name(host, &n);
    MPI_Get_library_version(version, &n);
    printf("rank %d of %d on %s, sum %d, message %s, by %.10s\n", rank, size, host, sum, right ? "right" : "wrong", version);
    /* Debian's MPICH, natively too, hangs in MPI_Finalize over TCP if one side closes a UCX connection while the other
       one is still connecting. */
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(200000);
    MPI_Finalize();
    return 0;
}
