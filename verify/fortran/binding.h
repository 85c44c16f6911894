/*
 * How C calls MPI as a compiled Fortran program does, so that one text of a test serves
 * every family and binding: mpif.h and `use mpi`, which call the same procedures, or
 * mpi_f08, where F08 is defined. What differs between families is in a header of each
 * (VERIFY_FAMILY).
 *
 * Arguments go by reference. The lengths of strings go by value, behind ierror.
 *
 * Gives: PLAIN, CHOICE, MUST, IERROR, ARRAY, SCALAR, INT and the other words of the tests.
 * Needs: mpi.h, for types and constants that have no other value in Fortran;
 * fortran_handles.h, which the generator writes.
 */
#ifndef BINDING_H
#define BINDING_H
#include "mpi.h"
#include "fortran_handles.h"
#include "../results.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A procedure, of any arguments. */
#define PROCEDURE(name) \
    ({ \
        extern void name(); \
        name; \
    })
/* In Fortran programs a common block of this name is the program's own. */
#define COMMON __attribute__((common, visibility("default")))

/* A procedure that is not linked with; where there is none, one that does nothing. */
typedef void procedure();
procedure *looked_up(const char *name);
/* A procedure as a function whose result is a LOGICAL. */
#define LOGICAL(procedure) ((MPI_Fint(*)())(void *)(procedure))
/* A constant that is an address, in the same way. */
MPI_Fint *constant_at(const char *name);

/* A choice buffer: an array of n elements, a variable or a constant, and an array of two
   dimensions or one of which elements are left out; strides are in elements. */
#define ARRAY(base, size, n) array(base, size, 1, &(ptrdiff_t){n}, &(ptrdiff_t){1})
#define SCALAR(base) array(base, 4, 0, NULL, NULL)
void *array(void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride);

/* The same where buffers are descriptors in any case, those of large counts. */
#define LARGEARRAY(base, size, n) described(base, size, 1, &(ptrdiff_t){n}, &(ptrdiff_t){1})
void *described(void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride);

/* PLAIN(x) is the procedure MPI_X without choice buffers, CHOICE(x) one that has some;
   LARGE(x) and LARGECHOICE(x) those of large counts, where the family's mpi_f08 has them.
   SIZEOF_INTEGERS and SIZEOF_DOUBLE are MPI_SIZEOF of an array and of a value,
   COMPARE(kind, EQUAL) what == of the kind's handles calls, and C_COMM and F_COMM make a communicator of C from one of Fortran's, and back. */
#include VERIFY_FAMILY
#ifndef EQUAL
#define EQUAL "eq"
#endif

#ifdef F08
#define BINDING ":mpi_f08"
#define CHAPTER "mpi_f08"
#else
#define BINDING ":mpif.h"
#define CHAPTER "mpif.h and use mpi"
#endif

/* What a call returns. In mpi_f08 every other call has no ierror. */
extern MPI_Fint ierror;
MPI_Fint *ierror_or_none(void);
#define IERROR ierror_or_none()

/* A call that has to give MPI_SUCCESS, or the test ends. */
#define MUST(call) \
    do { \
        ierror = -1; \
        call; \
        if (ierror != MPI_SUCCESS) { \
            failed(#call, ierror); \
            return; \
        } \
    } while (0)
/* Judges a call that gave an error: call is PLAIN(x)(…) or CHOICE(x)(…). */
void failed(const char *call, MPI_Fint code);

/* An argument of a value. */
#define INT(value) (&(MPI_Fint){value})
#define ADDRESS(value) (&(MPI_Aint){value})
/* A status, and its parts. */
enum { STATUS_SIZE = sizeof(MPI_Status) / sizeof(MPI_Fint) };
typedef MPI_Fint status[STATUS_SIZE];
#define SOURCE(s) ((s)[offsetof(MPI_Status, MPI_SOURCE) / sizeof(MPI_Fint)])
#define TAG(s) ((s)[offsetof(MPI_Status, MPI_TAG) / sizeof(MPI_Fint)])

extern MPI_Fint rank, size; /* of MPI_COMM_WORLD */
extern const char *file;     /* a path for a file of the tests' own, the same on all ranks */

/* A case: n elements of a basic type. */
typedef struct {
    const char *name;
    MPI_Fint type;
    size_t size; /* of an element */
} kind;
typedef struct {
    const kind *of;
    MPI_Fint n;
} place;

typedef struct {
    const char *name; /* the procedure, then what is done with it: MPI_SEND:mpif.h */
    int ranks;        /* at least so many */
    int over;         /* types and counts; else it is one case */
    void (*run)(const place *);
} test;
extern const test tests[];
extern const int num_tests;
#endif
