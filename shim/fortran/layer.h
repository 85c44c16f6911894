/*
 * The Fortran layer: procedures of mpif.h and `use mpi` over the front's functions. What
 * differs between families is in a header that make names (FORTRAN_FAMILY).
 *
 * Arguments come by reference. ierror may be absent. The lengths of CHARACTER
 * arguments come by value after all others; compilers have them as 32 or 64 bits, and an
 * int is right for both, since each has its own register or place on the stack. A LOGICAL
 * is true when it is not 0; 1 is true for every compiler.
 *
 * Gives: NAME, NAMES, RESULT, GIVEN, SIZEOF and what else the procedures are written by.
 * Needs: mpi.h, frequent.h.
 */
#ifndef WI4GO_LAYER_H
#define WI4GO_LAYER_H
#include "mpi.h"
#include "frequent.h"
#include <stdlib.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Other names of the procedure x_, which mpi_f08 has as well, or has not. */
#define NAME(name, of) extern __typeof__(of) name __attribute__((alias(#of)));
#define NAMES(x, X) NAMES_F77(x, X) NAME(x##_f08_, x##_) NAME(p##x##_f08_, x##_)
#define NAMES_F77(x, X) \
    NAME(x, x##_) NAME(x##__, x##_) NAME(X, x##_) \
    NAME(p##x, x##_) NAME(p##x##_, x##_) NAME(p##x##__, x##_) NAME(P##X, x##_)

/* Those of a frequent procedure, of which mpi_f08 has its own or the same, and that for our
   own procedures of descriptors. */
#define NAMES_FREQUENT(x, X) NAMES_F77(x, X) NAME(p##x##_f08_, x##_f08_) INSIDE(x, #x "_f08_")
#define NAMES_OF_BOTH(x, X) NAMES(x, X) INSIDE(x, #x "_")
#define INSIDE(x, of) extern __typeof__(x##_) wi4go_##x __attribute__((alias(of), visibility("hidden")));

#define RESULT(rc) \
    do { \
        const int result = (rc); \
        if (likely(ierror != NULL)) \
            *ierror = result; \
    } while (0)

/* Where a frequent procedure, which asks for a place, has the error code that the program
   does not (frequent.h). */
static __thread MPI_Fint no_ierror __attribute__((tls_model("initial-exec"), unused));
#define GIVEN(ierror) (likely((ierror) != NULL) ? (ierror) : &no_ierror)

/* MPI_SIZEOF, which needs no more than the type of its argument (MPI-5.0, 19.1.10). */
#define SIZEOF(name, bytes) \
    void name(void *x, MPI_Fint *size, MPI_Fint *ierror) \
    { \
        (void)x; \
        *size = bytes; \
        RESULT(MPI_SUCCESS); \
    } \
    NAME(p##name, name)

#include FORTRAN_FAMILY

/* The frequent procedures (frequent.h), which the generator lists: where each jumps to, and
   what the front is told of it. */
#define HIDDEN_IN_LAYER __attribute__((visibility("hidden")))
extern void *wi4go_fortran_entries[] HIDDEN_IN_LAYER;

/* A procedure that jumps to the entry if the error code's place is given, which is so far up
   the stack, and to absent_NAME if not. A compiler would write the stack's arguments again. */
#ifdef __x86_64__
#define JUMPS(name, entry, place, ...) \
    __attribute__((naked)) void name(__VA_ARGS__) \
    { \
        __asm__("cmpq\t$0, " #place "(%rsp)\n\tje\tabsent_" #name "\n\tjmp\t*wi4go_fortran_entries+8*" #entry "(%rip)"); \
    }
#else
#define JUMPS(name, entry, place, ...) NAME(name, absent_##name)
#endif
extern const struct wi4go_fortran_procedure wi4go_fortran_procedures[] HIDDEN_IN_LAYER;
extern const int wi4go_fortran_frequent HIDDEN_IN_LAYER;

#define STATUSES(to, from, n) memcpy(to, from, (n) > 0 ? (size_t)(n) * sizeof(MPI_Status) : 0)

/* ---- memory for the time of a call ---- */

static inline void release(void *memory)
{
    void *p = *(void **)memory;
    if (unlikely(p != NULL))
        free(p);
}

/* An array of n elements, on the stack while they are few. */
#define FEW(Type) (512 / sizeof(Type))
#define ARRAY(Type, name, n) \
    Type few_##name[FEW(Type)], *name = few_##name, *many_##name __attribute__((cleanup(release))) = NULL; \
    if (unlikely((n) > (int)FEW(Type)) && !(name = many_##name = malloc((size_t)(n) * sizeof(Type)))) { \
        RESULT(MPI_ERR_NO_MEM); \
        return; \
    }

/* ---- strings ---- */

#define STRING_SIZE(length) ((length) > 0 ? (length) + 1 : 1)

/* Without the blanks at its end. */
static inline int trimmed(const char *f, int length)
{
    while (length > 0 && f[length - 1] == ' ')
        length--;
    return length > 0 ? length : 0;
}

/* Without the blanks at both ends, as MPI-5.0, 10, asks of infos. */
static inline void info_in(char *c, const char *f, int length)
{
    for (length = trimmed(f, length); length > 0 && *f == ' '; length--)
        f++;
    memcpy(c, f, (size_t)length);
    c[length] = 0;
}

static inline void string_in(char *c, const char *f, int length)
{
    if (TRIMS_ALL) {
        info_in(c, f, length);
        return;
    }
    length = trimmed(f, length);
    memcpy(c, f, (size_t)length);
    c[length] = 0;
}

/* Cut, or padded with blanks. */
static inline void string_out(char *f, int length, const char *c)
{
    const size_t room = length > 0 ? (size_t)length : 0, n = strnlen(c, room);
    memcpy(f, c, n);
    memset(f + n, ' ', room - n);
}

/* ---- how many elements an array has ---- */

/* Whether the error is one of single requests, whose indices are valid. */
int is_in_status(int rc) HIDDEN_IN_LAYER;
int peers(MPI_Comm comm) HIDDEN_IN_LAYER;
int indegree(MPI_Comm comm) HIDDEN_IN_LAYER;
int outdegree(MPI_Comm comm) HIDDEN_IN_LAYER;
#endif
