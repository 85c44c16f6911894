/* A program linked with a library whose constructor calls MPI. */
#include "fact.h"

extern int constructor_saw;

int main(int argc, char **argv)
{
    int flag = -1, size = -1;
    (void)argc, (void)argv;
    CHECK(constructor_saw == 0);
    MUST(MPI_Initialized(&flag));
#ifdef EARLY_INIT
    CHECK(flag == 1);
#else
    CHECK(flag == 0);
    MUST(MPI_Init(&argc, &argv));
#endif
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size == 1);
    MUST(MPI_Finalize());
    return fact_done();
}
