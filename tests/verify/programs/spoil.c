/* A tool on top of MPI, by LD_PRELOAD: the first MPI_Ssend of all jobs sends an extra message and returns an error. The
   file $SPOIL records that this has happened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>

/* Handles are numbers or addresses: each argument fits into a register. */
typedef int send(const void *, long, long, long, long, long);

int MPI_Ssend(const void *buffer, long count, long type, long to, long tag, long comm)
{
    if (open(getenv("SPOIL"), O_CREAT | O_EXCL, 0600) < 0)
        return ((send *)dlsym(RTLD_NEXT, "MPI_Ssend"))(buffer, count, type, to, tag, comm);
    for (int i = 0; i < 2; i++)
        ((send *)dlsym(RTLD_NEXT, "MPI_Send"))(buffer, count, type, to, tag, comm);
    return 15;
}
