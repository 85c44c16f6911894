/*
 * The front's life: what happens between the first MPI call of a program and
 * the moment when its functions are translated. Everything here runs once, or
 * on an error; nothing of it is on the path of a message.
 */
#define _GNU_SOURCE
#include "front.h"
#include "core.h"
#include "own.h"
#include "signals.h"
#include "version.h"
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

int64_t wi4go_chunk = INT_MAX;
const char *wi4go_runtime_path;
void *wi4go_runtime_library;
int wi4go_program_is_draft;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread int loading __attribute__((tls_model("initial-exec")));
static const struct wi4go_pair *pair;
static int loaded;
static void **entries; /* what functions lead to whose first call has yet to be looked at */
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;
static int (*ask)(char *const argv[], char *answer, int size);
static void (*leftover)(struct core_table *tables, int n, char *answer, int size);
static struct core_table tables[16];
static int n_tables;
static pid_t loader;
static char core_error[4096];
static char core_library[PATH_MAX];
static char core_family[32];

static void print(const char *format, va_list arguments)
{
    char line[8192];
    int n = snprintf(line, sizeof line, "wi4go: ");
    int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
    n += m < (int)sizeof line - n - 1 ? m : (int)sizeof line - n - 2;
    line[n++] = '\n';
    for (char *p = line; n > 0;) {
        ssize_t written = write(2, p, (size_t)n);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            p += written;
            n -= (int)written;
        }
    }
}

void wi4go_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

void wi4go_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    fflush(stdout);
    _exit(1);
}

/* ---- the program's own family ---- */

static int listed(const char *const *sonames, const char *name)
{
    for (; *sonames; sonames++)
        if (!strcmp(*sonames, name))
            return 1;
    return 0;
}

struct needs {
    int ours;
    const char *foreign, *by;
};

static int look_at_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct needs *needs = data;
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (!dynamic)
        return 0;
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    if (!strings || (uintptr_t)strings < info->dlpi_addr)
        return 0;
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
        if (d->d_tag != DT_NEEDED)
            continue;
        const char *name = strings + d->d_un.d_val;
        if (listed(wi4go_family.sonames, name))
            needs->ours = 1;
        else if (!needs->foreign && listed(wi4go_family.foreign_sonames, name)) {
            needs->foreign = name;
            needs->by = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "the program";
        }
    }
    return 0;
}

static void refuse_other_family(void)
{
    struct needs needs = {0, NULL, NULL};
    dl_iterate_phdr(look_at_object, &needs);
    if (needs.foreign && !needs.ours)
        wi4go_die("%s needs %s, but the front for %s programs is preloaded: "
                  "start it with `wi4go run` (which picks the front), or without LD_PRELOAD",
                  needs.by, needs.foreign, wi4go_family.name);
}

/* ---- the core ---- */

static void beside_front(char *path, size_t size, const char *name)
{
    Dl_info info;
    if (!dladdr((void *)wi4go_die, &info) || !info.dli_fname)
        wi4go_die("cannot find the file of the front itself, and so not %s beside it", name);
    char real[PATH_MAX];
    const char *front = realpath(info.dli_fname, real) ? real : info.dli_fname;
    const char *slash = strrchr(front, '/');
    size_t directory = slash ? (size_t)(slash - front) : 0;
    if (snprintf(path, size, "%.*s/../%s", (int)directory, front, name) >= (int)size)
        wi4go_die("the path of the front is too long: %s", front);
}

/* Go and the runtime take 1.8 GB of address space, though hardly any memory, and
   die without a word of what to do when they do not get it. */
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
        wi4go_die("the limit on address space (%lu MB, ulimit -v), of which the program has %lu MB, is too small to load "
                  "an MPI library by wi4go: raise it to %lu MB or more, or lift it (ulimit -v unlimited)",
                  allowed, used, used + needed);
}

static struct core_functions open_core(void)
{
    char path[PATH_MAX] = "in this program";
    struct core_functions core;
    void *library;
    if (wi4go_embedded_core) {
        library = wi4go_embedded_core();
    } else {
        beside_front(path, sizeof path, "libwi4go.so");
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *why = dlerror();
        wi4go_die("cannot open the core %s: %s: %s", path, why,
                  strstr(why, "static TLS")
                      ? "libraries that were opened late have used up the room for thread-local storage: call MPI before "
                        "they are opened, or start the program with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
                      : "reinstall wi4go, its files belong together");
    }
    core.start = (int (*)(void))dlsym(library, "wi4go_core_start");
    core.load = (int (*)(struct core_request *))dlsym(library, "wi4go_core_load");
    core.ask = (int (*)(char *const[], char *, int))dlsym(library, "wi4go_ask");
    core.leftover = (void (*)(struct core_table *, int, char *, int))dlsym(library, "wi4go_core_leftover");
    if (!core.start || !core.load || !core.ask || !core.leftover)
        wi4go_die("the core %s has no wi4go_core_load: it belongs to another version; reinstall wi4go", path);
    ask = core.ask;
    leftover = core.leftover;
    loader = getpid();
    return core;
}

/* The pages of the core's code and constants leave this process's memory: next
   to nothing of it runs again, and what does comes back from the file. */
static int give_back(struct dl_phdr_info *info, size_t size, void *core)
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
                is_core |= (uintptr_t)core >= from && (uintptr_t)core < to;
            else if (is_core)
                madvise((void *)(from & -page), to - (from & -page), MADV_DONTNEED);
        }
    return is_core;
}

void wi4go_table_made(const char *kind, struct handletable *table)
{
    if (n_tables < (int)(sizeof tables / sizeof *tables))
        tables[n_tables++] = (struct core_table){kind, table};
}

/* The core is not called in a forked child. */
int wi4go_handles_left(char *answer, int size)
{
    if (!n_tables || getpid() != loader)
        return -1;
    leftover(tables, n_tables, answer, size);
    return 0;
}

int wi4go_ask_command(const char *const *words, char *answer, int size)
{
    char command[PATH_MAX];
    char *argv[8] = {command};
    if (wi4go_embedded_core)
        return -1;
    beside_front(command, sizeof command, "../../bin/wi4go");
    for (int i = 0; i < 6 && words[i]; i++)
        argv[i + 1] = (char *)words[i];
    return ask(argv, answer, size);
}

/* ---- the first call ---- */

/* For tests, so that large counts need no memory: WI4GO_TEST_CHUNK. */
static void lower_chunk(void)
{
    const char *chunk = getenv("WI4GO_TEST_CHUNK");
    char *end;
    if (!chunk)
        return;
    const long n = strtol(chunk, &end, 10);
    if (*end || end == chunk || n < 1 || n > INT_MAX)
        wi4go_die("WI4GO_TEST_CHUNK=%s: want a number from 1 to %d, or take it out of the environment: it is there for tests", chunk, INT_MAX);
    wi4go_chunk = n;
}

/* Of a program nothing else says it; the launcher looks at what it was linked by.
   One that has this front linked into it was compiled with our own mpi.h. */
static void learn_program(void)
{
    const char *draft = getenv("WI4GO_FROM_DRAFT");
    wi4go_program_is_draft = draft && !strcmp(draft, "1") && !wi4go_embedded_core;
}

static void in_child(void)
{
    loading = 0;
    pthread_mutex_init(&publishing, NULL);
}

void *wi4go_entry(unsigned slot)
{
    void *const entry = __atomic_load_n(&entries[slot], __ATOMIC_ACQUIRE);
    return entry ? entry : __atomic_load_n(&wi4go_A[slot], __ATOMIC_ACQUIRE);
}

void wi4go_set_entry(unsigned slot, void *function)
{
    pthread_mutex_lock(&publishing);
    __atomic_store_n(entries[slot] ? &entries[slot] : &wi4go_A[slot], function, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&publishing);
}

void wi4go_fortran_again(void)
{
    if (__atomic_load_n(&loaded, __ATOMIC_ACQUIRE))
        wi4go_fortran_update(pair);
}

/* The fast paths take instructions that the first x86-64 processors lack. */
int wi4go_fast_paths_run(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.1");
#else
    return 1;
#endif
}

/* What the program's calls of slot i lead to; found: the runtime's functions. */
static void *entry(unsigned i, void *const *found)
{
    const struct wi4go_translation *t = &pair->translations[i];
    const int alone = t->fallback == WI4GO_ALONE;
    void *translation = t->fallback && !alone && !wi4go_fast_paths_run() ? t->fallback : t->function;
    if (pair->identity && found[i] && (!translation || alone))
        return wi4go_R[i];
    if (translation && (found[i] || alone))
        return translation;
    const struct wi4go_slot *slot = &wi4go_slots[i];
    if (slot->emulation)
        return slot->emulation;
    if (slot->standard)
        return entry(slot->standard, found);
    return slot->narrow && (found[slot->narrow_of] || wi4go_slots[slot->narrow_of].emulation) ? slot->narrow : wi4go_missing_entries[i];
}

/* The front's symbols come into the global scope, where a late dlopen has not put
   them, before the runtime's: Open MPI's must be there for its components, and
   what the program opens later would bind to them; and a library of the front's
   own family binds its references to predefined handles to the front's. */
static void make_global(void)
{
    Dl_info info;
    if (wi4go_embedded_core)
        return;
    if (!dladdr((void *)wi4go_die, &info) || !dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
        wi4go_die("cannot make the symbols of the front global: %s", dlerror());
}

/* Functions of the program's own library get stubs, which come last in the global scope. Over
   its own family the runtime has the functions. */
static void open_own(void)
{
    char path[PATH_MAX], name[64];
    if (wi4go_embedded_core)
        return;
    snprintf(name, sizeof name, "%s/own.so", wi4go_family.name);
    beside_front(path, sizeof path, name);
    dlopen(path, RTLD_LAZY | RTLD_GLOBAL); /* without it the dynamic linker names the function */
}

static void load(void)
{
    static int begun;
    fenv_t environment;
    if (begun++)
        wi4go_die("this process was forked while another thread was in its first MPI call: "
                  "call MPI before that thread starts, or after the fork");
    loading = 1;
    lower_chunk();
    learn_program();
    refuse_other_family();
    check_address_space();
    make_global();

    const char **names = malloc(wi4go_family.n_functions * sizeof *names);
    void **found = calloc(wi4go_family.n_functions, sizeof *found);
    entries = calloc(wi4go_family.n_functions, sizeof *entries);
    if (!names || !found || !entries)
        wi4go_die("out of memory at the first MPI call");
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        names[i] = wi4go_slots[i].name;
    char front[PATH_MAX] = "";
    const char *library = NULL;
    if (!wi4go_embedded_core)
        beside_front(front, sizeof front, ".");
    else if (!getenv("WI4GO_TO") && !(library = wi4go_embedded_default()))
        wi4go_die("no MPI library is named to run this program on, and the dynamic linker finds none: "
                  "set WI4GO_TO to the file of one");

    feholdexcept(&environment);
    wi4go_signals_remember();
    struct core_functions core = open_core();
    core.start();
    wi4go_signals_restore();
    struct core_request request = {
        .front = wi4go_family.name,
        .default_library = library,
        .front_directory = front,
        .families = wi4go_family.runtimes,
        .n_families = (int)wi4go_family.n_runtimes,
        .launcher_prefixes = wi4go_family.launcher_prefixes,
        .n_functions = (int)wi4go_family.n_functions,
        .names = names,
        .functions = found,
        .error = core_error,
        .error_size = sizeof core_error,
        .library = core_library,
        .library_size = sizeof core_library,
        .family = core_family,
        .family_size = sizeof core_family,
    };
    int failed = core.load(&request);
    wi4go_signals_loaded();
    fesetenv(&environment);
    if (failed)
        wi4go_die("%s", core_error);

    for (const struct wi4go_pair *const *p = wi4go_family.pairs; *p; p++)
        if (!strcmp((*p)->runtime, core_family))
            pair = *p;
    if (!pair)
        wi4go_die("%s is of the %s family, to which this front of %s programs has no way: name another library with WI4GO_TO or --to",
                  core_library, core_family, wi4go_family.name);
    wi4go_runtime_path = core_library;
    wi4go_runtime_library = request.handle;
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        wi4go_R[i] = found[i] ? found[i] : wi4go_missing_entries[i];
    if (!pair->identity) {
        wi4go_objects_take(request.handle);
        open_own();
    }
    const char *wrong = pair->setup(request.handle);
    if (wrong)
        wi4go_die("%s: %s", core_library, wrong);
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        if (wi4go_family.foreign_header && wi4go_slots[i].handles)
            entries[i] = entry(i, found);
        else
            __atomic_store_n(&wi4go_A[i], entry(i, found), __ATOMIC_RELEASE);
    wi4go_emulation_begins(pair);
    dl_iterate_phdr(give_back, (void *)core.load);
    free(names);
    free(found);
    __atomic_store_n(&loaded, 1, __ATOMIC_RELEASE);
    wi4go_fortran_again();
    loading = 0;
}

const struct wi4go_pair *wi4go_pair_in_use(void)
{
    pthread_once(&once, load);
    return pair;
}

/* Another MPI's mpi.h has put its handles into a program that was linked with
   this library: numbers that are no handles here. A function's first call shows
   them; later ones cost nothing. */
static void refuse_other_header(unsigned slot, const long *arguments)
{
    const struct wi4go_slot *f = &wi4go_slots[slot];
    for (int i = 0; i < 6 && wi4go_family.foreign_header; i++)
        for (const struct wi4go_foreign_handle *h = wi4go_family.foreign_handles; f->handles >> i & 1 && h->value; h++)
            if ((unsigned long)arguments[i] == h->value || arguments[i] == (int)h->value)
                wi4go_die("%s: argument %d is 0x%08x, which is %s in %s's mpi.h: the program, or a part of it, was compiled "
                          "with that mpi.h and linked with the library of another MPI (%s): compile all of it with one mpicc",
                          f->name, i + 1, h->value, h->name, wi4go_family.foreign_header, wi4go_family.sonames[0]);
}

/* From the chooser: a slot was called that still has its first value.
   arguments: the first six integer arguments. Returns the address to go on at. */
__attribute__((used)) void *wi4go_first_call(unsigned slot, const long *arguments);
void *wi4go_first_call(unsigned slot, const long *arguments)
{
    void *const early = !pair || loading ? wi4go_early(slot) : NULL;
    if (early)
        return early;
    if (loading)
        wi4go_die("%s was called from inside the loading of the MPI library %s: "
                  "a constructor of that library calls MPI, which cannot work",
                  wi4go_slots[slot].name, core_library);
    if (!pair)
        pthread_atfork(NULL, NULL, in_child);
    pthread_once(&once, load);
    refuse_other_header(slot, arguments);
    /* Not to be waited for: in a handler of a signal it may be this very thread's. */
    if (pthread_mutex_trylock(&publishing))
        return wi4go_entry(slot);
    if (entries[slot]) {
        __atomic_store_n(&wi4go_A[slot], entries[slot], __ATOMIC_RELEASE);
        __atomic_store_n(&entries[slot], NULL, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&publishing);
    return wi4go_A[slot];
}

/* From the chooser: the runtime has no such function. arguments: the first
   twelve integer arguments. Returns the error code. */
__attribute__((used)) int wi4go_missing(unsigned slot, const long *arguments);
int wi4go_missing(unsigned slot, const long *arguments)
{
    static unsigned char said[4096];
    const struct wi4go_slot *f = &wi4go_slots[slot];
    if (strncmp(f->name, "MPI_", 4) && strncmp(f->name, "MPIX_", 5))
        wi4go_die(OWN_FUNCTION_CALLED, f->name, wi4go_family.title);
    if (slot < sizeof said && !__atomic_exchange_n(&said[slot], 1, __ATOMIC_RELAXED))
        wi4go_say("%s: not in the MPI library that this program runs on (%s): the call fails with "
                  "MPI_ERR_UNSUPPORTED_OPERATION; `wi4go inspect --to` lists such functions before a run",
                  f->name, wi4go_runtime_path);
    return pair->raise((enum wi4go_object)f->object, arguments[f->argument], pair->unsupported);
}
