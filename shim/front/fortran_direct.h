/*
 * The direct procedures of Fortran: the interface between a Fortran library and the front below
 * it. Such a procedure (mpi_send_) only jumps to the address in the library's table. This is one
 * of two bodies: the library's own, which converts to handles of C and calls the function in C;
 * or the pair's, which calls the runtime with its own handles at once (gen/pair/fortran_direct.go,
 * mappers/fortran_direct_bodies.h).
 *
 * No argument may be absent there, not even ierror: procedures of mpi_f08 (mpi_send_f08_) supply
 * one. A procedure of mpi_f08 whose choice buffers are descriptors (mpi_send_f08ts_) is a
 * separate entry, which uses mpi_f08's constants and may have no ierror.
 *
 * Gives: struct wi4go_fortran_library, struct wi4go_fortran_constants,
 * wi4go_fortran_begins, struct wi4go_inner_function, wi4go_fortran_inner.
 */
#ifndef WI4GO_FORTRAN_DIRECT_H
#define WI4GO_FORTRAN_DIRECT_H

/* The addresses that are the program's constants. */
struct wi4go_fortran_constants {
    const void *bottom, *in_place, *status_ignore, *statuses_ignore;
};

/* A direct procedure of a Fortran library. */
struct wi4go_fortran_procedure {
    const char *function; /* for example "MPI_Send" */
    int described;        /* 1 if its choice buffers are descriptors */
    void *body;           /* the library's own body */
    void *call;           /* the function in C that this body calls; a tool's function if a tool defines the name */
};

/* A Fortran library as it registers itself with the front. */
struct wi4go_fortran_library {
    int form;             /* the version of this structure: library and front may come from two installations */
    int n;                /* the number of procedures and entries */
    const struct wi4go_fortran_procedure *procedures;
    void **entries;       /* the addresses that the procedures jump to: the bodies at first, later written by the front */
    struct wi4go_fortran_constants constants, described_constants;
};
#define WI4GO_FORTRAN_FORM 2

/* Called by a Fortran library that is in the process, and stays there: registers it with the
   front. */
void wi4go_fortran_begins(const struct wi4go_fortran_library *library);

/* A function that a Fortran library calls for its own purposes (inner.h), and its pointer to the
   place that holds the address to call. wi4go_fortran_inner, in the front, makes the pointers
   point into wi4go_inner. Older fronts do not have it. */
struct wi4go_inner_function {
    const char *name;      /* for example "MPI_Comm_f2c" */
    void *const **pointer;
};
void wi4go_fortran_inner(const struct wi4go_inner_function *functions, int n);
#endif
