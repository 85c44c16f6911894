/*
 * Sets the variables in which the launcher of the program's own MPI would pass each process its
 * rank before MPI_Init, if a launcher of another family has started the process. They are set
 * when the front is loaded, which is before main in a program that is linked with MPI.
 *
 * The command sets the same variables for the processes that it starts (internal/rankvars, with
 * the same rules), so that scripts have them too. This file serves the other processes: programs
 * that the launcher starts directly, spawned processes, and programs linked with -static-mpi.
 *
 * The environment is written without setenv, because shells define a function of that name that
 * does not work before their main. All work happens in one constructor, so the state needs no lock.
 */
#define _GNU_SOURCE
#include "front.h"
#include "launchers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "WI4GO_RANK_VARIABLES" /* the names of the variables that wi4go has set, or "0" if the user has turned this off */
/* The largest number of variables, and the size of a line with its final zero. */
enum { MOST = 2 * 5 * LAUNCHER_NUMBERS, LONGEST = 64 };

static int equals(const char *text, const char *other) { return text && !strcmp(text, other); }

static char lines[MOST][LONGEST]; /* the variables to set, as NAME=value */
static int n_lines;
static char set[MOST * LONGEST] = LIST "="; /* the line of the list variable */

/* Adds a variable to the list of variables that wi4go has set. */
static void list_variable(const char *name)
{
    const size_t n = strlen(set);
    snprintf(set + n, sizeof set - n, "%s%s", set[n - 1] == '=' ? "" : ",", name);
}

/* Adds a variable to the lines to set, and to the list. */
static void add_variable(const char *name, const char *value)
{
    if (n_lines < MOST && snprintf(lines[n_lines], LONGEST, "%s=%s", name, value) < LONGEST) {
        n_lines++;
        list_variable(name);
    }
}

/* Reports whether programs of the front's family may read a launcher's variables. Programs of the
   standard ABI, which lacks a launcher, may read any. */
static int reads_variables_of(const struct wi4go_launcher *l)
{
    return !wi4go_family.launcher || !strcmp(wi4go_family.launcher, l->name);
}

/* Collects the variables to set. Reports whether any of them is not in the environment yet. */
static int find_missing(const struct wi4go_start *start)
{
    const char *const *const values = start->number;
    int changes = 0;
    for (const struct wi4go_launcher *l = NULL; (l = wi4go_launcher_next(l));) {
        const int served = l != start->like && (start->like->every_family || reads_variables_of(l)) && !wi4go_launcher_is_signed(l);
        for (int i = 0; i < LAUNCHER_NUMBERS; i++)
            for (const char *const *name = l->names[i]; *name; name++)
                if (served && values[i] && !wi4go_launcher_variable(*name)) {
                    changes |= !equals(wi4go_launcher_value(*name), values[i]);
                    add_variable(*name, values[i]);
                } else if (wi4go_launcher_is_ours(*name)) {
                    list_variable(*name);
                }
    }
    return changes;
}

/* Reports whether a line of the environment is replaced by a line of wi4go. */
static int is_replaced(const char *line)
{
    for (int i = 0; i < n_lines; i++)
        if (!strncmp(line, lines[i], (size_t)(strchr(lines[i], '=') - lines[i]) + 1))
            return 1;
    return !strncmp(line, LIST "=", sizeof LIST);
}

/* Replaces the environment by a copy with the rank variables, if any is missing. */
__attribute__((constructor)) static void set_rank_variables(void)
{
    struct wi4go_start start;
    if (equals(wi4go_launcher_value(LIST), "0"))
        return;
    wi4go_find_start(&start);
    if (!start.like || !find_missing(&start))
        return;
    size_t n = 0, m = 0;
    while (environ && environ[n])
        n++;
    char **copy = malloc((n + (size_t)n_lines + 2) * sizeof *copy); /* never freed: the program owns it now */
    if (!copy)
        return;
    for (size_t i = 0; i < n; i++)
        if (!is_replaced(environ[i]))
            copy[m++] = environ[i];
    for (int i = 0; i < n_lines; i++)
        copy[m++] = lines[i];
    copy[m++] = set;
    copy[m] = NULL;
    environ = copy;
}
