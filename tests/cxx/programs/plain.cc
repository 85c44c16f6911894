// A C++ program that uses only the C functions. mpicxx links the library of the bindings anyway, and its constructors
// run.
#include "check.h"
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    int rank, size, length;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> all(size, -1);
    MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == i);
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_processor_name(name, &length);
    CHECK(std::string(name).size() == (size_t)length);
    bool flags[2] = {true, rank == 0}, both[2] = {false, true};
    MPI_Allreduce(flags, both, 2, MPI_CXX_BOOL, MPI_LAND, MPI_COMM_WORLD);
    CHECK(both[0] && both[1] == (size == 1));
    int result = report();
    MPI_Finalize();
    return result;
}
