/* Shared by the test programs of libdri. A program prints "right" if all checks hold, and otherwise ends the job. */
#ifndef CHECK_H
#define CHECK_H
#include <dri.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static const char *condition = ""; /* the current one of `settings`, for messages */

__attribute__((noreturn, format(printf, 3, 4), unused)) static void wrong(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: rank %d: %s", file, line, rank, condition);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

#define OK(call) \
    do { \
        int class_ = (call); \
        if (class_) \
            wrong(__FILE__, __LINE__, "%s: %s", #call, DRI_error_string(class_)); \
    } while (0)
#define CHECK(condition, ...) \
    do { \
        if (!(condition)) \
            wrong(__FILE__, __LINE__, __VA_ARGS__); \
    } while (0)
/* The call must fail with this class and a text that contains all of these words. */
#define FAILS(class, words, call) fails(__FILE__, __LINE__, #call, class, call, words)
__attribute__((unused)) static void fails(const char *file, int line, const char *call, int class, int got, const char *words)
{
    const char *text = DRI_error_string(got);
    if (got != class)
        wrong(file, line, "%s: error %d (%s), not %d (%s)", call, got, text, class, DRI_error_string(class));
    char all[200];
    snprintf(all, sizeof all, "%s", words);
    for (char *save, *word = strtok_r(all, "|", &save); word; word = strtok_r(NULL, "|", &save))
        if (!strstr(text, word))
            wrong(file, line, "%s: the error's text has no '%s': %s", call, word, text);
}

__attribute__((unused)) static void begin(int *argc, char ***argv)
{
    OK(DRI_init(argc, argv));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

__attribute__((unused)) static void end(const char *name)
{
    MPI_Barrier(MPI_COMM_WORLD);
    OK(DRI_finalize());
    if (rank == 0)
        printf("%s: right\n", name);
}

/* Reports whether the MPI library has windows. The embedded MPI has none. */
__attribute__((unused)) static int has_windows(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return !strstr(version, "embedded");
}

/* The conditions that determine a transfer's method: each method forced, and processes as if on several nodes, with names in
 * a window if there are windows. */
static const struct setting {
    const char *name, *method, *ranks_per_node;
} settings[] __attribute__((unused)) = {{"chosen: ", NULL, NULL},          {"packed: ", "packed", NULL}, {"typed: ", "typed", NULL},
                                        {"shared: ", "shared", NULL},      {"two nodes: ", NULL, "2"},   {"many nodes: ", NULL, "1"}};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Sets or removes a variable of the environment. */
__attribute__((unused)) static void set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* Runs a function once for each setting, between DRI_init and DRI_finalize. MPI must be initialized. */
__attribute__((unused)) static void with_each_setting(void (*once)(const struct setting *))
{
    for (int i = 0; i < SETTINGS; i++) {
        const struct setting *s = &settings[i];
        set_variable("DRI_METHOD", s->method);
        set_variable("DRI_RANKS_PER_NODE", s->ranks_per_node);
        set_variable("DRI_NAMES", s->ranks_per_node && has_windows() ? "window" : NULL);
        condition = s->name;
        OK(DRI_init(NULL, NULL));
        once(s);
        OK(DRI_finalize());
    }
    condition = "";
}

/* Returns the group of n processes from first on. */
__attribute__((unused)) static DRI_group group(int first, int n)
{
    int procs[64];
    for (int i = 0; i < n; i++)
        procs[i] = first + i;
    DRI_group g;
    OK(DRI_group_create(n, procs, &g));
    return g;
}

__attribute__((unused)) static DRI_gdo gdo(DRI_datatype type, int n, ...)
{
    MPI_Count sizes[DRI_MAX_DIMS];
    va_list args;
    va_start(args, n);
    for (int d = 0; d < n; d++)
        sizes[d] = va_arg(args, int);
    va_end(args);
    DRI_gdo g;
    OK(DRI_gdo_create(n, type, sizes, &g));
    return g;
}

/* Returns a distribution in blocks along one dimension, whole in the others. */
__attribute__((unused)) static DRI_dist slices(DRI_gdo d, DRI_group g, int along, MPI_Count overlap, int edge)
{
    DRI_part_rule rules[DRI_MAX_DIMS] = {{0}};
    rules[along] = (DRI_part_rule){DRI_BLOCK, 0, 0, 0, overlap, overlap, edge};
    DRI_part p;
    DRI_dist dist;
    OK(DRI_part_rules(d, g, NULL, rules, &p));
    OK(DRI_dist_create(d, p, g, &dist));
    OK(DRI_part_destroy(&p));
    return dist;
}

__attribute__((unused)) static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
#endif
