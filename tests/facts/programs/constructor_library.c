/* A library whose constructor calls MPI_Initialized, and with EARLY_INIT also MPI_Init. */
#include <mpi.h>
#include <stddef.h>

int constructor_saw = -1;

__attribute__((constructor)) static void start(void)
{
    MPI_Initialized(&constructor_saw);
#ifdef EARLY_INIT
    MPI_Init(NULL, NULL);
#endif
}
