/* Shared by the programs: CHECK counts a failure and prints its place. fact_done prints "ok" if there was none, and
   returns the exit code. */
#ifndef FACT_H
#define FACT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fact_failures;

#define CHECK(condition) ((condition) ? (void)0 : fact_fail(__FILE__, __LINE__, #condition))
#define MUST(call) CHECK((call) == MPI_SUCCESS)

static inline void fact_fail(const char *file, int line, const char *what)
{
    fact_failures++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

static inline int fact_done(void)
{
    if (!fact_failures)
        printf("ok\n");
    fflush(stdout);
    return fact_failures != 0;
}

/* Returns the number of threads in this process. */
static inline int fact_threads(void)
{
    char line[256];
    int n = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "Threads: %d", &n);
    if (f)
        fclose(f);
    return n;
}

/* Reports whether a file with this name is mapped. */
static inline int fact_mapped(const char *name)
{
    char line[4096];
    int found = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        found |= strstr(line, name) != NULL;
    if (f)
        fclose(f);
    return found;
}
#endif
