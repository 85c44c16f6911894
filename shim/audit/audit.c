/*
 * The auditor: a library for LD_AUDIT (rtld-audit(7)) that sees every request for a library
 * before the dynamic linker searches for it. If the file name is an MPI library's, the auditor
 * answers the request with the front of that family, whatever LD_LIBRARY_PATH, DT_RUNPATH or a
 * directory in the name would lead to. It reports an MPI library that gets into the process all
 * the same, because its name reveals nothing. It also reports a launcher that is started inside a
 * rank.
 *
 * `wi4go run` and `wi4go exec` set LD_AUDIT for processes in which LD_PRELOAD is not proved
 * sufficient (internal/launch/audit.go). The environment holds the other settings:
 *
 *   LD_AUDIT            this file; the fronts are in the same directory
 *   WI4GO_FROM          the family of the program, if the launcher knows it
 *   WI4GO_TO            the file of the runtime
 *   WI4GO_NATIVE        the family whose requests lead to the runtime itself, not to a front
 *   WI4GO_KEEP_FORTRAN  set: the program's own Fortran library stays
 *   WI4GO_LIBRARY_PATH  LD_LIBRARY_PATH as the launcher has set it
 *
 * The file needs no library (DT_NEEDED), because the dynamic linker would load a second C library for it: so
 * it uses no function of the C library, no thread-local storage, no allocation. The dynamic linker
 * holds its lock during every call, so the state here needs no lock. The file must never define
 * la_pltenter, la_pltexit or la_symbind: with these, calls through a PLT become many times
 * slower.
 */
#define _GNU_SOURCE
#include "names.h"
#include "symbols.h"
#include "system.h"
#include "version.h"
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

/* The requester of an object. The object's cookie is the address of its map, and this in the lowest bit. */
enum { BY_PROGRAM, BY_RUNTIME };

/* The prefix with which the core opens the runtime by its absolute path. It keeps the request
   from being redirected, and from being matched with a front that was loaded under that path. */
static const char runtime_prefix[] = "/./";

static char **environment, **arguments;
static char directory[PATH_MAX]; /* the directory of the fronts, with a slash at its end, or "" if unknown */
static char answer[PATH_MAX];    /* holds the result of replacement, which outlives the call */
static uintptr_t requester;      /* the requester (BY_PROGRAM …) of the request under way */
static int last_front = -1;      /* the family of the front that was loaded last, or -1 */
static int launcher_library;     /* 1: this process has loaded the library of Open MPI's launcher */
static int reported;             /* 1: report_library has reported a library */

/* ---- the environment ---- */

/* Returns the value of a variable, or NULL. */
static const char *audit_getenv(const char *name)
{
    for (char **e = environment; e && *e; e++)
        if (starts_with(*e, name) && (*e)[length(name)] == '=')
            return *e + length(name) + 1;
    return NULL;
}

static int is_one_of(char c, const char *characters)
{
    while (*characters && *characters != c)
        characters++;
    return *characters != 0;
}

/* Copies the first element of a list to item, cut to size bytes. Returns the rest of the list, or
   NULL if it contains no element. */
static const char *next_item(const char *list, const char *separators, char *item, size_t size)
{
    size_t n = 0;
    while (*list && is_one_of(*list, separators))
        list++;
    if (!*list)
        return NULL;
    for (; *list && !is_one_of(*list, separators); list++)
        if (n + 1 < size)
            item[n++] = *list;
    item[n] = 0;
    return list;
}

/* Reports whether LD_PRELOAD contains this name. */
static int is_preloaded(const char *name)
{
    char item[PATH_MAX];
    const char *list = audit_getenv("LD_PRELOAD");
    while (list && (list = next_item(list, ": ", item, sizeof item)))
        if (equal(item, name))
            return 1;
    return 0;
}

/* Takes the directory of the fronts from the auditor's own element of LD_AUDIT. The path may
   contain spaces; only colons separate elements. */
static void find_directory(void)
{
    const char *list = audit_getenv("LD_AUDIT");
    while (list && (list = next_item(list, ":", directory, sizeof directory)))
        if (ends_with(directory, "/wi4go/audit.so")) {
            directory[basename_of(directory) - directory] = 0;
            return;
        }
    *directory = 0;
}

/* Returns the index of a family, or -1. */
static int family_index(const char *name)
{
    for (int i = 0; name && i < n_families; i++)
        if (equal(families[i].name, name))
            return i;
    return -1;
}

static int is_several(const char *size) { return size && *size && !equal(size, "0") && !equal(size, "1"); }

/* Returns the value of the first of some variables that is set, or NULL. */
static const char *first_set(const char *const *names)
{
    const char *value = NULL;
    for (; *names && !value; names++)
        value = audit_getenv(*names);
    return value;
}

/* Reports whether a launcher has started more processes than this one. */
static int several_ranks(void)
{
    int several = is_several(audit_getenv("SLURM_STEP_NUM_TASKS"));
    for (int i = 0; i < n_families; i++)
        for (const char *const *name = families[i].sizes; *name; name++)
            several |= is_several(audit_getenv(*name));
    return several;
}

/* Reports whether the user has turned reports off (WI4GO_STRICT=0). */
static int reports_are_off(void)
{
    const char *strict = audit_getenv("WI4GO_STRICT");
    return strict && equal(strict, "0");
}

/* Reports whether every report must end the process (WI4GO_STRICT=1). */
static int strict(void)
{
    const char *value = audit_getenv("WI4GO_STRICT");
    return value && *value && !equal(value, "0");
}

__attribute__((constructor)) static void start_auditor(int argc, char **argv, char **envp)
{
    (void)argc;
    arguments = argv;
    environment = envp;
    find_directory();
}

/* ---- the interface of the dynamic linker ---- */

/* Returns the version of the interface that the auditor uses, or 0 to take the auditor out of the
   process. The dynamic linker passes 2 or more if its calls through a PLT stay as fast as without
   an auditor. With WI4GO_AUDIT=probe, the launcher needs only the linker's number: the function
   prints it and ends the process. */
PUBLIC unsigned int la_version(unsigned int version)
{
    const char *mode = audit_getenv("WI4GO_AUDIT");
    if (mode && equal(mode, "probe")) {
        const char digit = version > 9 ? '9' : (char)('0' + version);
        system_call(SYS_write, 1, (long)&digit, 1, 0);
        end_process(0);
    }
    if (!*directory || (version < 2 && !audit_getenv("LD_BIND_NOW")))
        return 0;
    return version < 2 ? version : 2;
}

/* Returns the family of which the symbols are that an object needs, among the families that share a name
   without a version, or -1. */
static int family_of_object(const struct link_map *map)
{
    const char *symbol;
    int family = -1;
    for (size_t i = 0; map && (symbol = needed_symbol(map, i)); i++) {
        const int found = family_of_symbol(symbol);
        if (found >= 0 && family >= 0 && found != family)
            return -1;
        if (found >= 0)
            family = found;
    }
    return family;
}

/* Returns the family to whose front a request of the program leads, or -1. found is the family of
   the name, and by the object that requests it. A name that several families have (libmpi.so) leads to the family
   whose symbols the object needs; otherwise to the front that is loaded;
   otherwise to the program's family; otherwise to the runtime's. A library of LD_PRELOAD was put
   there for programs of any family, so it leads to the program's. */
static int family_wanted(const char *name, int found, const struct link_map *by)
{
    const char *from = audit_getenv("WI4GO_NATIVE") ? audit_getenv("WI4GO_NATIVE") : audit_getenv("WI4GO_FROM"), *runtime = audit_getenv("WI4GO_TO");
    const int program = family_index(from);
    if (program >= 0 && is_preloaded(name))
        return program;
    if (found < 0)
        found = family_of_object(by);
    if (found >= 0)
        return found;
    if (last_front >= 0)
        return last_front;
    return program >= 0 || !runtime ? program : library_of_file(runtime).family;
}

/* Reports whether wi4go has put a file into the environment. MPI libraries that come with wi4go
   do not count; they are in a directory of their own. */
static int is_from_wi4go(const char *name)
{
    return starts_with(name, directory) && !starts_with(name + length(directory), "runtimes/");
}

static int is_stand_in(const char *name)
{
    for (; *name; name++)
        if (starts_with(name, "/wi4go/sonames/"))
            return 1;
    return 0;
}

/* Returns the file that replaces a library which an object requests, or the name itself. The result is valid
   until the next call. */
static const char *replacement(const char *name, const struct link_map *by)
{
    const struct library library = library_of_file(name);
    if (library.part != PART_C && library.part != PART_FORTRAN)
        return name;
    const int family = family_wanted(name, library.family, by);
    if (family < 0)
        return name;
    const char *file = families[family].front;
    const int native = family_index(audit_getenv("WI4GO_NATIVE")) == family;
    if (library.part == PART_FORTRAN && (native || audit_getenv("WI4GO_KEEP_FORTRAN") || !*(file = families[family].fortran)))
        return name;
    const char *const front[] = {directory, families[family].name, "/", file, NULL};
    const char *const runtime[] = {native ? audit_getenv("WI4GO_TO") : NULL, NULL};
    return concat(answer, sizeof answer, native && runtime[0] ? runtime : front) ? name : answer;
}

/* Reports whether the runtime may find a library at a path of LD_LIBRARY_PATH. Directories that a
   script has added there are for the program only: they may hold the runtime's own libraries in
   another version. */
static int is_runtime_path(const char *path)
{
    char item[PATH_MAX];
    const char *list = audit_getenv("WI4GO_LIBRARY_PATH");
    if (!list)
        return 1;
    while ((list = next_item(list, ":;", item, sizeof item)))
        if (starts_with(path, item) && (ends_with(item, "/") || path[length(item)] == '/'))
            return 1;
    return 0;
}

/* Called for each name that the dynamic linker tries for a request. Returns the name to use, or
   NULL to skip it. */
PUBLIC char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag)
{
    if (flag == LA_SER_LIBPATH && requester == BY_RUNTIME && !is_runtime_path(name))
        return NULL;
    if (flag != LA_SER_ORIG)
        return (char *)name;
    requester = *cookie & BY_RUNTIME || starts_with(name, runtime_prefix) ? BY_RUNTIME : BY_PROGRAM;
    if (requester == BY_RUNTIME || is_from_wi4go(name) || is_stand_in(name))
        return (char *)name;
    return (char *)replacement(name, (const struct link_map *)(*cookie & ~(uintptr_t)BY_RUNTIME));
}

/* Reports an MPI library with an unknown name, once. Ends the process if the job has several
   ranks or the user has set WI4GO_STRICT=1. */
static void report_library(const char *path)
{
    const char *runtime = audit_getenv("WI4GO_TO");
    const int fatal = strict() || several_ranks();
    const char *line[8 + 2 * n_families];
    int n = 0;
    const char *const begin[] = {"wi4go: ", fatal ? "" : "warning: ", path, " is an MPI library whose file name wi4go does not recognize, so "
                                                                            "this process would call it instead of ",
                                 runtime ? runtime : "the library that was requested", ": replace it by a symbolic link with its usual name ("};
    while (n < (int)(sizeof begin / sizeof *begin)) {
        line[n] = begin[n];
        n++;
    }
    for (int i = 0; i < n_families; i++) {
        line[n++] = i ? ", " : "";
        line[n++] = families[i].front;
    }
    line[n++] = "), or set WI4GO_STRICT=0 to allow it";
    line[n] = NULL;
    if (reported++ || reports_are_off())
        return;
    print_parts(line);
    if (fatal)
        end_process(1);
}

/* Reports whether an object is a library that implements MPI: it has a family's mark, and defines
   functions under both names, MPI_ and PMPI_. Tools and stubs do not. */
static int implements_mpi(const struct link_map *map)
{
    if (!defines(map, "MPI_Init") || !defines(map, "PMPI_Init"))
        return 0;
    for (int i = 0; i < n_families; i++)
        if (defines(map, families[i].mark))
            return 1;
    return 0;
}

static int is_runtime(const char *path)
{
    const char *runtime = audit_getenv("WI4GO_TO");
    return runtime && equal(runtime, path);
}

/* Called for each object that is loaded: records its requester, and checks for MPI libraries.
   Returns 0, because no symbol bindings are audited. */
PUBLIC unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
    const char *path = map->l_name ? map->l_name : "";
    (void)lmid;
    *cookie = (uintptr_t)map | requester;
    for (int i = 0; i < n_families; i++)
        for (const char *const *part = families[i].parts; *part; part++)
            if (starts_with(basename_of(path), *part) && starts_with(basename_of(path) + length(*part), ".so"))
                launcher_library = 1;
    if (is_runtime(path))
        *cookie |= BY_RUNTIME; /* a native program loads it itself */
    if (*cookie & BY_RUNTIME || !*path || !implements_mpi(map))
        return 0;
    if (!defines(map, "wi4go_fortran_begins")) {
        report_library(path);
        return 0;
    }
    for (int i = 0; i < n_families; i++)
        if (equal(basename_of(path), families[i].front))
            last_front = i;
    return 0;
}

/* ---- a launcher inside a rank ---- */

static int is_launcher(const char *file)
{
    static const char *const names[] = {"mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun", "prun"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (equal(basename_of(file), names[i]))
            return 1;
    return 0;
}

/* Reports whether the own library of a launcher of MPICH's family has started it, for processes
   that a single process spawns. */
static int serves_singleton(void)
{
    for (char **a = arguments; a && *a; a++)
        if (equal(*a, "-pmi_args"))
            return 1;
    return 0;
}

/* Reports whether a launcher may run inside a rank of this job. MPICH's launcher may run inside
   its own kind, as without wi4go, but not for programs whose own launcher would refuse. */
static int may_nest(void)
{
    const int program = family_index(audit_getenv("WI4GO_FROM"));
    int nests = 0, refuses = 0; /* kinds of launchers that have started this process */
    for (int i = 0; i < n_families; i++)
        if (first_set(families[i].inside))
            *(families[i].nested_refused ? &refuses : &nests) = 1;
    if (!several_ranks() || reports_are_off() || serves_singleton() || (!nests && !refuses))
        return 1;
    return nests && !refuses && !launcher_library && (program < 0 || !families[program].nested_refused);
}

/* Ends a launcher that would start a job of its own in each rank. The first rank reports it, and
   the others wait for that, because launchers end a job with its first process. */
PUBLIC void la_preinit(uintptr_t *cookie)
{
    char file[PATH_MAX];
    const long n = system_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)file, sizeof file - 1);
    const char *rank = NULL;
    for (int i = 0; i < n_families && !rank; i++)
        rank = first_set(families[i].ranks);
    (void)cookie;
    if (n <= 0 || (file[n] = 0, !is_launcher(file)) || may_nest())
        return;
    const char *const line[] = {"wi4go: ", file, " was started inside a rank of a job, so each rank would start another job: start the script "
                                                 "once, with `wi4go run -n N` and without a launcher in it, or set WI4GO_STRICT=0 to allow it", NULL};
    const struct timespec pause = {2, 0};
    if (!rank || equal(rank, "0"))
        print_parts(line);
    else
        system_call(SYS_nanosleep, (long)&pause, 0, 0, 0);
    end_process(1);
}
