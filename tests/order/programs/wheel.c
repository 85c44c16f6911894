/* The library of a made-up Python package, linked with the C, Fortran and C++ libraries of an MPI. Each rank prints its
   number, by C and, with FORTRAN, by Fortran. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef FORTRAN
void mpi_comm_rank_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *error);
#endif
#ifdef CXX
extern int _ZN3MPI10COMM_WORLDE; /* a symbol of the C++ bindings, which are never called */
int *bindings(void) { return &_ZN3MPI10COMM_WORLDE; }
#endif

int say_rank(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING], line[256];
    int rank, size, sum, length;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    if (MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD))
        return 1;
#ifdef FORTRAN
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), same = -1, error = -1;
    mpi_comm_rank_(&world, &same, &error);
    if (error || same != rank)
        return 2;
#endif
    int n = snprintf(line, sizeof line, "rank %d of %d, sum %d, through <>, %s\n", rank, size, sum, strstr(version, "wi4go on:") ? "translated" : "natively");
    if (write(1, line, (size_t)n) != n)
        return 3;
    return MPI_Finalize();
}
