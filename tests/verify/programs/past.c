/* A tool on top of MPI, by LD_PRELOAD: after the last MPI_Irecv of 24 elements is complete, it changes the last element of the buffer,
   an int, although the message was shorter. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static int *buffer; /* the buffer of that receive, or NULL */

/* Handles are numbers or addresses: each argument fits into a register. */
typedef int receive(void *, long, long, long, long, long, void *);
typedef int finish(void *, void *);

int MPI_Irecv(void *to, long count, long type, long from, long tag, long comm, void *request)
{
    buffer = (int)count == 24 ? to : NULL;
    return ((receive *)dlsym(RTLD_NEXT, "MPI_Irecv"))(to, count, type, from, tag, comm, request);
}

int MPI_Wait(void *request, void *status)
{
    int rc = ((finish *)dlsym(RTLD_NEXT, "MPI_Wait"))(request, status);
    if (buffer)
        buffer[23] = 7;
    buffer = NULL;
    return rc;
}
