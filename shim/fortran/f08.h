/*
 * What modules of mpi_f08 hold, by the names that gfortran gives it.
 *
 * Gives: struct type_of_module, TYPE_PARTS and the like.
 * Needs: layer.h.
 */
#ifndef WI4GO_F08_H
#define WI4GO_F08_H
#include "layer.h"

/* What gfortran knows of a type where a value of it is a CLASS(*): the number of its
   name, its size, a value that is not yet defined, and how to copy one. */
struct type_of_module {
    int hash;
    size_t size;
    const void *extends, *initial;
    void (*copy)(const void *from, void *to);
    void *finalize, *deallocate;
};

#define TYPE_PARTS(module, of, Derived, Type, number) \
    void __##module##_MOD___copy_##of##_##Derived(const void *from, void *to); \
    void __##module##_MOD___copy_##of##_##Derived(const void *from, void *to) { memcpy(to, from, sizeof(Type)); } \
    extern Type __##module##_MOD___def_init_##of##_##Derived; \
    Type __##module##_MOD___def_init_##of##_##Derived; \
    extern struct type_of_module __##module##_MOD___vtab_##of##_##Derived; \
    struct type_of_module __##module##_MOD___vtab_##of##_##Derived = { \
        .hash = number, \
        .size = sizeof(Type), \
        .initial = &__##module##_MOD___def_init_##of##_##Derived, \
        .copy = __##module##_MOD___copy_##of##_##Derived, \
    };
#define TYPE_OF_MODULE(module, Derived, Type, number) TYPE_PARTS(module, module, Derived, Type, number)

/* == and /= of handles. */
#define COMPARED(module, kind) \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_eq(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_eq(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; } \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_ne(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_ne(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }

#define COMPARE(name, is) \
    MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b) { return *a is *b; }
#define COMPARISON(name, other, is) COMPARE(name, is) NAME(other, name)

/* A handle of Fortran's as one of C's, by value, and a status that is another one: they
   are the same in MPICH. */
#define SAME_HANDLE(name) \
    MPI_Fint name(MPI_Fint handle); \
    MPI_Fint name(MPI_Fint handle) { return handle; }
#define SAME_STATUS(name) \
    void name(const void *from, void *to, MPI_Fint *ierror) \
    { \
        memcpy(to, from, sizeof(MPI_Status)); \
        RESULT(MPI_SUCCESS); \
    }
#define ASSIGN_STATUS(name) \
    void name(void *to, const void *from); \
    void name(void *to, const void *from) { memcpy(to, from, sizeof(MPI_Status)); }

/* A predefined handle: a variable of old, and one of the module. */
#define CONSTANT(variable, of_module, number) \
    extern const MPI_Fint variable, of_module; \
    const MPI_Fint variable = number, of_module = number;
#endif
