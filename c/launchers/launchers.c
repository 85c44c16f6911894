/*
 * Finds the launcher that has started this process. A launcher is recognized by a variable that wi4go never sets (its
 * sign), or by a rank variable that wi4go has not set: wi4go adds the rank variables of other launchers, and lists them in
 * WI4GO_RANK_VARIABLES. A job step of a batch system is recognized by its number.
 *
 * internal/rankvars has the same rules in Go, and tests/launchers compares both. The facts of each launcher are in
 * internal/launchers; the generator prints them as the table (gen/launchers).
 *
 * The environment is read without getenv, because a front does it before main, and shells define a getenv that does not work
 * until then. There is no state, so there is no lock: the caller keeps the environment unchanged meanwhile.
 */
#define _GNU_SOURCE
#include "launchers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launchers/table.h"

const char *wi4go_launcher_value(const char *name)
{
    const size_t n = strlen(name);
    for (char **v = environ; v && *v; v++)
        if (!strncmp(*v, name, n) && (*v)[n] == '=')
            return (*v)[n + 1] ? *v + n + 1 : NULL;
    return NULL;
}

static bool begins(const char *text, const char *with) { return text && !strncmp(text, with, strlen(with)); }
static bool is_text(const char *text, const char *other) { return text && !strcmp(text, other); }

const struct wi4go_launcher *wi4go_launcher_next(const struct wi4go_launcher *l)
{
    for (l = l ? l + 1 : wi4go_launchers; l->name; l++)
        if (!l->every_family && !l->step)
            return l;
    return NULL;
}

bool wi4go_launcher_is_signed(const struct wi4go_launcher *launcher)
{
    for (const char *const *sign = launcher->signs; *sign; sign++)
        if (wi4go_launcher_value(*sign))
            return true;
    return false;
}

/* Reports whether a launcher passes a number in this variable. */
static bool passes_in(const struct wi4go_launcher *l, const char *name)
{
    for (int number = 0; number < LAUNCHER_NUMBERS; number++)
        for (const char *const *n = l->names[number]; *n; n++)
            if (!strcmp(*n, name))
                return true;
    return false;
}

/* Reports whether a variable is a launcher's and the signs of no launcher with this variable are set. A launcher that was
   started later has overwritten the variable but not the list; its signs show that. */
static bool lacks_signed_setter(const char *name)
{
    bool has_setter = false;
    for (const struct wi4go_launcher *l = NULL; (l = wi4go_launcher_next(l));)
        if (passes_in(l, name)) {
            has_setter = true;
            if (wi4go_launcher_is_signed(l))
                return false;
        }
    return has_setter;
}

bool wi4go_launcher_is_ours(const char *name)
{
    const size_t n = strlen(name);
    for (const char *item = wi4go_launcher_value("WI4GO_RANK_VARIABLES"); item; item = strchr(item, ',')) {
        item += *item == ',';
        if (!strncmp(item, name, n) && (!item[n] || item[n] == ','))
            return lacks_signed_setter(name);
    }
    return false;
}

const char *wi4go_launcher_variable(const char *name) { return wi4go_launcher_is_ours(name) ? NULL : wi4go_launcher_value(name); }

/* Returns text if it is a number of at most nine digits, or NULL. */
static const char *checked_number(const char *text)
{
    const size_t n = text ? strspn(text, "0123456789") : 0;
    return n && n <= 9 && !text[n] ? text : NULL;
}

const char *wi4go_launcher_number(const struct wi4go_launcher *launcher, int which)
{
    for (const char *const *name = launcher->names[which]; *name; name++) {
        const char *value = checked_number(wi4go_launcher_variable(*name));
        if (value)
            return value;
    }
    return NULL;
}

/* Returns the launcher of a batch system if it has started this process as a task of a step, or NULL. The batch script and
   the shell of an allocation are special steps, which do not count. */
static const struct wi4go_launcher *launcher_of_step(void)
{
    for (const struct wi4go_launcher *l = wi4go_launchers; l->name; l++) {
        const char *number = l->step ? wi4go_launcher_value(l->step->number) : NULL;
        const size_t n = number ? strspn(number, "0123456789") : 0;
        if (n && n <= 10 && !number[n] && strtoull(number, NULL, 10) < l->step->first_special)
            return l;
    }
    return NULL;
}

/* Returns the process manager that a step offers its tasks, or "". */
static const char *manager_of_step(const struct wi4go_step *step)
{
    const char *plugin = wi4go_launcher_value(step->plugin);
    if (!plugin && begins(wi4go_launcher_value("PMIX_NAMESPACE"), step->namespace_begin))
        return "PMIx";
    for (const char *const (*p)[2] = step->plugins; plugin && (*p)[0]; p++)
        if (begins(plugin, (*p)[0]))
            return (*p)[1];
    return (!plugin && wi4go_launcher_variable("PMI_RANK")) || wi4go_launcher_value(step->library) ? "PMI" : "";
}

/* Returns the number of tasks on a node. tasks lists the numbers of all nodes, as in "2(x3),1". Returns NULL if it cannot
   be read. */
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

/* Returns the launcher whose libraries learn their numbers from the launcher of this process, or NULL. step is the
   launcher of the step, or NULL. */
static const struct wi4go_launcher *find_like(const struct wi4go_launcher *step)
{
    for (const struct wi4go_launcher *l = NULL; (l = wi4go_launcher_next(l));)
        if (wi4go_launcher_is_signed(l) && wi4go_launcher_number(l, LAUNCHER_RANK))
            return l;
    /* It has removed the signs of launchers that have started it, but not the step's. */
    for (const struct wi4go_launcher *l = wi4go_launchers; l->name; l++)
        if (l->every_family && wi4go_launcher_number(l, LAUNCHER_RANK))
            return l;
    const char *manager = step ? manager_of_step(step->step) : "";
    for (const struct wi4go_launcher *l = NULL; *manager && (l = wi4go_launcher_next(l));)
        if (!strcmp(l->manager, manager))
            return l;
    for (const struct wi4go_launcher *l = NULL; (l = wi4go_launcher_next(l));)
        if (wi4go_launcher_number(l, LAUNCHER_RANK))
            return l;
    return NULL;
}

/* Reports whether a number is absent or equals the step's. */
static bool matches(const char *number, const char *task) { return !number || is_text(task, number); }

/* Adds the numbers of a step to start, unless a launcher inside the step has started this process: such a launcher counts
   in its own way. */
static void add_step(struct wi4go_start *start, const struct wi4go_launcher *step)
{
    const char *task[LAUNCHER_NUMBERS];
    for (int i = 0; i < LAUNCHER_NUMBERS; i++)
        task[i] = wi4go_launcher_number(step, i);
    task[LAUNCHER_LOCAL_SIZE] = tasks_on(wi4go_launcher_value(step->step->node), wi4go_launcher_value(step->step->tasks), start->tasks);
    if (!matches(start->number[LAUNCHER_RANK], task[LAUNCHER_RANK]) || !matches(start->number[LAUNCHER_SIZE], task[LAUNCHER_SIZE]) ||
        !matches(wi4go_launcher_value("PMIX_RANK"), task[LAUNCHER_RANK]))
        return;
    if (task[LAUNCHER_RANK] && task[LAUNCHER_SIZE] && !(start->like && start->like->every_family))
        start->by = step;
    for (int i = 0; i < LAUNCHER_NUMBERS; i++)
        start->number[i] = start->number[i] ? start->number[i] : task[i];
}

void wi4go_find_start(struct wi4go_start *start)
{
    const struct wi4go_launcher *step = launcher_of_step(), *like = find_like(step);
    *start = (struct wi4go_start){.by = like, .like = like};
    for (int i = 0; like && i < LAUNCHER_NUMBERS; i++)
        start->number[i] = wi4go_launcher_number(like, i);
    if (step)
        add_step(start, step);
    /* On a host, processes of other jobs are counted before spawned ones, so the local rank is no
       node rank for these. */
    const char *spawned = wi4go_launcher_value("PMI_SPAWNED");
    if (!start->number[LAUNCHER_NODE_RANK] && (!spawned || !strcmp(spawned, "0")))
        start->number[LAUNCHER_NODE_RANK] = start->number[LAUNCHER_LOCAL_RANK];
}
