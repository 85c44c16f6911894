/* A tool that stands on top of MPI, by LD_PRELOAD: the first MPI_Ssend of all jobs
   leaves a message too many behind and returns an error. In $SPOIL it keeps that
   this was. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>

/* Handles are numbers or addresses: all arguments fit into a register. */
typedef int send(const void *, long, long, long, long, long);

int MPI_Ssend(const void *buffer, long count, long type, long to, long tag, long comm)
{
    if (open(getenv("SPOIL"), O_CREAT | O_EXCL, 0600) < 0)
        return ((send *)dlsym(RTLD_NEXT, "MPI_Ssend"))(buffer, count, type, to, tag, comm);
    for (int i = 0; i < 2; i++)
        ((send *)dlsym(RTLD_NEXT, "MPI_Send"))(buffer, count, type, to, tag, comm);
    return 15;
}
