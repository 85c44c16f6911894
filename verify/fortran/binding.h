/*
 * Calls MPI from C as a compiled Fortran program does, so that one text of a test serves
 * every family and binding: mpif.h and `use mpi`, which call the same procedures, or
 * mpi_f08, if F08 is defined. The differences between families are in a header of each
 * family (VERIFY_FAMILY).
 *
 * Arguments go by reference. The lengths of strings go by value, after ierror.
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

/* Returns a procedure by its symbol, declared with any arguments. */
#define PROCEDURE(name) \
    ({ \
        extern void name(); \
        name; \
    })
/* Attributes of a variable that is a common block, which a Fortran program defines itself. */
#define COMMON __attribute__((common, visibility("default")))

/* Returns a procedure that the program is not linked with. If the library lacks it, judges
   the case as absent and returns a procedure that does nothing. */
typedef void procedure();
procedure *looked_up(const char *name);
/* Casts a procedure to a function with a LOGICAL result. */
#define LOGICAL(procedure) ((MPI_Fint(*)())(void *)(procedure))
/* Returns a constant that is an address, looked up in the same way. */
MPI_Fint *constant_at(const char *name);

/* Return a choice buffer as the binding passes it: ARRAY for an array of n elements, SCALAR
   for a variable or a constant, and array for one with several dimensions or gaps. Extents
   and strides are in elements, and size is the bytes of an element. */
#define ARRAY(base, size, n) array(base, size, 1, &(ptrdiff_t){n}, &(ptrdiff_t){1})
#define SCALAR(base) array(base, 4, 0, NULL, NULL)
void *array(void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride);

/* The same as a descriptor in any case, for procedures with large counts. */
#define LARGEARRAY(base, size, n) described(base, size, 1, &(ptrdiff_t){n}, &(ptrdiff_t){1})
void *described(void *base, size_t size, int rank, const ptrdiff_t *extent, const ptrdiff_t *stride);

/* The header of the family defines:
   PLAIN(x), CHOICE(x)         the procedure MPI_X without and with choice buffers
   LARGE(x), LARGECHOICE(x)    the same with large counts, if the family's mpi_f08 has them
   SIZEOF_INTEGERS             MPI_SIZEOF of an array of INTEGER
   SIZEOF_DOUBLE               MPI_SIZEOF of a DOUBLE PRECISION
   COMPARE(kind, EQUAL)        the function that == of handles of this kind calls
   C_COMM, F_COMM              convert a communicator from Fortran to C, and back */
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

/* The error code of a call. IERROR is its address; in mpi_f08, every second call passes no
   ierror (NULL), and ierror is set to MPI_SUCCESS. */
extern MPI_Fint ierror;
MPI_Fint *ierror_or_none(void);
#define IERROR ierror_or_none()

/* Makes a call. Unless it succeeds, judges the case and returns. */
#define MUST(call) \
    do { \
        ierror = -1; \
        call; \
        if (ierror != MPI_SUCCESS) { \
            failed(#call, ierror); \
            return; \
        } \
    } while (0)
/* Judges the case as wrong by a call that failed: call is PLAIN(x)(…) or CHOICE(x)(…). */
void failed(const char *call, MPI_Fint code);

/* Return the address of a value, as an argument. */
#define INT(value) (&(MPI_Fint){value})
#define ADDRESS(value) (&(MPI_Aint){value})
/* A status, and its members. */
enum { STATUS_SIZE = sizeof(MPI_Status) / sizeof(MPI_Fint) };
typedef MPI_Fint status[STATUS_SIZE];
#define SOURCE(s) ((s)[offsetof(MPI_Status, MPI_SOURCE) / sizeof(MPI_Fint)])
#define TAG(s) ((s)[offsetof(MPI_Status, MPI_TAG) / sizeof(MPI_Fint)])

extern MPI_Fint rank, size; /* in MPI_COMM_WORLD */
extern const char *file;     /* a path that tests may use for a file, the same on all ranks */

/* A basic type. */
typedef struct {
    const char *name;
    MPI_Fint type; /* the Fortran handle */
    size_t size;   /* size of an element in bytes */
} kind;
/* A case: n elements of a basic type. */
typedef struct {
    const kind *of;
    MPI_Fint n;
} place;

/* A test. */
typedef struct {
    const char *name; /* the procedure, the binding, and a variant: MPI_SEND:mpif.h */
    int ranks;        /* the least number of ranks */
    int over;         /* 0 for one case, else a case for each type and count */
    void (*run)(const place *);
} test;
/* The table of tests, in tests.c. */
extern const test tests[];
extern const int num_tests;
#endif
