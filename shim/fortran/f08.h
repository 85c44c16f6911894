/*
 * The contents of mpi_f08's compiled modules, under the names that gfortran generates: type
 * descriptors, comparisons of handles, and predefined handles. All of it is constant data
 * and functions without state.
 *
 * Gives: struct type_of_module, TYPE_PARTS and the like.
 * Needs: library.h.
 */
#ifndef WI4GO_F08_H
#define WI4GO_F08_H
#include "library.h"

/* gfortran's type descriptor (vtab), which accompanies a value passed as CLASS(*). */
struct type_of_module {
    int hash;                                 /* the number of the type's name */
    size_t size;                              /* size of a value in bytes */
    const void *extends, *initial;            /* the parent type (NULL: none); the initial value */
    void (*copy)(const void *from, void *to); /* copies a value */
    void *finalize, *deallocate;              /* NULL: the type has neither */
};

/* Defines the copy function, the initial value and the descriptor of type `of`::Derived, as
   the module refers to it. TYPE_OF_MODULE does so for a type that the module itself defines. */
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

/* Define the functions for == and /= of handles: under Open MPI's names (COMPARED), and under
   any two names (COMPARISON). They return a LOGICAL. */
#define COMPARED(module, kind) \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_eq(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_eq(const MPI_Fint *a, const MPI_Fint *b) { return *a == *b; } \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_ne(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint __##module##_MOD_ompi_##kind##_op_ne(const MPI_Fint *a, const MPI_Fint *b) { return *a != *b; }

#define COMPARE(name, is) \
    MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b); \
    MPI_Fint name(const MPI_Fint *a, const MPI_Fint *b) { return *a is *b; }
#define COMPARISON(name, other, is) COMPARE(name, is) NAME(other, name)

/* Define conversions between Fortran and C that MPICH needs only by name, because both sides
   are the same: a handle by value, a copied status, and an assignment of statuses. */
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

/* Defines a predefined handle under two names: an older variable, and one of the module. */
#define CONSTANT(variable, of_module, number) \
    extern const MPI_Fint variable, of_module; \
    const MPI_Fint variable = number, of_module = number;
#endif
