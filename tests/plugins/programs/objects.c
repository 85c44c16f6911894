/* Replaces the front for shim/front/rebind.c. After the runtime has closed a plugin, and while
   dlclose still runs, another thread opens a second plugin, which the dynamic linker loads at the
   same address: it must get the runtime's functions, too. Arguments: a runtime, and two plugins of
   the same size. */
#define dlclose close_and_open /* the function that rebind.c calls */
#include "rebind_alone.h"
#undef dlclose

int dlclose(void *handle);
static const char *next; /* the plugin that the other thread opens, or NULL */
static struct link_map before;

/* Opens a plugin as the runtime does, and prints the MPI library that it calls. */
static void *open_plugin(const char *path)
{
    struct link_map *map;
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map))
        wi4go_die("%s: %s\n", path, dlerror());
    const char *(*const call)(void) = (const char *(*)(void))runtime_dlsym(handle, "call");
    printf("%s%s\n", call(), map->l_addr == before.l_addr ? ", at the same address" : "");
    before.l_addr = map->l_addr;
    return handle;
}

int close_and_open(void *handle)
{
    const int rc = dlclose(handle);
    if (next)
        open_plugin(next);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc != 4 || !(wi4go_runtime_library = dlopen(argv[1], RTLD_NOW)))
        return 1;
    wi4go_R[0] = dlsym(wi4go_runtime_library, "MPI_Get_text");
    wi4go_rebind_library(wi4go_runtime_library);
    void *const first = open_plugin(argv[2]);
    before.l_addr = 0;
    runtime_dlclose(open_plugin(argv[2])); /* the plugin is still open once, and is called again */
    before.l_addr = 0;
    runtime_dlclose(open_plugin(argv[2]));
    next = argv[3];
    return runtime_dlclose(first);
}
