/* Two threads make the first MPI calls of a process at the same time: the one that loads the runtime, and one in the
   constructor of a plugin, which holds the loader's lock. Arguments: which of the two is first, `load` or `constructor`;
   the plugin. With -DPLUGIN: the plugin. */
#define _GNU_SOURCE
#include <mpi.h>

void in_constructor(void);

#ifdef PLUGIN
__attribute__((constructor)) static void begin(void)
{
    in_constructor();
    MPI_Init(0, 0);
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include "sleeps.h"

static const char *plugin;
static pthread_t second;
static atomic_int may_begin;   /* 1 when the second thread may begin its part */
static atomic_int second_id;   /* the kernel id of the second thread, 0 before it begins its part */
static atomic_int is_over;     /* 1 when the second thread has done its part */
static __thread int is_asked;  /* 1: this thread calls the first function, and has not begun to load the runtime */

static void *call(void *unused)
{
    int version, subversion;
    second_id = gettid();
    MPI_Get_version(&version, &subversion);
    is_over = 1;
    return unused;
}

static void *open_plugin(void *unused)
{
    while (!may_begin)
        usleep(100);
    second_id = gettid();
    if (!dlopen(plugin, RTLD_NOW))
        fprintf(stderr, "%s\n", dlerror());
    is_over = 1;
    return unused;
}

/* Lets the second thread begin, and returns when it waits for a lock, or has done its part. */
static void begin_second(void)
{
    may_begin = 1;
    while (!is_over && !(second_id && sleeps(second_id)))
        usleep(100);
}

/* Replaces the C library's function, which is called when the runtime is being loaded. */
char *getenv(const char *name)
{
    const size_t length = strlen(name);
    if (is_asked && !strncmp(name, "WI4GO_", 6)) {
        is_asked = 0;
        begin_second();
    }
    for (char **variable = environ; variable && *variable; variable++)
        if (!strncmp(*variable, name, length) && (*variable)[length] == '=')
            return *variable + length + 1;
    return NULL;
}

static int constructor_is_first;

void in_constructor(void)
{
    if (constructor_is_first && !pthread_create(&second, NULL, call, NULL))
        begin_second();
}

int main(int argc, char **argv)
{
    int mine = 3, sum = 0, version, subversion;
    if (argc != 3)
        return 2;
    plugin = argv[2];
    constructor_is_first = !strcmp(argv[1], "constructor");
    if (constructor_is_first) {
        may_begin = 1;
        open_plugin(NULL);
    } else if (pthread_create(&second, NULL, open_plugin, NULL)) {
        return 3;
    } else {
        is_asked = 1;
        MPI_Get_version(&version, &subversion);
    }
    if (is_asked)
        return fprintf(stderr, "the runtime was loaded without a look at the environment\n"), 1;
    pthread_join(second, NULL);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("sum %d\n", sum);
    return MPI_Finalize();
}
#endif
