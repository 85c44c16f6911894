/* Writes the report of a test program: see results.h. */
#define _GNU_SOURCE
#include "results.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int is_judged;

static int results = -1; /* the descriptor of the file, or -1 until opened */

int is_open(void) { return results >= 0; }

/* Writes the line by one write, cut to 1023 bytes and with blanks for line breaks inside,
   so that it is complete or missing when the process ends. */
void put_line(const char *what, const char *format, va_list args)
{
    char line[1024];
    int n = snprintf(line, sizeof line, "%s", what);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    for (int i = 0; i < n; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    line[n++] = '\n';
    if (write(results, line, (size_t)n) != n)
        _exit(3);
}

void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line("", format, args);
    va_end(args);
}

/* Only the first verdict of a case counts, because later failures usually follow from it. */
void wrong(const char *format, ...)
{
    va_list args;
    if (is_judged++)
        return;
    va_start(args, format);
    put_line("wrong ", format, args);
    va_end(args);
}

void missing(const char *function)
{
    if (!is_judged++)
        put("missing %s", function);
}

void *function(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found && !is_judged++)
        put("absent %s", name);
    return found;
}

/* Handles a deadly signal. Uses only functions that a signal handler may call. */
static void died(int number)
{
    char line[] = "died 00\n";
    line[5] = (char)('0' + number / 10);
    line[6] = (char)('0' + number % 10);
    if (write(results, line, sizeof line - 1) < 0)
        _exit(3);
    raise(number); /* with the default action, which SA_RESETHAND has restored */
}

/* Each handler runs once (SA_RESETHAND), so the signal's default action can still end the process. */
void tell_signals(void)
{
    const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaction(deadly[i], &(struct sigaction){.sa_handler = died, .sa_flags = (int)SA_RESETHAND}, NULL);
}

/* Appends, so that the lines of several threads and of a signal handler never overwrite each other. */
const char *open_results(const char *directory)
{
    char host[128] = "", name[4096];
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s/%s.%ld", directory, host, (long)getpid());
    results = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (results < 0) {
        perror(name);
        exit(2);
    }
    /* A directory of its own, because libraries create files next to the test's. */
    snprintf(name, sizeof name, "%s/files", directory);
    mkdir(name, 0755);
    snprintf(name, sizeof name, "%s/files/data", directory);
    return strdup(name);
}
