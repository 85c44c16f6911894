/*
 * A stand-in: a library without symbols of MPI. The linker builds it with the soname of an MPI
 * library and a dependency on the front. When it is preloaded, every request for that soname finds
 * it, and the front is loaded as its dependency, in place of the library.
 *
 * The front comes after the C library then, so the stand-in has the mlockall of
 * shim/front/memory_lock.c.
 */
#define _GNU_SOURCE
#include "version.h"
#include <dlfcn.h>

int wi4go_mlockall(int flags, int (*library)(int flags)) __attribute__((weak));
int mlockall(int flags);

/* If the front could not be loaded, the C library's mlockall is called. */
int mlockall(int flags)
{
    int (*library)(int) = (int (*)(int))dlsym(RTLD_NEXT, "mlockall");
    return wi4go_mlockall ? wi4go_mlockall(flags, library) : library(flags);
}
