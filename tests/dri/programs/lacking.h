/* Allocations by libdri that fail. The program's functions replace those of the C library, and fail only if libdri calls
 * them. */
#ifndef LACKING_H
#define LACKING_H
#include "check.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

void *__libc_calloc(size_t n, size_t size), *__libc_malloc(size_t size), *__libc_realloc(void *memory, size_t size);

static int calls, no_memory = -1; /* the number of allocations by libdri; the number of the one that fails, or -1 */
static bool only_calloc;          /* count calloc only */
static void *library;             /* the address at which libdri is loaded */

/* Reports whether an allocation, called from an address, must fail. */
static bool is_to_fail(void *caller)
{
    Dl_info info;
    return no_memory >= 0 && dladdr(caller, &info) && info.dli_fbase == library && calls++ == no_memory;
}

void *calloc(size_t n, size_t size)
{
    return is_to_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *malloc(size_t size)
{
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *realloc(void *memory, size_t size)
{
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    int (*real)(void **, size_t, size_t) = dlsym(RTLD_NEXT, "posix_memalign");
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? ENOMEM : real(memory, alignment, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    return !only_calloc && is_to_fail(__builtin_return_address(0)) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

/* Makes libdri's n-th next allocation fail, in one process. n = -1: none fails. */
static void fail(int in, int n)
{
    calls = 0;
    no_memory = rank == in ? n : -1;
}

/* Reports whether an allocation failed in a call, on any process. The call must have the same result on all processes: no
 * memory, or success. */
static bool lacked(int class, const char *call, int n)
{
    int lowest, highest, failed = no_memory >= 0 && calls > n;
    no_memory = -1;
    MPI_Allreduce(&class, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&class, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(lowest == highest && (class == DRI_SUCCESS || class == DRI_ERR_NOMEM), "%s, allocation %d: %d (%d to %d)", call, n, class, lowest, highest);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return failed;
}

/* The same as begin, and finds libdri. */
static void begin_lacking(int *argc, char ***argv)
{
    Dl_info info;
    begin(argc, argv);
    dladdr((void *)DRI_finalize, &info);
    library = info.dli_fbase;
}
#endif
