/*
 * The parts of a host: which CPUs share one with those that the process is bound to. Linux
 * lists them in /sys/devices/system.
 *
 * Gives: wi4go_shared_cpus.
 * Needs: front.h.
 */
#ifndef WI4GO_TOPOLOGY_H
#define WI4GO_TOPOLOGY_H
#include "front.h"
#include <stdint.h>

/* As many CPUs as Linux can be built for. */
#define WI4GO_CPUS 8192
struct wi4go_cpus {
    uint64_t bits[WI4GO_CPUS / 64];
};

enum wi4go_part { WI4GO_HWTHREAD, WI4GO_CORE, WI4GO_L1CACHE, WI4GO_L2CACHE, WI4GO_L3CACHE, WI4GO_SOCKET, WI4GO_NUMA };

/* Stores the CPUs of each part in which a CPU is that the process is bound to. Two processes
   share a part if they have a CPU in common here. A process that may run on every CPU is not
   bound, and gets none, as in Open MPI. */
void wi4go_shared_cpus(enum wi4go_part part, struct wi4go_cpus *shared) HIDDEN;
#endif
