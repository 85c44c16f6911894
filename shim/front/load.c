/*
 * Loads the runtime: everything between the first MPI call of a program and the moment when its
 * functions are translated. The code here runs once, or on an error; none of it is on the path of
 * a message.
 */
#define _GNU_SOURCE
#include "front.h"
#include "parts.h"
#include "core.h"
#include "loader_lock.h"
#include "signals.h"
#include "version.h"
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* State of loading. `loading` is 1 in the thread that loads the runtime; `loaded` is 1 afterwards. The
   three buffers receive the core's answers. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded;
static __thread int loading __attribute__((tls_model("initial-exec")));
static char core_error[4096];
static char core_library[PATH_MAX];
static char core_family[32];

/* ---- the first call ---- */

/* Reads WI4GO_TEST_CHUNK, which lowers wi4go_max_count so that tests of large counts need no
   memory. */
static void lower_max_count(void)
{
    const char *chunk = getenv("WI4GO_TEST_CHUNK");
    char *end;
    if (!chunk)
        return;
    const long n = strtol(chunk, &end, 10);
    if (*end || end == chunk || n < 1 || n > INT_MAX)
        wi4go_die("WI4GO_TEST_CHUNK=%s: not a number from 1 to %d: unset it, because only tests need it", chunk, INT_MAX);
    wi4go_max_count = n;
}

/* Sets wi4go_program_is_draft from the environment, because the program itself gives no sign of
   it: the launcher examines the program's libraries, and sets WI4GO_FROM_DRAFT. A
   program that has this front linked into it was compiled with wi4go's own mpi.h, so it is never
   a draft program. */
static void read_program_draft(void)
{
    const char *draft = getenv("WI4GO_FROM_DRAFT");
    wi4go_program_is_draft = draft && !strcmp(draft, "1") && !wi4go_static_core;
}

/* Runs in a forked child: the thread that was loading, if any, does not exist there. */
static void after_fork(void)
{
    loading = 0;
    wi4go_slots_after_fork();
}

/* Returns the function that serves the program's calls of slot i. found holds the runtime's
   functions by slot, NULL for those it lacks. */
static void *slot_function(unsigned i, void *const *found)
{
    const struct wi4go_translation *t = &wi4go_pair->translations[i];
    const int alone = t->fallback == WI4GO_ALONE;
    void *translation = t->fallback && !alone && !wi4go_fast_paths_run() ? t->fallback : t->function;
    /* In order of preference: the runtime's own function (identity pair), the translation, an
       emulation, the standard function that replaced an extension, the function with int counts. */
    if (wi4go_pair->identity && found[i] && (!translation || alone))
        return wi4go_R[i];
    if (translation && (found[i] || alone))
        return translation;
    const struct wi4go_slot *slot = &wi4go_slots[i];
    if (slot->emulation)
        return slot->emulation;
    if (slot->standard) {
        void *function = slot_function(slot->standard, found);
        if (function != wi4go_missing_entries[slot->standard])
            return function;
    }
    return slot->narrow && (found[slot->narrow_of] || wi4go_slots[slot->narrow_of].emulation) ? slot->narrow : wi4go_missing_entries[i];
}

/* Loads the core and the runtime, chooses the pair and fills the slots. Runs once, under
   pthread_once; a failure ends the process. */
static void load(void)
{
    static int begun;
    fenv_t environment;
    if (begun++)
        wi4go_die("this process was forked while another thread was in its first MPI call: "
                  "call MPI before that thread starts, or after the fork");
    loading = 1;
    lower_max_count();
    read_program_draft();
    wi4go_objects_prepare(wi4go_static_core != NULL);

    const char **names = malloc(wi4go_family.n_functions * sizeof *names);
    void **found = calloc(wi4go_family.n_functions, sizeof *found);
    if (!names || !found)
        wi4go_die("out of memory at the first MPI call");
    wi4go_slots_init();
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        names[i] = wi4go_slots[i].name;
    char front[PATH_MAX] = "";
    const char *library = NULL;
    if (wi4go_static_core)
        library = wi4go_static_library();
    else
        wi4go_install_path(front, sizeof front, ".");

    feholdexcept(&environment);
    wi4go_signals_save();
    wi4go_core_open(wi4go_static_core);
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
    int failed = wi4go_core_load_runtime(&request);
    wi4go_signals_loaded();
    fesetenv(&environment);
    if (failed)
        wi4go_die("%s", core_error);

    for (const struct wi4go_pair *const *p = wi4go_family.pairs; *p; p++)
        if (!strcmp((*p)->runtime, core_family))
            wi4go_pair = *p;
    if (!wi4go_pair)
        wi4go_die("%s is a library of the %s family, but this front for %s programs cannot translate to it: name another library with "
                  "WI4GO_TO or --to",
                  core_library, core_family, wi4go_family.name);
    wi4go_runtime_path = core_library;
    wi4go_runtime_library = request.handle;
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        wi4go_R[i] = found[i] ? found[i] : wi4go_missing_entries[i];
    if (!wi4go_pair->identity)
        wi4go_objects_bind(wi4go_static_core != NULL);
    const char *wrong = wi4go_pair->setup(request.handle);
    if (wrong)
        wi4go_die("%s: %s", core_library, wrong);
    for (unsigned i = 0; i < wi4go_family.n_functions; i++)
        wi4go_slot_fill(i, slot_function(i, found));
    wi4go_emulation_install();
    wi4go_core_release_pages();
    if (wi4go_static_core)
        wi4go_static_loaded();
    free(names);
    free(found);
    wi4go_slots_ready();
    loading = 0;
    __atomic_store_n(&loaded, 1, __ATOMIC_RELEASE);
}

/* Reports whether the process may have another thread than this one: /proc/self/task has a link for each thread, and two more. */
static int may_have_threads(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) || tasks.st_nlink > 3;
}

/* Loads the runtime unless it is loaded. */
static void load_first(void *unused)
{
    (void)unused;
    pthread_once(&once, load);
}

/* Ends the process if a handle among the arguments has a value of another MPI's mpi.h: the
   program was compiled with that mpi.h and linked with this library. Runs at a function's first
   call only, so later calls pay nothing. */
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

/* Loads the runtime unless it is loaded. */
static void load_once(unsigned slot)
{
    if (loading)
        wi4go_die("%s was called by a constructor while the MPI library %s was being loaded, so no MPI library can serve it yet: name another "
                  "library with WI4GO_TO or --to",
                  wi4go_slots[slot].name, core_library);
    if (!wi4go_pair)
        pthread_atfork(NULL, NULL, after_fork);
    if (__atomic_load_n(&loaded, __ATOMIC_ACQUIRE))
        return;
    if (may_have_threads()) /* one of them may be in a constructor */
        wi4go_with_loader_lock(load_first, NULL);
    else
        load_first(NULL);
}

/* Called by the chooser for a call of a slot that still has its initial entry. arguments holds
   the first six integer arguments. Returns the address to continue at. */
__attribute__((used)) void *wi4go_first_call(unsigned slot, const long *arguments);
void *wi4go_first_call(unsigned slot, const long *arguments)
{
    void *const early = !wi4go_pair || loading ? wi4go_before_load(slot) : NULL;
    if (early)
        return early;
    load_once(slot);
    refuse_other_header(slot, arguments);
    return wi4go_slot_publish(slot);
}

/* Called by the chooser for the same case if the call comes through wi4go_inner. Returns the
   address to continue at. */
__attribute__((used)) void *wi4go_inner_first_call(unsigned slot);
void *wi4go_inner_first_call(unsigned slot)
{
    load_once(slot);
    return wi4go_entry(slot);
}
