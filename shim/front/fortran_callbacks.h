/*
 * The front's support for its Fortran library: for a Fortran procedure used as a callback, returns
 * a C function that calls it with the integers of the handles. The functions return NULL when
 * memory is exhausted. For front sources only.
 *
 * Gives: FORTRAN_OPERATION, FORTRAN_HANDLER.
 * Needs: front.h, slots.h.
 */
#ifndef WI4GO_FORTRAN_CALLBACKS_H
#define WI4GO_FORTRAN_CALLBACKS_H
#include "front.h"
#include "slots.h"

int PMPI_Comm_c2f(void *comm);
int PMPI_File_c2f(void *file);
int PMPI_Session_c2f(void *session);
int PMPI_Type_c2f(void *datatype);
int PMPI_Win_c2f(void *win);

/* The handler of an operation's trampoline: calls the Fortran procedure with the datatype's
   integer. */
static void fortran_operation(void *in, void *inout, void *len, void **datatype, void *unused, const struct wi4go_callback *c)
{
    int number = INNER(MPI_Type_c2f)(*datatype);
    (void)unused;
    ((void (*)(void *, void *, void *, int *))c->call)(in, inout, len, &number);
}
/* Defines wi4go_fortran_NAME, which returns the C function for an operation's procedure. */
#define FORTRAN_OPERATION(name, kind) \
    void *wi4go_fortran_##name(void *function); \
    void *wi4go_fortran_##name(void *function) { return wi4go_trampoline(kind, function, (void *)fortran_operation); }

/* Defines wi4go_fortran_NAME, which returns the C function for an error handler's procedure. c2f
   converts the object's handle to its integer. */
#define FORTRAN_HANDLER(name, c2f, kind) \
    static void fortran_##name(void **object, int *code, void *x, void *y, void *z, const struct wi4go_callback *c) \
    { \
        int number = INNER(c2f)(*object); \
        (void)x, (void)y, (void)z; \
        ((void (*)(int *, int *))c->call)(&number, code); \
    } \
    void *wi4go_fortran_##name(void *function); \
    void *wi4go_fortran_##name(void *function) { return wi4go_trampoline(kind, function, (void *)fortran_##name); }
#endif
