/*
 * A PMPI tool that counts calls. It is preloaded over a front, or with FORTRAN over its Fortran library. names.h has
 * FUNCTION(i, name, slot) for every function with a profiling name; slot is the name of the function in C. It begins
 * when MPI is initialized, and starts the front's counts at the same time. When the process ends it adds a line to the
 * file COUNTS: the calls if the front has the same counts, or else the differences.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FORTRAN
#define PROFILING(name) p##name
#else
#define PROFILING(name) P##name
#endif
#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

static const char *const names[] = {
#define FUNCTION(i, name, slot) #slot,
#include "names.h"
#undef FUNCTION
};
enum { N = sizeof names / sizeof *names };
long tool_counts[N] __attribute__((visibility("hidden")));
char tool_began __attribute__((visibility("hidden")));

#define FUNCTION(i, name, slot) \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" \
            "cmpb $0, tool_began(%rip)\nje 1f\nlock incq tool_counts+8*" #i "(%rip)\n1: jmp " TEXT(PROFILING(name)) "@PLT\n.size " #name ", .-" #name "\n");
#define INITIAL(i, name, parameters, arguments) \
    extern int PROFILING(name) parameters; \
    int name parameters; \
    int name parameters { \
        if (tool_began) \
            __atomic_add_fetch(&tool_counts[i], 1, __ATOMIC_RELAXED); \
        const int rc = PROFILING(name) arguments; \
        begin(); \
        return rc; \
    }

static void begin(void)
{
    void (*count)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "count_calls");
    if (tool_began)
        return;
    tool_began = 1;
    count();
}
#include "functions.h"

__attribute__((destructor)) static void report(void)
{
    long (*counted)(const char *) = (long (*)(const char *))dlsym(RTLD_DEFAULT, "calls_counted");
    const char *const name = getenv("COUNTS");
    static char text[1 << 16];
    int n = 0;
    long sum = 0;
    if (!tool_began || !name)
        return;
    for (int i = 0; i < N; i++) {
        sum += tool_counts[i];
        const long other = counted(names[i]);
        if (other != tool_counts[i] && n < (int)sizeof text - 200)
            n += snprintf(text + n, 200, "%s: tool %ld, thunk %ld; ", names[i], tool_counts[i], other);
    }
    if (!n)
        n = snprintf(text, sizeof text, "equal %ld", sum);
    text[n++] = '\n';
    const int file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || write(file, text, (size_t)n) != n)
        fprintf(stderr, "cannot write to %s\n", name);
    close(file);
}
