/*
 * The core and the embedded MPI of a program that was linked with -static-mpi. They are data in the
 * program (static_core.S), so no file of a wi4go installation is needed, and there is no command to
 * choose the MPI library to run on.
 */
#define _GNU_SOURCE
#include "front.h"
#include "launchers.h"
#include "parts.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls memfd_create by its system call and with Linux's numbers, because glibc provides the function
   only from 2.27 on. */
#define MFD_CLOEXEC 0x1u
#define MFD_EXEC 0x10u
static int memory_file(const char *name, unsigned int flags) { return (int)syscall(SYS_memfd_create, name, flags); }

extern const char wi4go_core_image[] HIDDEN, wi4go_core_image_end[] HIDDEN;
extern const char wi4go_embedded_image[] HIDDEN, wi4go_embedded_image_end[] HIDDEN;

/* The longest path of a file in memory. */
enum { PATH = 64 };

/* Copies a library from the program into a file in memory, writes the file's path, and returns its
   descriptor. Ends the process if that fails. */
static int in_memory(const char *name, const char *from, const char *end, char path[PATH])
{
    int fd = memory_file(name, MFD_CLOEXEC | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) /* Linux before 6.3 lacks MFD_EXEC */
        fd = memory_file(name, MFD_CLOEXEC);
    if (fd < 0)
        wi4go_die("cannot open %s inside this program: memfd_create: %s", name, strerror(errno));
    while (from < end) {
        ssize_t n = write(fd, from, (size_t)(end - from));
        if (n < 0 && errno != EINTR)
            wi4go_die("cannot open %s inside this program: no memory for it: %s", name, strerror(errno));
        from += n > 0 ? n : 0;
    }
    snprintf(path, PATH, "/proc/self/fd/%d", fd);
    return fd;
}

/* Returns the dlopen handle of the core, opened from memory. */
void *wi4go_static_core(void)
{
    char path[PATH];
    int fd = in_memory("libwi4go.so", wi4go_core_image, wi4go_core_image_end, path);
    void *core = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!core)
        wi4go_die("cannot open the core inside this program: %s", dlerror());
    close(fd);
    return core;
}

/* The descriptor of the embedded MPI while it is being loaded, else -1. */
static int embedded = -1;

/* Returns the path of the embedded MPI, copied from the program. */
static const char *embedded_library(void)
{
    static char path[PATH];
    embedded = in_memory("libwi4go-embedded.so.1", wi4go_embedded_image, wi4go_embedded_image_end, path);
    return path;
}

void wi4go_static_loaded(void)
{
    if (embedded >= 0)
        close(embedded);
    embedded = -1;
}

/* Reports whether a launcher (or NULL) starts the programs of a library. */
static int starts(const struct wi4go_launcher *by, const char *library)
{
    const char *const *soname = by ? by->sonames : (const char *const[]){NULL};
    while (*soname && strcmp(*soname, library))
        soname++;
    return *soname != NULL;
}

/* Returns the first library that the dynamic linker finds; libraries whose launcher started the
   process come first. Returns NULL if it finds none. */
static const char *found_library(void)
{
    const char *const *lists[] = {wi4go_family.foreign_sonames, wi4go_family.sonames};
    struct wi4go_start start;
    wi4go_find_start(&start);
    for (int pass = 0; pass < 2; pass++)
        for (int l = 0; l < 2; l++)
            for (const char *const *soname = lists[l]; *soname; soname++) {
                struct link_map *map;
                void *library = pass || starts(start.like, *soname) ? dlopen(*soname, RTLD_LAZY | RTLD_LOCAL) : NULL;
                if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map) && *map->l_name)
                    return map->l_name;
            }
    return NULL;
}

/* Reports the use of the embedded MPI, in a process that is not a later rank of another launcher. */
static void report_embedded(void)
{
    struct wi4go_start start;
    wi4go_find_start(&start);
    const char *rank = start.number[LAUNCHER_RANK];
    if (!rank || !strcmp(rank, "0"))
        wi4go_print("note: no MPI library is found: this program uses the one that it contains, embedded, which runs all ranks on this host: "
                    "start several ranks with `wi4go run`, or set WI4GO_TO to the file of an MPI library");
}

/* It is the embedded MPI if WI4GO_TO names that, if its launcher has started the process, or if no
   other library is found. */
const char *wi4go_static_library(void)
{
    const char *const to = getenv("WI4GO_TO"), *library;
    if (to && strcmp(to, "embedded"))
        return NULL;
    if (to || getenv("ADI_RANKS"))
        return embedded_library();
    if ((library = found_library()))
        return library;
    report_embedded();
    return embedded_library();
}
