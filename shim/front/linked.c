/*
 * The runtime of a program that was linked with -static-mpi=embedded: the embedded MPI, whose
 * functions are in the program under the names wi4go_embedded_PMPI_…. This file replaces core.c,
 * objects.c, rebind.c and loader_lock.c: such a process has no core, opens no library, and needs no
 * dynamic linker, so it may be static as a whole.
 *
 * State: none.
 */
#define _GNU_SOURCE
#include "core.h"
#include "front.h"
#include "launchers.h"
#include "loader_lock.h"
#include "parts.h"
#include "slots.h"
#include "version.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The MPI library in the program, by which the command wi4go recognizes the program's file. */
static const char contained[] __attribute__((section(".wi4go.contained"), used)) = "embedded " WI4GO_VERSION;

/* The functions of the embedded MPI by slot, or NULL for those that it lacks (interface/static.mk). */
extern void *const wi4go_linked_functions[N_SLOTS] HIDDEN;

/* The functions of threads to which the libraries of gfortran and g++ have weak references only. These
   take no file out of a static C library, so without this table they would be NULL, but would be
   called, because the program has other functions of threads. */
static void *const threads[] __attribute__((used)) = {
    (void *)pthread_cond_broadcast, (void *)pthread_cond_destroy, (void *)pthread_cond_init, (void *)pthread_cond_signal,
    (void *)pthread_cond_timedwait, (void *)pthread_cond_wait, (void *)pthread_create, (void *)pthread_detach,
    (void *)pthread_equal, (void *)pthread_getspecific, (void *)pthread_join, (void *)pthread_key_create,
    (void *)pthread_key_delete, (void *)pthread_mutex_destroy, (void *)pthread_mutex_init, (void *)pthread_mutex_lock,
    (void *)pthread_mutex_timedlock, (void *)pthread_mutex_trylock, (void *)pthread_mutex_unlock,
    (void *)pthread_mutexattr_destroy, (void *)pthread_mutexattr_init, (void *)pthread_mutexattr_settype,
    (void *)pthread_once, (void *)pthread_rwlock_destroy, (void *)pthread_rwlock_init, (void *)pthread_rwlock_rdlock,
    (void *)pthread_rwlock_tryrdlock, (void *)pthread_rwlock_trywrlock, (void *)pthread_rwlock_unlock,
    (void *)pthread_rwlock_wrlock, (void *)pthread_self, (void *)pthread_setspecific,
};

/* ---- choosing the library ---- */

/* Reports whether WI4GO_TO names the embedded MPI: by its name, or by its file, as wi4go's launcher does. */
static int is_embedded(const char *to)
{
    const char *const slash = strrchr(to, '/'), library[] = "libwi4go-embedded.so";
    return !strcmp(to, "embedded") || (slash && !strncmp(slash + 1, library, sizeof library - 1));
}

int wi4go_core_load_runtime(struct core_request *request)
{
    const char *const to = getenv("WI4GO_TO");
    if (to && !is_embedded(to)) {
        snprintf(request->error, (size_t)request->error_size,
                 "WI4GO_TO is %s, but this program contains its MPI library, %s, and can open no other: unset WI4GO_TO, or link the "
                 "program without -static and -static-mpi=embedded",
                 to, contained);
        return 1;
    }
    memcpy(request->functions, wi4go_linked_functions, sizeof wi4go_linked_functions);
    snprintf(request->library, (size_t)request->library_size, "%s, in this program", contained);
    snprintf(request->family, (size_t)request->family_size, "%s", request->front);
    return 0;
}

/* ---- the questions that the command answers in other processes ---- */

/* Writes the message about a launcher that has started several processes, each of which has become a
   world of one. The first digit means that the library may understand the launcher, the second one
   is 1 in the process that reports. */
static void describe_launcher(char *answer, int size)
{
    struct wi4go_start start;
    wi4go_find_start(&start);
    const char *const rank = start.number[LAUNCHER_RANK];
    snprintf(answer, (size_t)size,
             "0%dthe launcher has started several processes, but the MPI library that this program contains, %s, has not joined them, so "
             "each is rank 0 of 1: start them with `wi4go run -n N`",
             !rank || !strcmp(rank, "0"), contained);
}

int wi4go_run_command(const char *const *words, char *answer, int size)
{
    if (!strcmp(words[0], "wrong-launcher"))
        describe_launcher(answer, size);
    else if (!strcmp(words[0], "instead"))
        snprintf(answer, (size_t)size, "link the program without -static and -static-mpi=embedded, and run it on one of `wi4go list`");
    else
        return -1;
    return 0;
}

/* ---- parts of other processes that this one lacks ---- */

/* Without a core there is nothing to open, no thread of Go, and no page to release. Without dynamic
   linking the front has no objects to prepare and none to bind, and holds no lock of the loader. */
void *wi4go_static_core(void) { return NULL; }
const char *wi4go_static_library(void) { return NULL; }
void wi4go_static_loaded(void) {}
void wi4go_core_open(void *(*open)(void)) { (void)open; }
void wi4go_core_release_pages(void) {}
void wi4go_objects_prepare(int in_program) { (void)in_program; }
void wi4go_objects_bind(int in_program) { (void)in_program; }
void wi4go_with_loader_lock(void (*function)(void *argument), void *argument) { function(argument); }

int wi4go_signal_core_threads(int signal)
{
    (void)signal;
    return 0;
}

/* The library has the numbers of the standard ABI's final version, so its calls need no distinction. */
int wi4go_is_in_library(void *library, void *address)
{
    (void)library;
    (void)address;
    return 1;
}

/* Handles of the program's own family are not in tables. */
int wi4go_handles_left(char *answer, int size)
{
    (void)answer;
    (void)size;
    return -1;
}

/* No caller gets here, because each of them finds wi4go_static_core first. */
void wi4go_install_path(char *path, size_t size, const char *name)
{
    (void)path;
    (void)size;
    wi4go_die("internal error: a program with an MPI library needs no file of an installation: %s", name);
}
