/*
 * OMPI_Affinity_str (Open MPI's mpi-ext.h): describes the processors of the host, and which of
 * them the process may run on, in the words of Open MPI 4.1. The topology of the host is read from the
 * kernel, under SYS_CPU. The processors that the process may run on are read at each call.
 *
 * Needs: cpu_list.h.
 * Gives: affinity_strings.
 */
#ifndef WI4GO_AFFINITY_H
#define WI4GO_AFFINITY_H
#include "cpu_list.h"
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SYS_CPU
#define SYS_CPU "/sys/devices/system/cpu"
#endif

enum { AFFINITY_RESOURCES, AFFINITY_LAYOUT, AFFINITY_LENGTH = 1024 }; /* Open MPI's OMPI_AFFINITY_… */

/* A hardware thread, in the kernel's numbers. The list of a host's threads is sorted by socket,
   core and number. */
struct hardware_thread {
    int number, socket, core;
};

/* Compares two hardware threads for qsort: by socket, then core, then number. */
static int by_place(const void *a, const void *b)
{
    const struct hardware_thread *x = a, *y = b;
    return x->socket != y->socket ? x->socket - y->socket : x->core != y->core ? x->core - y->core : x->number - y->number;
}

/* Returns a number of the topology of a CPU, or 0 if the kernel has none. */
static int topology_number(int cpu, const char *what)
{
    char path[256];
    int n = 0;
    snprintf(path, sizeof path, SYS_CPU "/cpu%d/topology/%s", cpu, what);
    FILE *f = fopen(path, "re");
    if (f) {
        if (fscanf(f, "%d", &n) != 1 || n < 0)
            n = 0;
        fclose(f);
    }
    return n;
}

/* Reads the threads that are online into a list that the caller frees. Returns their number, or 0
   if they cannot be read. */
static int host_threads(struct hardware_thread **threads)
{
    int n = 0, from, to;
    FILE *f = fopen(SYS_CPU "/online", "re");
    *threads = NULL;
    while (f && next_cpus(f, &from, &to)) {
        struct hardware_thread *const more = realloc(*threads, (size_t)(n + to - from + 1) * sizeof *more);
        if (!more)
            break;
        for (*threads = more; from <= to; from++)
            more[n++] = (struct hardware_thread){from, topology_number(from, "physical_package_id"), topology_number(from, "core_id")};
    }
    if (f)
        fclose(f);
    if (n)
        qsort(*threads, (size_t)n, sizeof **threads, by_place);
    return n;
}

/* Returns the index after the last thread of the core that begins at index i. */
static int core_end(const struct hardware_thread *t, int n, int i)
{
    int end = i;
    while (end < n && t[end].socket == t[i].socket && t[end].core == t[i].core)
        end++;
    return end;
}

/* Appends to a text of AFFINITY_LENGTH bytes as much as fits. */
static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, AFFINITY_LENGTH - length, format, arguments);
    va_end(arguments);
}

/* Appends a map of the sockets, cores and threads, such as "[BB/..][../..]". B marks a thread
   that the process may run on. bound may be NULL: none is marked. */
static void layout(char *text, const struct hardware_thread *t, int n, const unsigned char *bound)
{
    for (int i = 0, end; i < n; i = end) {
        end = core_end(t, n, i);
        append(text, "%s", !i ? "[" : t[i].socket != t[i - 1].socket ? "][" : "/");
        for (int k = i; k < end; k++)
            append(text, "%c", bound && bound[k] ? 'B' : '.');
    }
    append(text, "]");
}

/* Appends "socket 0[core 1[hwt 0-1]]" for each core that the process may run on. Sockets and
   cores are counted over the host, threads within the core. */
static void resources(char *text, const struct hardware_thread *t, int n, const unsigned char *bound)
{
    int socket = -1, core = 0, written = 0;
    for (int i = 0, end; i < n; i = end, core++) {
        int ranges = 0;
        end = core_end(t, n, i);
        socket += !i || t[i].socket != t[i - 1].socket;
        for (int from = i, to; from < end; from = to) {
            for (to = from + 1; to < end && bound[to] == bound[from]; to++)
                ;
            if (!bound[from])
                continue;
            if (ranges++)
                append(text, ",%d", from - i);
            else
                append(text, "%ssocket %d[core %d[hwt %d", written++ ? ", " : "", socket, core, from - i);
            if (to > from + 1)
                append(text, "-%d", to - 1 - i);
        }
        if (ranges)
            append(text, "]]");
    }
}

/* Appends the inventory of the host, such as "socket 0 has 2 cores, each with 1 hwt; …". */
static void inventory(char *text, const struct hardware_thread *t, int n)
{
    for (int i = 0, j; i < n; i = j) {
        const int each = core_end(t, n, i) - i;
        int cores = 0, same = 1;
        for (j = i; j < n && t[j].socket == t[i].socket; j = core_end(t, n, j), cores++)
            same &= core_end(t, n, j) - j == each;
        append(text, "%ssocket %d has ", i ? "; " : "", t[i].socket);
        if (cores == 1)
            append(text, "1 core with %d hwt%s", each, each == 1 ? "" : "s");
        else if (same)
            append(text, "%d cores, each with %d hwt%s", cores, each, each == 1 ? "" : "s");
        else {
            append(text, "%d cores with (", cores);
            for (int k = i; k < j; k = core_end(t, n, k))
                append(text, "%s%d", k == i ? "" : ", ", core_end(t, n, k) - k);
            append(text, ") hwts");
        }
    }
}

/* Sets bound[i] to 1 if the process may run on thread i, else 0. Returns the number of threads
   set to 1. */
static int bound_threads(const struct hardware_thread *t, int n, unsigned char *bound)
{
    int highest = 0, count = 0, got = 0;
    for (int i = 0; i < n; i++)
        highest = t[i].number > highest ? t[i].number : highest;
    /* The kernel refuses a set that is smaller than its own, so try growing sizes. */
    for (size_t size = CPU_ALLOC_SIZE(highest + 1024); !got && size < 1 << 20; size *= 2) {
        cpu_set_t *const set = calloc(1, size);
        if (!set)
            break;
        got = !sched_getaffinity(0, size, set);
        for (int i = 0; i < n && got; i++)
            count += bound[i] = !!CPU_ISSET_S((size_t)t[i].number, size, set);
        free(set);
    }
    return count;
}

/* Writes three texts: the processors that Open MPI has bound the process to, the processors that
   the process may run on, and the processors of the host. Returns 1, or 0 if the format does not
   exist. */
static int affinity_strings(int format, char *applied, char *current, char *exists)
{
    *applied = *current = *exists = 0;
    if (format != AFFINITY_RESOURCES && format != AFFINITY_LAYOUT)
        return 0;
    struct hardware_thread *threads;
    const int n = host_threads(&threads);
    unsigned char *const bound = calloc(1, (size_t)n + 1);
    const int count = bound ? bound_threads(threads, n, bound) : 0;
    if (!n || !bound) {
        append(applied, "Not supported");
        append(current, "Not supported");
        append(exists, "Not supported");
    } else {
        append(applied, "Open MPI did not bind this process");
        if (!count || count == n)
            append(current, "Not bound (i.e., bound to all processors)");
        else if (format == AFFINITY_RESOURCES)
            resources(current, threads, n, bound);
        else
            layout(current, threads, n, bound);
        if (format == AFFINITY_RESOURCES)
            inventory(exists, threads, n);
        else
            layout(exists, threads, n, NULL);
    }
    free(bound);
    free(threads);
    return 1;
}
#endif
