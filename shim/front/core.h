/*
 * The interface between a front and the core, libwi4go.so (Go, shim/core).
 *
 * Gives: struct core_request, struct core_functions, struct core_family, struct core_range.
 */
#ifndef WI4GO_CORE_H
#define WI4GO_CORE_H

/* An ABI family as the core recognizes its libraries. A family may appear twice, with different
   symbols. */
struct core_family {
    /* name: the family. mark: a symbol that only its libraries have. */
    const char *name, *mark;
    int global;       /* 1: their symbols have to be in the global scope */
    const char *part; /* the part of a library that newer releases have split off; or NULL */
};

/* A request of a front to the core, and the core's answer. The front owns all memory. */
struct core_request {
    const char *front;            /* the front's family */
    const char *default_library;  /* used if WI4GO_TO is not set, or NULL if the core runs the command instead */
    const char *front_directory;  /* libraries below this directory are never the runtime */
    const struct core_family *families; /* the families to recognize */
    int n_families;
    const char *const *launcher_prefixes; /* prefixes of launchers' variables, NULL at the end */
    int n_functions;
    const char *const *names;     /* for example "MPI_Send"; looked up as PMPI_Send, then as MPI_Send */
    void **functions;             /* out: addresses, NULL for a function that the runtime lacks */
    void *handle;                 /* out: the runtime's dlopen handle */
    char *library;                /* out: the runtime's file */
    int library_size;
    char *family;                 /* out: the runtime's family */
    int family_size;
    char *error;                  /* out: the error, with its cure */
    int error_size;
};

/* A table of handles (handletable.h) and the type of its handles, such as "MPI_Comm". */
struct core_table {
    const char *kind;
    void *table;
};

/* A part of the memory of the process, from its first byte to the byte after its last one. */
struct core_range {
    char *from, *to;
};

/* The functions that the core exports. */
struct core_functions {
    int (*start)(void);                      /* the Go runtime is up when it returns */
    int (*load)(struct core_request *);      /* returns 0, or non-zero with error filled */
    int (*ask)(char *const argv[], char *answer, int size);                     /* see shim/core/ask.h; C, so forked children may call it too */
    void (*leftover)(struct core_table *tables, int n, char *answer, int size); /* writes the handles that are not freed, "" if none */
    int (*memory)(const struct core_range **ranges);                            /* see shim/core/memory.h */
    int (*signal_threads)(int signal);                                          /* see shim/core/threads.h */
};
#endif
