/* adirun: starts a program as the ranks of a job of the abstract device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adi_launch.h"

static int usage(void)
{
    fprintf(stderr, "usage: adirun [-n RANKS] PROGRAM [ARGUMENT...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct adi_job job;
    int first = 1;
    adi_job_init(&job, 1);
    if (argc > 2 && !strcmp(argv[1], "-n")) {
        char *end;
        long ranks = strtol(argv[2], &end, 10);
        if (*end || ranks < 1 || ranks > 1024) {
            fprintf(stderr, "adirun: -n %s: the number of ranks must be 1 to 1024\n", argv[2]);
            return 2;
        }
        job.ranks = (int)ranks;
        first = 3;
    }
    if (first >= argc || argv[first][0] == '-')
        return usage();
    return adi_run(&job, argv + first);
}
