/*
 * The launcher that has started this process, as the environment shows it.
 *
 * Gives: struct em_place, em_launched.
 * Needs: nothing.
 */
#ifndef WI4GO_EMBEDDED_LAUNCHED_H
#define WI4GO_EMBEDDED_LAUNCHED_H

#include <stdbool.h>

struct em_place {
    const char *launcher; /* its name, for messages */
    int rank, size;
    bool several_hosts;   /* not all ranks are on this host */
    long process;         /* the launcher, or 0 */
    bool is_over;         /* the launcher has ended, and process is init, for example */
    char job[32];         /* a name that the ranks of the job share, and no other job of this host has */
};

/* Returns whether a launcher other than wi4go's has started this process as one of several ranks. */
bool em_launched(struct em_place *place);

#endif
