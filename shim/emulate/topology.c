/* Finds the parts of this host that the process is bound to: see topology.h. No state, no lock. */
#define _GNU_SOURCE
#include "topology.h"
#include "cpu_list.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CPUS_DIRECTORY "/sys/devices/system/cpu"

/* Reports whether a set contains a CPU. */
static int contains(const struct wi4go_cpus *set, unsigned cpu) { return set->bits[cpu / 64] >> cpu % 64 & 1; }

/* Adds the CPUs of a list in a file; adds none if there is no file. */
static void add_list(struct wi4go_cpus *set, const char *path)
{
    FILE *file = fopen(path, "re");
    int first, last;
    if (!file)
        return;
    while (next_cpus(file, &first, &last))
        for (int cpu = first; cpu <= last && cpu < WI4GO_CPUS; cpu++)
            set->bits[cpu / 64] |= 1ull << cpu % 64;
    fclose(file);
}

/* Adds the CPUs that share a cache of this level with the CPU. */
static void add_cache(struct wi4go_cpus *set, unsigned cpu, int level)
{
    char path[96], type = 0;
    int of_level, more = 1;
    for (int index = 0; more; index++) {
        snprintf(path, sizeof path, CPUS_DIRECTORY "/cpu%u/cache/index%d/level", cpu, index);
        FILE *file = fopen(path, "re");
        if (!file)
            return;
        const int known = fscanf(file, "%d", &of_level) == 1;
        fclose(file);
        if (!known || of_level != level)
            continue;
        snprintf(path, sizeof path, CPUS_DIRECTORY "/cpu%u/cache/index%d/type", cpu, index);
        if ((file = fopen(path, "re"))) {
            more = fscanf(file, "%c", &type) == 1 && type == 'I'; /* skip caches for instructions */
            fclose(file);
        }
        if (more)
            continue;
        snprintf(path, sizeof path, CPUS_DIRECTORY "/cpu%u/cache/index%d/shared_cpu_list", cpu, index);
        add_list(set, path);
    }
}

/* Adds the CPUs of the CPU's NUMA node, or of the whole host if the kernel reports no NUMA nodes. */
static void add_numa_node(struct wi4go_cpus *set, unsigned cpu)
{
    char path[96];
    for (int node = 0, missing = 0; missing < 64; node++) { /* the numbers may have gaps */
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
        if (access(path, R_OK)) {
            missing++;
            continue;
        }
        struct wi4go_cpus its = {{0}};
        add_list(&its, path);
        if (!contains(&its, cpu))
            continue;
        add_list(set, path);
        return;
    }
    if (access("/sys/devices/system/node", R_OK))
        add_list(set, CPUS_DIRECTORY "/online");
}

/* Adds the CPUs that share a part with the CPU. */
static void add_part(struct wi4go_cpus *set, unsigned cpu, enum wi4go_part part)
{
    char path[96];
    switch (part) {
    case WI4GO_HWTHREAD:
        set->bits[cpu / 64] |= 1ull << cpu % 64;
        return;
    case WI4GO_L1CACHE:
    case WI4GO_L2CACHE:
    case WI4GO_L3CACHE:
        add_cache(set, cpu, part - WI4GO_L1CACHE + 1);
        return;
    case WI4GO_NUMA:
        add_numa_node(set, cpu);
        return;
    case WI4GO_CORE:
    case WI4GO_SOCKET:
        snprintf(path, sizeof path, CPUS_DIRECTORY "/cpu%u/topology/%s_siblings_list", cpu, part == WI4GO_CORE ? "thread" : "core");
        add_list(set, path);
    }
}

/* Runs in a thread of its own: makes the thread's mask as wide as the kernel allows, and stores
   it. The mask of the process stays. */
static void *store_widest_mask(void *set)
{
    struct wi4go_cpus all;
    memset(&all, -1, sizeof all);
    sched_setaffinity(0, sizeof all, (cpu_set_t *)&all);
    if (sched_getaffinity(0, sizeof all, (cpu_set_t *)set) < 0)
        memset(set, 0, sizeof all);
    return NULL;
}

void wi4go_shared_cpus(enum wi4go_part part, struct wi4go_cpus *shared)
{
    struct wi4go_cpus bound = {{0}}, allowed = {{0}};
    pthread_t thread;
    memset(shared, 0, sizeof *shared);
    if (sched_getaffinity(getpid(), sizeof bound, (cpu_set_t *)&bound) < 0)
        return;
    if (!pthread_create(&thread, NULL, store_widest_mask, &allowed))
        pthread_join(thread, NULL);
    if (!memcmp(&bound, &allowed, sizeof bound))
        return;
    for (unsigned cpu = 0; cpu < WI4GO_CPUS; cpu++)
        if (contains(&bound, cpu) && !contains(shared, cpu))
            add_part(shared, cpu, part);
}
