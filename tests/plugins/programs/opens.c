/* A program without MPI that opens a plugin whose constructor initializes MPI. Arguments: words separated by commas, then
   the plugin ("" if the program is linked with it). The words: now, global and deepbind are flags of dlopen. dlopen:
   another thread opens and closes a library all the time; objects: it goes through the objects of the process, as an
   exception in C++ does. thread: another thread opens the plugin. leave: the plugin is not closed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *how, *plugin;
static atomic_int turns, stop;

static int object(struct dl_phdr_info *info, size_t size, void *count) { return ++*(int *)count, info->dlpi_phnum == 0 && size == 0; }

static void *disturb(void *unused)
{
    while (!stop) {
        int count = 0;
        void *library = strstr(how, "dlopen") ? dlopen("libm.so.6", RTLD_NOW) : NULL;
        if (library)
            dlclose(library);
        else
            dl_iterate_phdr(object, &count);
        turns++;
    }
    return unused;
}

static void *run(void *failed)
{
    const int mode = (strstr(how, "now") ? RTLD_NOW : RTLD_LAZY) | (strstr(how, "global") ? RTLD_GLOBAL : RTLD_LOCAL) |
                     (strstr(how, "deepbind") ? RTLD_DEEPBIND : 0);
    void *opened = dlopen(*plugin ? plugin : NULL, mode);
    int (*sum)(void) = opened ? (int (*)(void))dlsym(opened, "plugin_sum") : NULL;
    if (!sum) {
        fprintf(stderr, "%s: %s\n", plugin, dlerror());
        *(int *)failed = 1;
        return NULL;
    }
    printf("sum %d\n", sum());
    fflush(stdout);
    if (!strstr(how, "leave"))
        *(int *)failed = dlclose(opened);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t disturber, runner;
    int failed = 0;
    how = argc > 1 ? argv[1] : "";
    plugin = argc > 2 ? argv[2] : "";
    const int disturbs = strstr(how, "dlopen") || strstr(how, "objects");
    if (disturbs && !pthread_create(&disturber, NULL, disturb, NULL))
        while (!turns)
            ;
    if (strstr(how, "thread") && !pthread_create(&runner, NULL, run, &failed))
        pthread_join(runner, NULL);
    else
        run(&failed);
    stop = 1;
    if (disturbs)
        pthread_join(disturber, NULL);
    return failed;
}
