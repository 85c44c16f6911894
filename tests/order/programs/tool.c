/* A tool on top of MPI: it appends its name to a variable, and calls the next definition, which it finds in the way of
   NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void through(void)
{
    char order[64] = "";
    if (getenv("ORDER"))
        strncpy(order, getenv("ORDER"), sizeof order - 8);
    setenv("ORDER", strcat(order, NAME), 1);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    through();
#ifdef NEXT
    int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Allreduce");
    return next(from, to, count, type, op, comm);
#else
    return PMPI_Allreduce(from, to, count, type, op, comm);
#endif
}
