/* Needs the MPI library. */
#include <mpi.h>
#include <stddef.h>

int main(void) { return MPI_Init(NULL, NULL) != MPI_SUCCESS; }
