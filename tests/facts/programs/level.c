/* MPI_Get_version returns the level of the program's mpi.h, also before MPI_Init (MPI-5.0, 9.1.1). */
#include "fact.h"

int main(void)
{
    int version = -1, subversion = -1;
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    MUST(MPI_Init(NULL, NULL));
    MUST(MPI_Get_version(&version, &subversion));
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    MUST(MPI_Finalize());
    return fact_done();
}
