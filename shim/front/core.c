/*
 * Opens the core of the front (libwi4go.so, Go) and calls it. This file is part of the front's
 * base; load.c is its first user.
 */
#define _GNU_SOURCE
#include "core.h"
#include "front.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct core_functions core; /* its functions, set by wi4go_core_open */
static struct core_table tables[16];
static int n_tables;
static int has_command; /* 1 if the command is a file of the installation, 0 if the program contains the core and no command exists */
static pid_t loader;    /* the process that opened the core: forked children must not call Go */

void wi4go_install_path(char *path, size_t size, const char *name)
{
    Dl_info info;
    if (!dladdr((void *)wi4go_die, &info) || !info.dli_fname)
        wi4go_die("cannot find the file of the front, and therefore not %s next to it: start the program with `wi4go run`", name);
    char real[PATH_MAX];
    const char *front = realpath(info.dli_fname, real) ? real : info.dli_fname;
    const char *slash = strrchr(front, '/');
    size_t directory = slash ? (size_t)(slash - front) : 0;
    if (snprintf(path, size, "%.*s/../%s", (int)directory, front, name) >= (int)size)
        wi4go_die("the path of the front is too long: %s: install wi4go under a shorter path", front);
}

int wi4go_is_in_library(void *library, void *address)
{
    struct link_map *map, *from;
    Dl_info info;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) || (dladdr1(address, &info, (void **)&from, RTLD_DL_LINKMAP) && from == map);
}

/* Ends the process with advice if its limit on address space is too small. Go and the runtime
   take 1.8 GB of it, though hardly any memory, and without it they end without a useful message. */
static void check_address_space(void)
{
    struct rlimit limit;
    const unsigned long needed = 2048;
    unsigned long pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f) {
        if (fscanf(f, "%lu", &pages) != 1)
            pages = 0;
        fclose(f);
    }
    unsigned long used = (pages * (unsigned long)sysconf(_SC_PAGESIZE)) >> 20, allowed = limit.rlim_cur >> 20;
    if (allowed < used + needed)
        wi4go_die("the limit on address space (%lu MB, ulimit -v), of which the program uses %lu MB, is too low for wi4go to load an MPI "
                  "library: raise it to %lu MB or more, or remove it (ulimit -v unlimited)",
                  allowed, used, used + needed);
}

/* Registers a rank of the embedded MPI for membarrier, as its device does later (embedded/adi/wait.c).
   The kernel does this at once while the process runs a single thread; when the core has started
   threads, each rank would wait 10 ms for it. A failure does not matter: the device tries again. */
static void register_for_membarrier(void)
{
    const char *const to = getenv("WI4GO_TO");
    if (getenv("ADI_RANKS") || (to && strstr(to, "/libwi4go-embedded.so")))
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

/* Ends the process with a message if the core cannot be opened or belongs to another version. */
void wi4go_core_open(void *(*open)(void))
{
    char path[PATH_MAX] = "in this program";
    void *library;
    has_command = !open;
    check_address_space();
    register_for_membarrier();
    if (open) {
        library = open();
    } else {
        wi4go_install_path(path, sizeof path, "libwi4go.so");
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *why = dlerror();
        wi4go_die("cannot open the core %s: %s: %s", path, why,
                  strstr(why, "static TLS")
                      ? "libraries opened earlier have used up the space for thread-local storage: call MPI before opening them, or start the "
                        "program with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
                      : "reinstall wi4go: its files must be of one version");
    }
    core.start = (int (*)(void))dlsym(library, "wi4go_core_start");
    core.load = (int (*)(struct core_request *))dlsym(library, "wi4go_core_load");
    core.ask = (int (*)(char *const[], char *, int))dlsym(library, "wi4go_ask");
    core.leftover = (void (*)(struct core_table *, int, char *, int))dlsym(library, "wi4go_core_leftover");
    core.memory = (int (*)(const struct core_range **))dlsym(library, "wi4go_core_memory");
    core.signal_threads = (int (*)(int))dlsym(library, "wi4go_core_signal_threads");
    if (!core.start || !core.load || !core.ask || !core.leftover || !core.memory || !core.signal_threads)
        wi4go_die("the core %s has no wi4go_core_load: it belongs to another version: reinstall wi4go", path);
    loader = getpid();
    core.start();
}

int wi4go_core_load_runtime(struct core_request *request) { return core.load(request); }

/* For dl_iterate_phdr: returns the pages of the core's code and constants to the system if the
   object contains `function`. Hardly any of the code runs again; if it does, the pages come back
   from the file. Returns true to end the iteration. */
static int release_pages(struct dl_phdr_info *info, size_t size, void *function)
{
    (void)size;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    int is_core = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < info->dlpi_phnum; i++) {
            const ElfW(Phdr) *h = &info->dlpi_phdr[i];
            uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
            if (h->p_type != PT_LOAD || h->p_flags & PF_W)
                continue;
            if (pass == 0)
                is_core |= (uintptr_t)function >= from && (uintptr_t)function < to;
            else if (is_core)
                madvise((void *)(from & -page), to - (from & -page), MADV_DONTNEED);
        }
    return is_core;
}

void wi4go_core_release_pages(void) { dl_iterate_phdr(release_pages, (void *)core.load); }

int wi4go_signal_core_threads(int signal) { return core.signal_threads(signal); }

int wi4go_core_memory_list(const struct core_range **ranges) { return core.memory ? core.memory(ranges) : 0; }

void wi4go_table_register(const char *kind, struct handletable *table)
{
    if (n_tables < (int)(sizeof tables / sizeof *tables))
        tables[n_tables++] = (struct core_table){kind, table};
}

/* Returns -1 in a forked child, because the core must not be called there. */
int wi4go_handles_left(char *answer, int size)
{
    if (!n_tables || getpid() != loader)
        return -1;
    core.leftover(tables, n_tables, answer, size);
    return 0;
}

int wi4go_run_command(const char *const *words, char *answer, int size)
{
    char command[PATH_MAX];
    char *argv[8] = {command};
    if (!has_command)
        return -1;
    wi4go_install_path(command, sizeof command, "../../bin/wi4go");
    for (int i = 0; i < 6 && words[i]; i++)
        argv[i + 1] = (char *)words[i];
    return core.ask(argv, answer, size);
}
