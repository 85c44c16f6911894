/*
 * Detects ranks that a launcher of another family started. The runtime does not learn its rank
 * from such a launcher, so each process takes itself for rank 0 of 1. The command wi4go
 * recognizes the launcher and composes the message. It is run only if the environment describes
 * several processes and the runtime cannot read that description, or has made a world of one. WI4GO_STRICT=1 then ends
 * the job; WI4GO_STRICT=0 suppresses the report.
 */
#define _GNU_SOURCE
#include "front.h"
#include "launchers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reports whether a launcher started more than one process. The one that starts programs of every family starts only
   ranks of the embedded MPI, which always learns its rank from it. */
static int is_parallel_job(void)
{
    const char *size = NULL;
    for (const struct wi4go_launcher *l = wi4go_launchers; l->name && !(size && atoi(size) > 1); l++)
        if (!l->every_family)
            size = wi4go_launcher_number(l, LAUNCHER_SIZE);
    return size && atoi(size) > 1;
}

/* Reports whether the runtime can get its rank from a process manager. */
static int has_process_manager(void) { return wi4go_launcher_variable(wi4go_pair->rank_variable) != NULL; }

/* Runs the command, once, and reports its answer. The answer is two digits and a text: the first
   digit is 1 if the runtime can never understand the launcher, the second is 1 if this process is
   the one in its job that reports. Reports whether the process must end. */
static int wrong_launcher(int world_is_one)
{
    static char answer[8192];
    static int said;
    const char *strict = getenv("WI4GO_STRICT");
    int fatal = strict && *strict && strcmp(strict, "0");
    char process[16];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    const char *const words[] = {"wrong-launcher", process, wi4go_runtime_path, NULL};
    if ((strict && !strcmp(strict, "0")) || __atomic_load_n(&said, __ATOMIC_RELAXED))
        return 0;
    if (wi4go_run_command(words, answer, sizeof answer) || strlen(answer) < 3 || (answer[0] != '1' && !world_is_one) ||
        __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return 0;
    answer[strcspn(answer, "\n")] = 0;
    if (answer[1] == '1')
        wi4go_print("%s%s", fatal ? "" : "warning: ", answer + 2);
    else if (fatal)
        sleep(2); /* launchers end the job with its first process, so give the reporting one time to write */
    return fatal;
}

void wi4go_check_launcher(void)
{
    if (is_parallel_job() && !has_process_manager() && wrong_launcher(0))
        wi4go_exit_wrong_launcher();
}

int wi4go_must_check_world(void)
{
    return is_parallel_job();
}

int wi4go_report_world_of_one(void)
{
    return wrong_launcher(1);
}

void wi4go_exit_wrong_launcher(void)
{
    fflush(stdout);
    _exit(1);
}
