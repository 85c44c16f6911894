/*
 * The launcher that has started this process, and the place of the process in the job, as the environment shows
 * them before MPI_Init. The fronts and the embedded MPI compile this file, each for itself.
 *
 * Gives: struct wi4go_launcher, wi4go_launchers, wi4go_launcher_next, wi4go_launcher_is_signed, wi4go_launcher_value,
 * wi4go_launcher_is_ours, wi4go_launcher_variable, wi4go_launcher_number, struct wi4go_start, wi4go_find_start.
 */
#ifndef WI4GO_LAUNCHERS_H
#define WI4GO_LAUNCHERS_H

#include <stdbool.h>

#define LAUNCHER_HIDDEN __attribute__((visibility("hidden")))

/* The numbers that a launcher gives each process. */
enum { LAUNCHER_RANK, LAUNCHER_SIZE, LAUNCHER_LOCAL_RANK, LAUNCHER_LOCAL_SIZE, LAUNCHER_NODE_RANK, LAUNCHER_NUMBERS };

/* The variables of a job step of a batch system (Step of internal/launchers). */
struct wi4go_step {
    const char *number;              /* the variable with the number of the step */
    const char *node;                /* the variable with the index of the process's node */
    const char *tasks;               /* the variable that lists the number of tasks on each node, as in "2(x3),1" */
    const char *plugin;              /* the variable that names the plugin by which tasks find their process manager */
    const char *namespace_begin;     /* the beginning of a task's PMIX_NAMESPACE */
    const char *library;             /* the variable with the file of a client library for PMI */
    unsigned first_special;          /* the first number of steps without tasks */
    const char *const (*plugins)[2]; /* the beginning of a plugin's name, and its manager; NULL at the end */
};

/* A launcher, from its file in internal/launchers. Lists end with NULL. */
struct wi4go_launcher {
    const char *name;                           /* its file without .json, or NULL at the end of the table */
    const char *title;                          /* its name in messages */
    const char *manager;                        /* the protocol by which its processes ask for their place: "PMI", "PMIx" or "" */
    bool every_family;                          /* it starts programs of every family, and sets the variables of all launchers */
    const struct wi4go_step *step;              /* the step whose tasks it starts, or NULL */
    const char *const *signs;                   /* variables that it sets and wi4go never sets */
    const char *const *job;                     /* variables that name the job */
    const char *const *processes;               /* the beginnings of the names of the processes that start ranks */
    const char *const *sonames;                 /* the sonames of the libraries whose programs it starts; fronts use them */
    const char *const *names[LAUNCHER_NUMBERS]; /* the variables that hold each number */
};

/* All launchers that pass numbers in variables of their own, by precedence. */
extern const struct wi4go_launcher wi4go_launchers[] LAUNCHER_HIDDEN;

/* Returns the next launcher of some families' programs after l, or NULL. For l = NULL it returns the first one. */
const struct wi4go_launcher *wi4go_launcher_next(const struct wi4go_launcher *l) LAUNCHER_HIDDEN;

/* Reports whether the launcher has started this process, by a variable that wi4go never sets. */
bool wi4go_launcher_is_signed(const struct wi4go_launcher *launcher) LAUNCHER_HIDDEN;

/* Returns the value of a variable, or NULL if it is not set or is empty. */
const char *wi4go_launcher_value(const char *name) LAUNCHER_HIDDEN;

/* Reports whether wi4go has set a rank variable, according to the list WI4GO_RANK_VARIABLES. */
bool wi4go_launcher_is_ours(const char *name) LAUNCHER_HIDDEN;

/* Returns wi4go_launcher_value, but NULL for a rank variable that wi4go has set and no launcher. */
const char *wi4go_launcher_variable(const char *name) LAUNCHER_HIDDEN;

/* Returns one of the numbers that a launcher gives this process (LAUNCHER_RANK …) as text, or NULL. */
const char *wi4go_launcher_number(const struct wi4go_launcher *launcher, int which) LAUNCHER_HIDDEN;

/* The start of this process. */
struct wi4go_start {
    /* The launcher that has started this process, or NULL. */
    const struct wi4go_launcher *by;
    /* The launcher whose libraries learn their numbers from it: the same, or for a step of a batch system a launcher with
       the same process manager. NULL if there is none. */
    const struct wi4go_launcher *like;
    /* The numbers as text, in the environment or in tasks; NULL for a number that the launcher does not give. */
    const char *number[LAUNCHER_NUMBERS];
    char tasks[10]; /* storage for a number, so the structure cannot be copied */
};

/* Finds the start of this process by the rules of rankvars.Find (internal/rankvars). */
void wi4go_find_start(struct wi4go_start *start) LAUNCHER_HIDDEN;

#endif
