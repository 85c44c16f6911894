/*
 * The variables by which the launcher of the program's own MPI tells each process its
 * rank before MPI_Init, where the launcher of another family has started it. They are set
 * when the front is loaded, which with a program that is linked with MPI is before main.
 * The command does the same for what it starts (internal/ranks, which says the rules), so
 * that scripts have them too; here are the programs that it does not start: those that are
 * spawned, that were linked with -static-mpi, or that run without it.
 *
 * The environment is read and written without getenv and setenv: shells have functions of
 * these names, which do not work this early.
 */
#define _GNU_SOURCE
#include "front.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "WI4GO_RANK_VARIABLES"
enum { MOST = 2 * WI4GO_PLACES * 4, LONGEST = 64 };

/* The value of a variable; NULL where it is not set, or empty. */
static const char *value_of(const char *name)
{
    const size_t n = strlen(name);
    for (char **v = environ; v && *v; v++)
        if (!strncmp(*v, name, n) && (*v)[n] == '=')
            return (*v)[n + 1] ? *v + n + 1 : NULL;
    return NULL;
}

static int begins(const char *text, const char *with) { return text && !strncmp(text, with, strlen(with)); }
static int is(const char *text, const char *other) { return text && !strcmp(text, other); }

/* A launcher of that family has set what wi4go never sets. */
static int is_signed(const struct wi4go_teller *t)
{
    for (const char *const *sign = t->signs; *sign; sign++)
        if (value_of(*sign))
            return 1;
    return 0;
}

static const struct wi4go_teller *teller_of(const char *name)
{
    for (const struct wi4go_teller *t = wi4go_tellers; t->family; t++)
        for (int place = 0; place < WI4GO_PLACES; place++)
            for (const char *const *n = t->names[place]; *n; n++)
                if (!strcmp(*n, name))
                    return t;
    return NULL;
}

/* wi4go has set the variable, and no launcher since. */
static int is_ours(const char *name)
{
    const size_t n = strlen(name);
    for (const char *set = value_of(VARIABLE); set; set = strchr(set, ',')) {
        set += *set == ',';
        if (!strncmp(set, name, n) && (!set[n] || set[n] == ',')) {
            const struct wi4go_teller *t = teller_of(name);
            return t && !is_signed(t);
        }
    }
    return 0;
}

const char *wi4go_told(const char *name) { return is_ours(name) ? NULL : value_of(name); }

/* A text that is a number of at most nine digits; else NULL. */
static const char *number(const char *text)
{
    const size_t n = text ? strspn(text, "0123456789") : 0;
    return n && n <= 9 && !text[n] ? text : NULL;
}

static const char *first(const char *const *names)
{
    for (; *names; names++)
        if (number(wi4go_told(*names)))
            return wi4go_told(*names);
    return NULL;
}

/* srun has started this process as a task of a step; a batch script and the shell of an
   allocation are special steps. */
static int is_step(void)
{
    const char *step = value_of("SLURM_STEP_ID");
    const size_t n = step ? strspn(step, "0123456789") : 0;
    return n && n <= 10 && !step[n] && strtoull(step, NULL, 10) < 0xfffffff0u;
}

/* What a step of srun speaks with its tasks; "": nothing. */
static const char *slurm_manager(void)
{
    const char *plugin = value_of("SLURM_MPI_TYPE");
    if (begins(plugin, "pmix") || (!plugin && begins(value_of("PMIX_NAMESPACE"), "slurm.")))
        return "PMIx";
    if (is(plugin, "pmi2") || is(plugin, "cray_shasta") || (!plugin && wi4go_told("PMI_RANK")) || value_of("I_MPI_PMI_LIBRARY"))
        return "PMI";
    return "";
}

/* The number of tasks on a node from those of all nodes, as Slurm writes them: "2(x3),1". */
static const char *tasks_on(const char *node, const char *tasks, char count[10])
{
    long left = number(node) ? atol(node) : -1;
    while (left >= 0 && tasks && *tasks) {
        char times[10] = "1", end = 0;
        int n = 0;
        if (sscanf(tasks, "%9[0-9](x%9[0-9])%n", count, times, &n) != 2 || !n) {
            strcpy(times, "1");
            if (sscanf(tasks, "%9[0-9]%n", count, &n) != 1)
                return NULL;
        }
        end = tasks[n];
        if (end && end != ',')
            return NULL;
        if ((left -= atol(times)) < 0)
            return count;
        tasks += n + !!end;
    }
    return NULL;
}

/* The family that understands the launcher of this process; NULL: none does. */
static const struct wi4go_teller *launcher(void)
{
    for (const struct wi4go_teller *t = wi4go_tellers; t->family; t++)
        if (is_signed(t) && first(t->names[WI4GO_RANK]))
            return t;
    const char *manager = is_step() ? slurm_manager() : "";
    for (const struct wi4go_teller *t = wi4go_tellers; t->family; t++)
        if (!strcmp(t->manager, manager))
            return t;
    for (const struct wi4go_teller *t = wi4go_tellers; t->family; t++)
        if (first(t->names[WI4GO_RANK]))
            return t;
    return NULL;
}

static int agree(const char *a, const char *b) { return !a || is(b, a); }

/* The numbers that the launcher tells; NULL for each that it does not. */
static void find_places(const struct wi4go_teller *by, const char *values[WI4GO_PLACES])
{
    static char count[10];
    for (int place = 0; place < WI4GO_PLACES; place++)
        values[place] = first(by->names[place]);
    if (is_step()) { /* or a launcher inside of the step has, which numbers them in another way */
        const char *slurm[WI4GO_PLACES] = {
            number(value_of("SLURM_PROCID")), number(value_of("SLURM_STEP_NUM_TASKS")), number(value_of("SLURM_LOCALID")),
            tasks_on(value_of("SLURM_NODEID"), value_of("SLURM_STEP_TASKS_PER_NODE"), count), NULL};
        if (agree(values[WI4GO_RANK], slurm[WI4GO_RANK]) && agree(values[WI4GO_SIZE], slurm[WI4GO_SIZE]) &&
            agree(value_of("PMIX_RANK"), slurm[WI4GO_RANK]))
            for (int place = 0; place < WI4GO_PLACES; place++)
                values[place] = values[place] ? values[place] : slurm[place];
    }
    /* Spawned processes are not the first job on the host. */
    const char *spawned = value_of("PMI_SPAWNED");
    if (!values[WI4GO_NODE_RANK] && (!spawned || is(spawned, "0")))
        values[WI4GO_NODE_RANK] = values[WI4GO_LOCAL_RANK];
}

static char lines[MOST][LONGEST];
static int n_lines;
static char set[MOST * LONGEST] = VARIABLE "=";

/* Notes that wi4go has set a variable. */
static void list(const char *name)
{
    const size_t n = strlen(set);
    snprintf(set + n, sizeof set - n, "%s%s", set[n - 1] == '=' ? "" : ",", name);
}

/* Notes a variable that is to be set. */
static void add(const char *name, const char *value)
{
    if (n_lines < MOST && snprintf(lines[n_lines], LONGEST, "%s=%s", name, value) < LONGEST) {
        n_lines++;
        list(name);
    }
}

/* Whether the front is for programs of a family: of the standard ABI they may read the
   variables of any. */
static int serves(const struct wi4go_teller *t)
{
    for (const struct wi4go_teller *own = wi4go_tellers; own->family; own++)
        if (!strcmp(own->family, wi4go_family.name))
            return own == t;
    return 1;
}

/* Whether a variable of the environment is replaced by one of ours. */
static int is_replaced(const char *variable)
{
    for (int i = 0; i < n_lines; i++)
        if (!strncmp(variable, lines[i], (size_t)(strchr(lines[i], '=') - lines[i]) + 1))
            return 1;
    return begins(variable, VARIABLE "=");
}

/* Finds what is to be set. Returns whether that is a change. */
static int find_missing(const struct wi4go_teller *by)
{
    const char *values[WI4GO_PLACES];
    int changes = 0;
    find_places(by, values);
    for (const struct wi4go_teller *t = wi4go_tellers; t->family; t++) {
        const int served = t != by && serves(t) && !is_signed(t);
        for (int place = 0; place < WI4GO_PLACES; place++)
            for (const char *const *name = t->names[place]; *name; name++)
                if (served && values[place] && !wi4go_told(*name)) {
                    changes |= !is(value_of(*name), values[place]);
                    add(*name, values[place]);
                } else if (is_ours(*name)) {
                    list(*name);
                }
    }
    return changes;
}

__attribute__((constructor)) static void set_rank_variables(void)
{
    const struct wi4go_teller *by = is(value_of(VARIABLE), "0") ? NULL : launcher();
    if (!by || !find_missing(by))
        return;
    size_t n = 0, m = 0;
    while (environ && environ[n])
        n++;
    char **copy = malloc((n + (size_t)n_lines + 2) * sizeof *copy);
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
