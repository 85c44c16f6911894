/* The state of the library, and waiting. */
#include "internal.h"
#include <sched.h>
#include <time.h>

struct world dri_world;
const char *const dri_method_names[METHODS] = {"none", "self", "shared", "packed", "typed"};

int dri_ready(void)
{
    if (!dri_world.initialized)
        return dri_fail(DRI_ERR_STATE, "DRI is not initialized: call DRI_init first");
    return DRI_SUCCESS;
}

/* Returns the time in seconds. */
static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

struct wait dri_wait_begin(void)
{
    return (struct wait){0, dri_world.timeout > 0 ? now_seconds() + dri_world.timeout : 0};
}

/* Calls MPI now and then, by a probe that matches nothing, so that the program's own operations make progress while it waits
 * here. */
int dri_pause(struct wait *w, const char *for_what, const char *name)
{
    w->idle++;
    if (dri_world.crowded || w->idle % 256 == 0)
        sched_yield();
    if (w->idle % 64)
        return DRI_SUCCESS;
    int flag;
    MPI(MPI_Iprobe, MPI_ANY_SOURCE, TAG_PROBE, dri_world.comm, &flag, MPI_STATUS_IGNORE);
    if (w->until > 0 && now_seconds() > w->until)
        return dri_fail(DRI_ERR_TIMEOUT, "%s '%s': did not arrive within %g seconds: raise DRI_TIMEOUT", for_what, name, dri_world.timeout);
    return DRI_SUCCESS;
}
