/* The smallest MPI program. */
#include "fact.h"

int main(int argc, char **argv)
{
    int size = -1;
    MUST(MPI_Init(&argc, &argv));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size == 1);
    MUST(MPI_Finalize());
    return fact_done();
}
