/*
 * What a front has for its Fortran layer: in C what calls a procedure of Fortran's, with
 * the numbers of handles. Each is NULL when memory is exhausted. For front sources alone.
 *
 * Gives: FORTRAN_OPERATION, FORTRAN_HANDLER.
 * Needs: front.h, slots.h.
 */
#ifndef WI4GO_PROCEDURES_H
#define WI4GO_PROCEDURES_H
#include "front.h"
#include "slots.h"

int PMPI_Comm_c2f(void *comm);
int PMPI_File_c2f(void *file);
int PMPI_Session_c2f(void *session);
int PMPI_Type_c2f(void *datatype);
int PMPI_Win_c2f(void *win);

static void fortran_operation(void *in, void *inout, void *len, void **datatype, void *unused, const struct wi4go_callback *c)
{
    int number = INNER(MPI_Type_c2f)(*datatype);
    (void)unused;
    ((void (*)(void *, void *, void *, int *))c->call)(in, inout, len, &number);
}
#define FORTRAN_OPERATION(name, kind) \
    void *wi4go_fortran_##name(void *function); \
    void *wi4go_fortran_##name(void *function) { return wi4go_trampoline(kind, function, (void *)fortran_operation); }

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
