/* alone.h: starts copies of the running program outside the launcher's job. Each is its own MPI job. */
#ifndef ALONE_H
#define ALONE_H

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Removes the variables that tie a process to its launcher from the environment. */
static void leave_job(void)
{
    static const char *ties[] = {"PMI_", "PMIX_", "OMPI_COMM", "OMPI_MCA_orte", "OMPI_MCA_ess", "OMPI_MCA_pmix",
                                 "OMPI_UNIVERSE", "OMPI_APP", "OMPI_FIRST", "OMPI_NUM", "OMPI_FILE", "PRTE_", "HYDI_",
                                 "HYDRA_", "MPI_LOCAL", "PMI2_", "MPIR_", "ADI_"};
    char *names[512];
    int count = 0;
    for (char **entry = environ; *entry && count < 512; entry++)
        for (unsigned i = 0; i < sizeof ties / sizeof *ties; i++)
            if (strncmp(*entry, ties[i], strlen(ties[i])) == 0) {
                names[count++] = strndup(*entry, strcspn(*entry, "="));
                break;
            }
    for (int i = 0; i < count; i++)
        unsetenv(names[i]);
}

/* Starts a copy with two arguments and returns its wait status. The path is read before: valgrind would start itself
   for "/proc/self/exe". */
static int run_alone(char **argv, const char *first, const char *second)
{
    static char path[4096]; /* ends with a null byte */
    int status = -1;
    CHECK(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    pid_t child = fork();
    if (child == 0) {
        leave_job();
        for (int fd = 3; fd < 256; fd++)
            close(fd);
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
            _exit(98);
        execl(path, argv[0], first, second, (char *)NULL);
        _exit(97);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

#endif
