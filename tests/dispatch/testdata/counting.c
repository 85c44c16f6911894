/*
 * An observer of every slot for tests: it counts the calls of the program by thunks. It is linked into a front, which
 * exports its functions in addition to MPI's.
 */
#include "thunk.h"
#include "slots.h"
#include <string.h>

static long counts[N_SLOTS];

static int count(struct wi4go_call *call)
{
    __atomic_add_fetch(&counts[call->slot], 1, __ATOMIC_RELAXED);
    return 1;
}

/* Starts counting. The runtime must be loaded. */
void count_calls(void);
void count_calls(void)
{
    wi4go_observer.before = count;
    for (unsigned i = 0; i < N_SLOTS; i++)
        wi4go_route(i, wi4go_thunk(i));
    wi4go_notify_rebind();
}

long calls_counted(const char *name);
long calls_counted(const char *name)
{
    for (unsigned i = 0; i < N_SLOTS; i++)
        if (!strcmp(wi4go_slots[i].name, name))
            return counts[i];
    return -1;
}
