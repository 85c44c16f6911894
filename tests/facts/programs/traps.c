/* A program that traps floating-point exceptions when it calls MPI for the first time. Loading must neither cause such
   an exception nor change the traps. With an argument, a division by zero follows MPI_Init, which must kill the
   process. */
#include "fact.h"
#include <fenv.h>

int main(int argc, char **argv)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, usual = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
    feenableexcept(FE_ALL_EXCEPT);
    MUST(MPI_Get_library_version(text, &length));
    CHECK(fegetexcept() == FE_ALL_EXCEPT);
    CHECK(length > 0);
    fedisableexcept(FE_ALL_EXCEPT);
    feenableexcept(usual);
    MUST(MPI_Init(NULL, NULL));
    CHECK(fegetexcept() == usual);
    (void)argv;
    if (argc > 1) {
        volatile double zero = 0, one = 1;
        zero = one / zero;
        CHECK(!"the division was not trapped");
    }
    MUST(MPI_Finalize());
    return fact_done();
}
