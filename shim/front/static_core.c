/*
 * The core of a program that was linked with -static-mpi. It is embedded in the program
 * (static_core.S), so no file of a wi4go installation is needed, and there is no command to
 * choose the MPI library to run on.
 */
#define _GNU_SOURCE
#include "front.h"
#include "parts.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls memfd_create by its system call and with Linux's numbers, because glibc has the function
   only from 2.27 on. */
#define MFD_CLOEXEC 0x1u
#define MFD_EXEC 0x10u
static int memory_file(unsigned int flags) { return (int)syscall(SYS_memfd_create, "libwi4go.so", flags); }

extern const char wi4go_core_image[] HIDDEN, wi4go_core_image_end[] HIDDEN;

/* Returns the dlopen handle of the core, opened from memory. */
void *wi4go_static_core(void)
{
    int fd = memory_file(MFD_CLOEXEC | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) /* Linux before 6.3 lacks MFD_EXEC */
        fd = memory_file(MFD_CLOEXEC);
    if (fd < 0)
        wi4go_die("cannot open the core inside this program: memfd_create: %s", strerror(errno));
    for (const char *p = wi4go_core_image; p < wi4go_core_image_end;) {
        ssize_t n = write(fd, p, (size_t)(wi4go_core_image_end - p));
        if (n < 0 && errno != EINTR)
            wi4go_die("cannot open the core inside this program: no memory for it: %s", strerror(errno));
        p += n > 0 ? n : 0;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    void *core = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!core)
        wi4go_die("cannot open the core inside this program: %s", dlerror());
    close(fd);
    return core;
}

/* Returns the launcher that has started the process, or any launcher. */
static const struct wi4go_launcher *started_by(void)
{
    const struct wi4go_launcher *by = wi4go_launchers;
    for (const struct wi4go_launcher *l = by; l->family; l++)
        if (wi4go_launcher_number(l, WI4GO_SIZE))
            by = l;
    return by;
}

/* Reports whether a launcher starts the programs of a library. */
static int starts(const struct wi4go_launcher *by, const char *library)
{
    const char *const *soname = by->sonames;
    while (*soname && strcmp(*soname, library))
        soname++;
    return *soname != NULL;
}

/* Returns the first library that the dynamic linker finds; libraries whose launcher started the
   process come first. Returns NULL if it finds none. */
const char *wi4go_static_default(void)
{
    const char *const *lists[] = {wi4go_family.foreign_sonames, wi4go_family.sonames};
    const struct wi4go_launcher *by = started_by();
    for (int pass = 0; pass < 2; pass++)
        for (int l = 0; l < 2; l++)
            for (const char *const *soname = lists[l]; *soname; soname++) {
                struct link_map *map;
                void *library = pass || starts(by, *soname) ? dlopen(*soname, RTLD_LAZY | RTLD_LOCAL) : NULL;
                if (library && !dlinfo(library, RTLD_DI_LINKMAP, &map) && *map->l_name)
                    return map->l_name;
            }
    return NULL;
}
