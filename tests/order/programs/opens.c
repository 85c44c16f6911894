/* Opens the libraries that its arguments name, as a plugin would, and prints for each whether a function in it is the
   same as the program's. Then it lists the MPI libraries in the process. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), *function = library ? dlsym(library, "PMPI_Comm_rank") : NULL;
        printf("%s: %s\n", argv[i], !library ? dlerror() : function == dlsym(RTLD_DEFAULT, "PMPI_Comm_rank") ? "the same" : "another");
    }
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        char *file = strchr(line, '/');
        if (file && strstr(line, " r-xp ") && strstr(file, "/libmpi"))
            printf("holds %s", file);
    }
    MPI_Finalize();
    return 0;
}
