/*
 * Keeps the memory of the Go runtime small for programs that call mlockall: small stacks for its
 * threads, and a list of its large mappings. The linker leads the calls of runtime/cgo here (--wrap),
 * which makes all mappings of the Go runtime.
 *
 * State: the mappings. Each entry is complete before n_mapped counts it; entries stay.
 */
#define _GNU_SOURCE
#include "memory.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#define GO_STACK (512u << 10) /* the stack of a thread, in bytes; Go itself uses 16 KB outside of C, and the lowest 64 KB are for signals */
#define LARGE (1u << 20)      /* the least size of a mapping in the list, in bytes */

static struct core_range mapped[64];
static unsigned n_begun, n_mapped; /* the entries that were begun, and those that are complete */

int __real_pthread_attr_init(pthread_attr_t *attributes);
int __wrap_pthread_attr_init(pthread_attr_t *attributes);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);

/* Returns the smallest stack that a thread can have. NULL: another C library. */
static size_t (*least)(const pthread_attr_t *);

/* Runs before the Go runtime starts, because a thread of the Go runtime must not wait for the loader's lock (see threads.c). */
__attribute__((constructor(101))) static void find_least(void)
{
    least = (size_t (*)(const pthread_attr_t *))dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
}

/* Sets a small stack in addition. The C library keeps a thread's static TLS in its stack, so the size
   of that is added. */
int __wrap_pthread_attr_init(pthread_attr_t *attributes)
{
    int error = __real_pthread_attr_init(attributes);
    if (error || !least)
        return error;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    pthread_attr_setstacksize(attributes, (least(attributes) + GO_STACK + page - 1) & -page);
    return 0;
}

/* Adds a large mapping to the list. A part of one that is in the list is left out; if the list is
   full, the mapping counts as the program's. */
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    char *at = __real_mmap(address, size, protection, flags, file, offset);
    unsigned n = __atomic_load_n(&n_mapped, __ATOMIC_ACQUIRE);
    if (at == MAP_FAILED || size < LARGE)
        return at;
    for (unsigned i = 0; i < n; i++)
        if (at >= mapped[i].from && at + size <= mapped[i].to)
            return at;
    unsigned mine = __atomic_fetch_add(&n_begun, 1, __ATOMIC_RELAXED);
    if (mine < sizeof mapped / sizeof *mapped) {
        mapped[mine] = (struct core_range){at, at + size};
        while (__atomic_load_n(&n_mapped, __ATOMIC_ACQUIRE) != mine)
            ; /* another thread is completing an earlier entry */
        __atomic_store_n(&n_mapped, mine + 1, __ATOMIC_RELEASE);
    }
    return at;
}

int wi4go_core_memory(const struct core_range **ranges)
{
    *ranges = mapped;
    return (int)__atomic_load_n(&n_mapped, __ATOMIC_ACQUIRE);
}
