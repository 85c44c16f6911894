// ring.cc: the program of ring.c in C++, with a class of the C++ library.
#include <mpi.h>

#include <iostream>
#include <numeric>
#include <vector>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Recv(&sum, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += rank;
    if (rank < size - 1)
        MPI_Send(&sum, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    std::vector<int> all(size);
    MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == size - 1)
        std::cout << size << " ranks, ring " << sum << ", sum " << std::accumulate(all.begin(), all.end(), 0) << std::endl;
    MPI_Finalize();
}
