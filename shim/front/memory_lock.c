/*
 * mlockall(2) for programs. The Go runtime of the core maps 32 MB of which it uses a few pages, and
 * the handle tables of a front have up to 31 MB. mlockall would make all of it resident in every
 * rank. The fronts, and the stand-ins that are preloaded, export mlockall: it locks the program's
 * memory as natively, and pages of wi4go's own large mappings when they are touched (MCL_ONFAULT,
 * Linux 4.4).
 *
 * State: none of its own.
 */
#define _GNU_SOURCE
#include "core.h"
#include "front.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Older C libraries lack this (asm-generic/mman.h). */
#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

int wi4go_mlockall(int flags, int (*library)(int flags)) __attribute__((visibility("default")));
int mlockall(int flags) __attribute__((visibility("default")));

/* wi4go's own large mappings, in ascending order. */
struct own_memory {
    int n;
    struct core_range range[65];
};

static void add(struct own_memory *own, struct core_range r)
{
    int i = own->n;
    if (r.to <= r.from || own->n == (int)(sizeof own->range / sizeof *own->range))
        return;
    for (; i > 0 && own->range[i - 1].from > r.from; i--)
        own->range[i] = own->range[i - 1];
    own->range[i] = r;
    own->n++;
}

/* Lists the mappings of the core, and the zero-initialized data of the front, if that is a library of
   its own and not a part of the program (-static-mpi). */
static void find_own(struct own_memory *own)
{
    extern const char __bss_start[] HIDDEN, _end[] HIDDEN; /* defined by the linker */
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const struct core_range *ranges;
    own->n = 0;
    if (!wi4go_is_own_address(getauxval(AT_PHDR)))
        add(own, (struct core_range){(char *)(((uintptr_t)__bss_start + page - 1) & -page), (char *)((uintptr_t)_end & -page)});
    for (int n = wi4go_core_memory_list(&ranges); n > 0; n--)
        add(own, *ranges++);
}

/* Calls use with each piece of a mapping that is not wi4go's own, and returns the sum of its
   results. */
static size_t outside(struct core_range r, const struct own_memory *own, size_t (*use)(char *at, size_t size))
{
    size_t sum = 0;
    for (int i = 0; i < own->n && r.from < r.to; i++) {
        const struct core_range *o = &own->range[i];
        if (o->to <= r.from || o->from >= r.to)
            continue;
        if (o->from > r.from)
            sum += use(r.from, (size_t)(o->from - r.from));
        r.from = o->to;
    }
    return r.from < r.to ? sum + use(r.from, (size_t)(r.to - r.from)) : sum;
}

/* Calls use with all memory of the process but wi4go's own, as /proc/self/maps lists it, and returns
   the sum of its results. The list is read piece by piece without allocating memory. */
static size_t programs_memory(const struct own_memory *own, size_t (*use)(char *at, size_t size))
{
    char text[4096];
    size_t length = 0, sum = 0;
    ssize_t n;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    while ((n = read(file, text + length, sizeof text - length)) > 0) {
        char *line = text, *end;
        length += (size_t)n;
        for (; (end = memchr(line, '\n', length - (size_t)(line - text))); line = end + 1) {
            char *rest;
            char *from = (char *)strtoul(line, &rest, 16);
            sum += outside((struct core_range){from, (char *)strtoul(rest + 1, NULL, 16)}, own, use);
        }
        length -= (size_t)(line - text);
        memmove(text, line, length);
        if (length == sizeof text)
            break; /* no line is that long */
    }
    close(file);
    return sum;
}

static size_t memory_size(char *at, size_t size) { return size; }

/* Locks a piece of memory and returns 0. Errors are ignored, as by mlockall: pages beyond the end of a
   file cannot be locked. */
static size_t lock(char *at, size_t size)
{
    mlock(at, size);
    return 0;
}

/* Returns what library, the C library's mlockall, returns, with its errno. The limit on locked memory
   (RLIMIT_MEMLOCK) counts the program's memory and not wi4go's own. */
int wi4go_mlockall(int flags, int (*library)(int flags))
{
    struct own_memory own;
    struct rlimit limit;
    if (!library) {
        errno = ENOSYS;
        return -1;
    }
    if (!(flags & MCL_CURRENT) || flags & ~(MCL_CURRENT | MCL_FUTURE))
        return library(flags);
    find_own(&own);
    /* MCL_FUTURE must hold from the first call on, so that no mapping of another thread is left out. */
    if (library(flags | MCL_ONFAULT)) {
        if (errno != ENOMEM)
            return library(flags); /* Linux before 4.4, or no right to lock memory */
        if (getrlimit(RLIMIT_MEMLOCK, &limit) || programs_memory(&own, memory_size) > limit.rlim_cur) {
            errno = ENOMEM;
            return -1;
        }
    }
    if (flags & MCL_FUTURE && library(MCL_FUTURE))
        return -1;
    programs_memory(&own, lock);
    return 0;
}

/* For programs that the front is linked with, before the C library. */
int mlockall(int flags) { return wi4go_mlockall(flags, (int (*)(int))dlsym(RTLD_NEXT, "mlockall")); }
