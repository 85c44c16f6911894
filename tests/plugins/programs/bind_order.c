/* A thread of the runtime opens a plugin, whose references are bound, while another thread, which holds the loader's lock in a
   constructor, goes through the list of objects. Arguments: a runtime, its plugin, and a library whose constructor calls
   in_constructor. */
#include "rebind_alone.h"
#include "sleeps.h"
#include <pthread.h>
#include <stdatomic.h>

static void *opened; /* the plugin */
static pthread_t other;
static atomic_int other_id, has_bound; /* the kernel id of the other thread, 0 before it runs */

static void *bind_plugin(void *unused)
{
    other_id = gettid();
    runtime_dlsym(opened, "call");
    has_bound = 1;
    return unused;
}

static int ignore(struct dl_phdr_info *info, size_t size, void *unused) { return (void)info, (void)size, (void)unused, 1; }

void in_constructor(void);
void in_constructor(void)
{
    if (pthread_create(&other, NULL, bind_plugin, NULL))
        return;
    while (!has_bound && !(other_id && sleeps(other_id)))
        usleep(100);
    dl_iterate_phdr(ignore, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 4 || !(wi4go_runtime_library = dlopen(argv[1], RTLD_NOW)))
        return 1;
    wi4go_R[0] = dlsym(wi4go_runtime_library, "MPI_Get_text");
    wi4go_rebind_library(wi4go_runtime_library);
    own_stubs = dlopen(NULL, RTLD_LAZY); /* this program has no own.so */
    opened = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!opened || !dlopen(argv[3], RTLD_NOW))
        wi4go_die("%s\n", dlerror());
    pthread_join(other, NULL);
    puts(((const char *(*)(void))dlsym(opened, "call"))());
    return 0;
}
