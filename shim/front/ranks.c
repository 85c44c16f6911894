/*
 * Sets the variables in which the launcher of the program's own MPI would pass each process its
 * rank before MPI_Init, if a launcher of another family has started the process. They are set
 * when the front is loaded, which is before main in a program that is linked with MPI.
 *
 * The command sets the same variables for the processes that it starts (internal/rankvars, with
 * the same rules), so that scripts have them too. This file serves the other processes: programs
 * that the launcher starts directly, spawned processes, and programs linked with -static-mpi.
 *
 * The environment is read and written without getenv and setenv, because shells define functions
 * of these names that do not work before their main. All work happens in one
 * constructor, so the state needs no lock.
 */
#define _GNU_SOURCE
#include "front.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST "WI4GO_RANK_VARIABLES" /* the names of the variables that wi4go has set, or "0" if the user has turned this off */
/* The largest number of variables, and the size of a line with its final zero. */
enum { MOST = 2 * 5 * WI4GO_RANK_NUMBERS, LONGEST = 64 };

/* Returns the value of a variable, or NULL if it is not set or is empty. */
static const char *env_value(const char *name)
{
    const size_t n = strlen(name);
    for (char **v = environ; v && *v; v++)
        if (!strncmp(*v, name, n) && (*v)[n] == '=')
            return (*v)[n + 1] ? *v + n + 1 : NULL;
    return NULL;
}

static int has_prefix(const char *text, const char *with) { return text && !strncmp(text, with, strlen(with)); }
static int equals(const char *text, const char *other) { return text && !strcmp(text, other); }

/* Reports whether a launcher of the family has started this process, by a variable that wi4go
   never sets. */
static int is_signed(const struct wi4go_launcher *l)
{
    for (const char *const *sign = l->signs; *sign; sign++)
        if (env_value(*sign))
            return 1;
    return 0;
}

/* Returns the launcher that sets a rank variable, or NULL. */
static const struct wi4go_launcher *setter_of(const char *name)
{
    for (const struct wi4go_launcher *l = wi4go_launchers; l->family; l++)
        for (int number = 0; number < WI4GO_RANK_NUMBERS; number++)
            for (const char *const *n = l->names[number]; *n; n++)
                if (!strcmp(*n, name))
                    return l;
    return NULL;
}

/* Reports whether wi4go has set a rank variable. A launcher that was started later has
   overwritten the variable but not the list. Its signs reveal that. */
static int is_set_by_wi4go(const char *name)
{
    const size_t n = strlen(name);
    for (const char *item = env_value(LIST); item; item = strchr(item, ',')) {
        item += *item == ',';
        if (!strncmp(item, name, n) && (!item[n] || item[n] == ',')) {
            const struct wi4go_launcher *setter = setter_of(name);
            return setter && !is_signed(setter);
        }
    }
    return 0;
}

const char *wi4go_launcher_variable(const char *name) { return is_set_by_wi4go(name) ? NULL : env_value(name); }

/* Returns text if it is a number of at most nine digits, or NULL. */
static const char *checked_number(const char *text)
{
    const size_t n = text ? strspn(text, "0123456789") : 0;
    return n && n <= 9 && !text[n] ? text : NULL;
}

/* Returns the number in the first of some variables that holds one, or NULL. */
static const char *first_number(const char *const *names)
{
    for (; *names; names++) {
        const char *value = checked_number(wi4go_launcher_variable(*names));
        if (value)
            return value;
    }
    return NULL;
}

const char *wi4go_launcher_number(const struct wi4go_launcher *launcher, int which) { return first_number(launcher->names[which]); }

/* Reports whether srun has started this process as a task of a step. The batch script and the
   shell of an allocation are special steps, which do not count. */
static int is_step(void)
{
    const char *step = env_value("SLURM_STEP_ID");
    const size_t n = step ? strspn(step, "0123456789") : 0;
    return n && n <= 10 && !step[n] && strtoull(step, NULL, 10) < 0xfffffff0u;
}

/* Returns the process manager that a step of srun offers its tasks, or "". */
static const char *slurm_manager(void)
{
    const char *plugin = env_value("SLURM_MPI_TYPE");
    if (has_prefix(plugin, "pmix") || (!plugin && has_prefix(env_value("PMIX_NAMESPACE"), "slurm.")))
        return "PMIx";
    if (equals(plugin, "pmi2") || equals(plugin, "cray_shasta") || (!plugin && wi4go_launcher_variable("PMI_RANK")) ||
        env_value("I_MPI_PMI_LIBRARY")) /* Intel MPI uses it without a plugin */
        return "PMI";
    return "";
}

/* Returns the number of tasks on a node. tasks lists the numbers of all nodes, as in "2(x3),1".
   Returns NULL if it cannot be read. */
static const char *tasks_on(const char *node, const char *tasks, char count[10])
{
    long left = checked_number(node) ? atol(node) : -1;
    while (left >= 0 && tasks && *tasks) {
        char times[10];
        int n = 0;
        if (sscanf(tasks, "%9[0-9](x%9[0-9])%n", count, times, &n) != 2 || !n) {
            strcpy(times, "1");
            if (sscanf(tasks, "%9[0-9]%n", count, &n) != 1)
                return NULL;
        }
        if (tasks[n] && tasks[n] != ',')
            return NULL;
        left -= atol(times);
        if (left < 0)
            return count;
        tasks += n + (tasks[n] == ',');
    }
    return NULL;
}

/* The launcher of the embedded MPI, which starts all ranks on one host. Its programs are of every family, and it
   sets the variables of all of them (internal/rankvars has the same). */
static const struct wi4go_launcher one_host = {"embedded", "", {0}, {0}, {{"ADI_RANK"}, {"ADI_RANKS"}, {"ADI_RANK"}, {"ADI_RANKS"}, {"ADI_RANK"}}};

/* Returns the entry of the family whose libraries understand the launcher that has started this
   process, or NULL. */
static const struct wi4go_launcher *find_launcher(void)
{
    for (const struct wi4go_launcher *l = wi4go_launchers; l->family; l++)
        if (is_signed(l) && first_number(l->names[WI4GO_RANK]))
            return l;
    if (first_number(one_host.names[WI4GO_RANK])) /* it has removed the signs of launchers that have started it, but not the step's */
        return &one_host;
    const char *manager = is_step() ? slurm_manager() : "";
    for (const struct wi4go_launcher *l = wi4go_launchers; l->family; l++)
        if (!strcmp(l->manager, manager))
            return l;
    for (const struct wi4go_launcher *l = wi4go_launchers; l->family; l++)
        if (first_number(l->names[WI4GO_RANK]))
            return l;
    return NULL;
}

/* Reports whether a number is absent or equals Slurm's. */
static int matches_slurm(const char *number, const char *slurm) { return !number || equals(slurm, number); }

/* Writes the numbers that the launcher gives this process to values, NULL for each missing one. */
static void find_numbers(const struct wi4go_launcher *by, const char *values[WI4GO_RANK_NUMBERS])
{
    static char count[10];
    for (int i = 0; i < WI4GO_RANK_NUMBERS; i++)
        values[i] = first_number(by->names[i]);
    /* srun's numbers belong to this process, unless a launcher inside the step has started it:
       such a launcher counts in its own way. */
    if (is_step()) {
        const char *slurm[WI4GO_RANK_NUMBERS] = {
            checked_number(env_value("SLURM_PROCID")), checked_number(env_value("SLURM_STEP_NUM_TASKS")), checked_number(env_value("SLURM_LOCALID")),
            tasks_on(env_value("SLURM_NODEID"), env_value("SLURM_STEP_TASKS_PER_NODE"), count), NULL};
        if (matches_slurm(values[WI4GO_RANK], slurm[WI4GO_RANK]) && matches_slurm(values[WI4GO_SIZE], slurm[WI4GO_SIZE]) &&
            matches_slurm(env_value("PMIX_RANK"), slurm[WI4GO_RANK]))
            for (int i = 0; i < WI4GO_RANK_NUMBERS; i++)
                values[i] = values[i] ? values[i] : slurm[i];
    }
    /* On a host, processes of other jobs are counted before spawned ones, so the local rank is no
       node rank for these. */
    const char *spawned = env_value("PMI_SPAWNED");
    if (!values[WI4GO_NODE_RANK] && (!spawned || equals(spawned, "0")))
        values[WI4GO_NODE_RANK] = values[WI4GO_LOCAL_RANK];
}

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
    for (const struct wi4go_launcher *own = wi4go_launchers; own->family; own++)
        if (!strcmp(own->family, wi4go_family.name))
            return own == l;
    return 1;
}

/* Collects the variables to set. Reports whether any of them is not in the environment yet. */
static int find_missing(const struct wi4go_launcher *by)
{
    const char *values[WI4GO_RANK_NUMBERS];
    int changes = 0;
    find_numbers(by, values);
    for (const struct wi4go_launcher *l = wi4go_launchers; l->family; l++) {
        const int served = l != by && (by == &one_host || reads_variables_of(l)) && !is_signed(l);
        for (int i = 0; i < WI4GO_RANK_NUMBERS; i++)
            for (const char *const *name = l->names[i]; *name; name++)
                if (served && values[i] && !wi4go_launcher_variable(*name)) {
                    changes |= !equals(env_value(*name), values[i]);
                    add_variable(*name, values[i]);
                } else if (is_set_by_wi4go(*name)) {
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
    return has_prefix(line, LIST "=");
}

/* Replaces the environment by a copy with the rank variables, if any is missing. */
__attribute__((constructor)) static void set_rank_variables(void)
{
    const struct wi4go_launcher *by = equals(env_value(LIST), "0") ? NULL : find_launcher();
    if (!by || !find_missing(by))
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
