#define _GNU_SOURCE
#include "ask.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const *launchers; /* prefixes of their variables, ended by NULL, or NULL without any */

void wi4go_ask_passes(const char *const *beginnings) { launchers = beginnings; }

static int variable_has_prefix(const char *variable, const char *with) { return !strncmp(variable, with, strlen(with)); }

/* Reports whether the command may see a variable. LD_PRELOAD is removed, because the front is for
   the program and not for the command. If the process has rights that its starter does not have,
   only the variables that describe the launcher pass: none that names places of libraries and
   settings. */
static int is_passed(const char *variable)
{
    if (!getauxval(AT_SECURE))
        return !variable_has_prefix(variable, "LD_PRELOAD=");
    for (const char *const *l = launchers; l && *l; l++)
        if (variable_has_prefix(variable, *l))
            return 1;
    return variable_has_prefix(variable, "WI4GO_RANK_VARIABLES=");
}

/* Returns the command's environment, to be freed by the caller, or NULL when memory is exhausted. */
static char **command_environment(void)
{
    size_t n = 0, m = 0;
    while (environ[n])
        n++;
    char **copy = malloc((n + 2) * sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (is_passed(environ[i]))
            copy[m++] = environ[i];
    if (copy && getauxval(AT_SECURE))
        copy[m++] = "PATH=/usr/local/bin:/usr/bin:/bin";
    if (copy)
        copy[m] = NULL;
    return copy;
}

/* Runs in the cloned child: runs the command as a child of its own and exits with its status, 127
   if it could not be run. */
static void run_in_child(char *const argv[], char **envp, int out, const sigset_t *mask)
{
    int status;
    signal(SIGCHLD, SIG_DFL);
    pid_t pid = vfork();
    if (pid == 0) {
        if (dup2(out, 1) == 1 && dup2(out, 2) == 2 && !sigprocmask(SIG_SETMASK, mask, NULL))
            execve(argv[0], argv, envp);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

int wi4go_ask(char *const argv[], char *answer, int size)
{
    int ends[2], status = -1, length = 0;
    char **envp = command_environment();
    sigset_t all, mask;
    if (!envp || pipe2(ends, O_CLOEXEC)) {
        free(envp);
        return -1;
    }
    /* A child without an exit signal is invisible to the program's own wait (clone(2), __WCLONE).
       It must not exec, because exec would give it an exit signal. No signal handler of the
       program may run in it. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    pid_t pid = (pid_t)syscall(SYS_clone, 0L, NULL, NULL, NULL, NULL);
    if (pid == 0)
        run_in_child(argv, envp, ends[1], &mask);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    free(envp);
    close(ends[1]);
    while (pid > 0 && length < size - 1) {
        ssize_t n = read(ends[0], answer + length, (size_t)(size - 1 - length));
        if (n > 0)
            length += (int)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    answer[length] = 0;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, __WCLONE) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
