/* A plugin of hwloc, as distributions build them: it needs hwloc's symbols and has no DT_NEEDED on its library. */
#include <stdio.h>

extern int hwloc_topology_init(void **topology);
int (*const needed)(void **) = hwloc_topology_init;

__attribute__((constructor)) static void report(void)
{
    puts("hwloc has loaded its plugin");
    fflush(stdout);
}
