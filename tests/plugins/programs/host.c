/* A program without MPI that opens plugins. Arguments: how to open them (local, global, deepbind or now, or several
   separated by commas), then the files. It calls plugin_run of each, and its exit code is the number of failures. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int failed = 0;
    const char *how = argc > 1 ? argv[1] : "";
    const int mode = (strstr(how, "now") ? RTLD_NOW : RTLD_LAZY) | (strstr(how, "global") ? RTLD_GLOBAL : RTLD_LOCAL) |
                     (strstr(how, "deepbind") ? RTLD_DEEPBIND : 0);
    for (int i = 2; i < argc; i++) {
        void *plugin = dlopen(argv[i], mode);
        int (*run)(int, int) = plugin ? (int (*)(int, int))dlsym(plugin, "plugin_run") : NULL;
        if (!run) {
            fprintf(stderr, "%s: %s\n", argv[i], dlerror());
            return 100;
        }
        if (run(i == 2, i == argc - 1)) {
            fprintf(stderr, "%s failed\n", argv[i]);
            failed++;
        }
    }
    return failed;
}
