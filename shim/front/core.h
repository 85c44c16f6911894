/*
 * The way from a front to the core, libwi4go.so (Go, shim/core).
 *
 * Gives: struct core_request, struct core_functions, struct core_family.
 */
#ifndef WI4GO_CORE_H
#define WI4GO_CORE_H

/* An ABI family, a symbol that its libraries have and no others, and whether their
   symbols have to be in the global scope; and the part of a library that releases have
   divided, or NULL. A family may be there by two symbols. */
struct core_family {
    const char *name, *mark;
    int global;
    const char *part;
};

/* What a front asks for, and the answer. All memory is the front's. */
struct core_request {
    const char *front;            /* the front's family */
    const char *default_library;  /* where WI4GO_TO names none; NULL: the command is asked */
    const char *front_directory;  /* libraries under here are never the runtime */
    const struct core_family *families;
    int n_families;
    const char *const *launcher_prefixes; /* beginnings of launchers' variables, NULL at the end */
    int n_functions;
    const char *const *names;     /* "MPI_Send"; looked up as PMPI_Send, then MPI_Send */
    void **functions;             /* out: addresses, NULL where the runtime has none */
    void *handle;                 /* out: the runtime's dlopen handle */
    char *library;                /* out: the runtime's file */
    int library_size;
    char *family;                 /* out: the runtime's family */
    int family_size;
    char *error;                  /* out: what went wrong, with its cure */
    int error_size;
};

/* A table of handles (handletable.h) and what kind they are: "MPI_Comm". */
struct core_table {
    const char *kind;
    void *table;
};

struct core_functions {
    int (*start)(void);                      /* has the Go runtime up when it returns */
    int (*load)(struct core_request *);      /* 0, or non-zero with error filled */
    int (*ask)(char *const argv[], char *answer, int size); /* shim/core/ask.h; C, so for forked children too */
    void (*leftover)(struct core_table *tables, int n, char *answer, int size); /* what handles are not freed; "" for none */
};
#endif
