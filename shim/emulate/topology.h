/*
 * The parts of a host: finds the CPUs that share a part with the CPUs that the process is bound
 * to. Linux lists them in /sys/devices/system.
 *
 * Gives: wi4go_shared_cpus.
 * Needs: front.h.
 */
#ifndef WI4GO_TOPOLOGY_H
#define WI4GO_TOPOLOGY_H
#include "front.h"
#include <stdint.h>

/* The largest number of CPUs for which Linux can be built. */
#define WI4GO_CPUS 8192
/* A set of CPUs: bit i of the array is CPU i. */
struct wi4go_cpus {
    uint64_t bits[WI4GO_CPUS / 64];
};

enum wi4go_part { WI4GO_HWTHREAD, WI4GO_CORE, WI4GO_L1CACHE, WI4GO_L2CACHE, WI4GO_L3CACHE, WI4GO_SOCKET, WI4GO_NUMA };

/* Stores all CPUs of each part that has a CPU to which the process is bound. Two processes share
   a part if their sets have a CPU in common. A process that may run on every CPU is not bound,
   and its set is empty, as in Open MPI. */
void wi4go_shared_cpus(enum wi4go_part part, struct wi4go_cpus *shared) HIDDEN;
#endif
