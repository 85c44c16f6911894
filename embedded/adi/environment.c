/* The environment of a rank (row A23): clock and names. No state. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

#include "state.h"

void MPID_Wtime(double *seconds) { *seconds = 1e-9 * (double)adi_now(); }

void MPID_Wtick(double *seconds)
{
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC, &tick);
    *seconds = (double)tick.tv_sec + 1e-9 * (double)tick.tv_nsec;
}

void MPID_Node_name(char *name, int len)
{
    struct utsname names;
    if (len > 0)
        snprintf(name, (size_t)len, "%s", uname(&names) ? "localhost" : names.nodename);
}

void MPID_Version_name(char *name) { snprintf(name, MPID_MAX_VERSION_NAME, "ADI 2, devices self and shm"); }
