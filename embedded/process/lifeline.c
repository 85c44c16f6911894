/*
 * Ends this rank with the launcher of wi4go, also if a script or another program is between the two,
 * for which the kernel does not pass on the death of the launcher. The launcher holds the writing end
 * of a pipe; when it has gone, the kernel sends SIGKILL to each rank.
 *
 * The variable ADI_LIFELINE holds the descriptor of the reading end, and the number of the pipe, because
 * a child of a rank may have something else at that descriptor. A rank opens the pipe once more: the
 * receiver of the signal belongs to the open file. For the inherited file it is the process group of the rank, as the launcher has set it
 * (internal/embedded/job.go); this process may have left the group.
 */
#define _GNU_SOURCE
#include "join.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef ADI_RANK_THREADS

void em_follow_launcher(void) {}

#else

void em_follow_launcher(void)
{
    const char *text = getenv("ADI_LIFELINE");
    int inherited;
    unsigned long long number;
    struct stat stat;
    char path[64];
    if (!text || sscanf(text, "%d:%llu", &inherited, &number) != 2 || fstat(inherited, &stat) || !S_ISFIFO(stat.st_mode) || stat.st_ino != number)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", inherited);
    int own = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    fcntl(inherited, F_SETFD, FD_CLOEXEC); /* not closed: while it is open, the launcher's end also ends the group */
    if (own < 0)
        return;
    fcntl(own, F_SETOWN, getpid());
    fcntl(own, F_SETSIG, SIGKILL);
    fcntl(own, F_SETFL, O_NONBLOCK | O_ASYNC);
    struct pollfd end = {.fd = own, .events = POLLIN};
    if (poll(&end, 1, 0) > 0)
        raise(SIGKILL); /* it has gone already */
}

#endif
