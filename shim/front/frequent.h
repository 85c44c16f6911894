/*
 * The frequent procedures of Fortran: what a Fortran library and the front below it know
 * of each other. Such a procedure (mpi_send_) only jumps to what the library's table has
 * for it: its own body in the library, which goes through handles of C and the function
 * in C, or the one of the pair, which calls the runtime with its handles at once
 * (gen/pair/frequent.go, mappers/frequent_bodies.h). No argument is absent there, ierror
 * neither: mpi_f08's procedures (mpi_send_f08_) bring one. A procedure of mpi_f08 whose
 * choice buffers are descriptors (mpi_send_f08ts_) is another one, which has mpi_f08's
 * constants, and may have no ierror.
 *
 * Gives: struct wi4go_fortran_library, struct wi4go_fortran_constants,
 * wi4go_fortran_begins, struct wi4go_inner_function, wi4go_fortran_inner.
 */
#ifndef WI4GO_FREQUENT_H
#define WI4GO_FREQUENT_H

/* Constants of the program that are addresses. */
struct wi4go_fortran_constants {
    const void *bottom, *in_place, *status_ignore, *statuses_ignore;
};

/* A frequent procedure of a library. */
struct wi4go_fortran_procedure {
    const char *function; /* "MPI_Send" */
    int described;        /* by descriptors */
    void *body;           /* the library's own */
    void *call;           /* the function in C that its own body calls, a tool's where it takes the name */
};

/* Of a library. */
struct wi4go_fortran_library {
    int form;             /* of this structure: library and front may be of two installations */
    int n;
    const struct wi4go_fortran_procedure *procedures;
    void **entries;       /* where they jump to: the front's to write, the bodies at first */
    struct wi4go_fortran_constants constants, described_constants;
};
#define WI4GO_FORTRAN_FORM 2

/* Of the front: the library is in the process, and stays. */
void wi4go_fortran_begins(const struct wi4go_fortran_library *library);

/* A function that a library calls for itself (inner.h), and its pointer to the place of the
   address to call. wi4go_fortran_inner, of the front, sets the pointers to places in
   wi4go_inner; older fronts do not have it. */
struct wi4go_inner_function {
    const char *name;      /* "MPI_Comm_f2c" */
    void *const **pointer;
};
void wi4go_fortran_inner(const struct wi4go_inner_function *functions, int n);
#endif
