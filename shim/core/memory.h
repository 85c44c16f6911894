/*
 * The large mappings of the Go runtime.
 *
 * Gives: wi4go_core_memory.
 * Needs: core.h.
 */
#ifndef WI4GO_MEMORY_H
#define WI4GO_MEMORY_H
#include "core.h"

/* Sets *ranges to the large mappings of the Go runtime, in no order, and returns their number. The
   list belongs to the core, and grows only. It is C, so forked children may call it too. */
int wi4go_core_memory(const struct core_range **ranges);
#endif
