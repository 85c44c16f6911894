/*
 * MPID_Wtime as a macro, which saves the call. A program that includes this file after adi.h uses it; the function stays for the
 * others.
 *
 * Gives: MPID_Wtime.
 * Needs: adi.h.
 */
#ifndef WI4GO_MPID_TIME_H
#define WI4GO_MPID_TIME_H

#include <time.h>

#include "adi.h"

/* Returns the seconds since some event before the job. */
static inline double mpid_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define MPID_Wtime(seconds) ((void)(*(seconds) = mpid_seconds()))

#endif
