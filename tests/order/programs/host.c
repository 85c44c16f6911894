/* A host of plugins that is not linked with MPI. It opens the libraries that its arguments name, prints for each the
   file that defines MPI_Init, and calls the function job of the last one. Afterwards it opens the others again. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *open_library(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

static void print_origin(const char *when, const char *name)
{
    Dl_info info;
    void *function = dlsym(open_library(name), "MPI_Init");
    printf("%s %s: MPI_Init of %s\n", when, name, function && dladdr(function, &info) ? info.dli_fname : "nothing");
}

int main(int argc, char **argv)
{
    char *none[] = {argv[0], NULL};
    for (int i = 1; i < argc - 1; i++)
        print_origin("before", argv[i]);
    int (*job)(int, char **);
    *(void **)&job = dlsym(open_library(argv[argc - 1]), "job");
    if (!job || job(1, none))
        return 1;
    for (int i = 1; i < argc - 1; i++)
        print_origin("after", argv[i]);
    return 0;
}
