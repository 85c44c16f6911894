/*
 * The Fortran library: the procedures of mpif.h and `use mpi`, implemented by calls of the
 * front's C functions. This header defines the macros and helpers that all of them use. The
 * differences between families are in a header that the build names in FORTRAN_FAMILY.
 *
 * Calling convention: arguments come by reference. ierror may be absent (NULL). The lengths
 * of CHARACTER arguments come by value after all other arguments; compilers pass them as 32
 * or 64 bits, and an int reads both correctly, because each has its own register or stack
 * slot. A LOGICAL is true if it is not 0; 1 is true for every compiler.
 *
 * Ownership: memory for converted arguments lives for one call. It is on the stack or is
 * freed when the procedure returns. Threads share only the table of entries, which the front
 * writes.
 *
 * Gives: NAME, NAMES, RESULT, GIVEN_IERROR, SIZEOF and the other macros of the procedures.
 * Needs: mpi.h, fortran_direct.h.
 */
#ifndef WI4GO_LIBRARY_H
#define WI4GO_LIBRARY_H
#include "mpi.h"
#include "fortran_direct.h"
#include <stdlib.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Each declares the other names of a procedure x_ as aliases of it. NAME declares one alias.
   NAMES declares the spellings of all compilers, the profiling names, and the names of
   mpi_f08. NAMES_F77 does the same without mpi_f08. */
#define NAME(name, of) extern __typeof__(of) name __attribute__((alias(#of)));
#define NAMES(x, X) NAMES_F77(x, X) NAME(x##_f08_, x##_) NAME(p##x##_f08_, x##_)
#define NAMES_F77(x, X) \
    NAME(x, x##_) NAME(x##__, x##_) NAME(X, x##_) \
    NAME(p##x, x##_) NAME(p##x##_, x##_) NAME(p##x##__, x##_) NAME(P##X, x##_)

/* The names of a direct procedure (fortran_direct.h). With NAMES_DIRECT, mpi_f08 has its own
   procedure x_f08_; with NAMES_OF_BOTH, mpi_f08 uses x_ too. HIDDEN_ALIAS adds wi4go_x, a hidden
   alias that this library's procedures with array descriptors (x_f08ts) call. */
#define NAMES_DIRECT(x, X) NAMES_F77(x, X) NAME(p##x##_f08_, x##_f08_) HIDDEN_ALIAS(x, #x "_f08_")
#define NAMES_OF_BOTH(x, X) NAMES(x, X) HIDDEN_ALIAS(x, #x "_")
#define HIDDEN_ALIAS(x, of) extern __typeof__(x##_) wi4go_##x __attribute__((alias(of), visibility("hidden")));

/* Stores rc, which is evaluated once, in ierror, if the program passed one. */
#define RESULT(rc) \
    do { \
        const int result = (rc); \
        if (likely(ierror != NULL)) \
            *ierror = result; \
    } while (0)

/* A direct procedure requires an ierror (fortran_direct.h). GIVEN_IERROR returns the program's, or
   the address of this variable of the thread if the program passed none. */
static __thread MPI_Fint no_ierror __attribute__((tls_model("initial-exec"), unused));
#define GIVEN_IERROR(ierror) (likely((ierror) != NULL) ? (ierror) : &no_ierror)

/* Defines MPI_SIZEOF for one type; the result depends only on the type of the argument
   (MPI-5.0, 19.1.10). */
#define SIZEOF(name, bytes) \
    void name(void *x, MPI_Fint *size, MPI_Fint *ierror) \
    { \
        (void)x; \
        *size = bytes; \
        RESULT(MPI_SUCCESS); \
    } \
    NAME(p##name, name)

#include FORTRAN_FAMILY

/* The tables of the direct procedures (fortran_direct.h), which the generator writes. An entry of
   wi4go_fortran_entries is the address that the procedure jumps to; the front rewrites
   entries atomically while the program runs. wi4go_fortran_procedures describes each
   procedure to the front; wi4go_fortran_direct is the length of both. */
#define HIDDEN_IN_LIBRARY __attribute__((visibility("hidden")))
extern void *wi4go_fortran_entries[] HIDDEN_IN_LIBRARY;

/* Defines a direct procedure. It jumps to its entry, or to absent_NAME if its argument
   ierror, at `place` bytes from the stack pointer, is NULL. It is in assembly because a
   compiler would copy the arguments on the stack before the jump. */
#ifdef __x86_64__
#define JUMPS(name, entry, place, ...) \
    __attribute__((naked)) void name(__VA_ARGS__) \
    { \
        __asm__("cmpq\t$0, " #place "(%rsp)\n\tje\tabsent_" #name "\n\tjmp\t*wi4go_fortran_entries+8*" #entry "(%rip)"); \
    }
#else
#define JUMPS(name, entry, place, ...) NAME(name, absent_##name)
#endif
extern const struct wi4go_fortran_procedure wi4go_fortran_procedures[] HIDDEN_IN_LIBRARY;
extern const int wi4go_fortran_direct HIDDEN_IN_LIBRARY;

/* Copies n statuses; n may be negative, and then nothing is copied. */
#define STATUSES(to, from, n) memcpy(to, from, (n) > 0 ? (size_t)(n) * sizeof(MPI_Status) : 0)

/* ---- memory for the time of a call ---- */

/* Frees the block that a variable points to. For __attribute__((cleanup)). */
static inline void free_pointed(void *memory)
{
    void *p = *(void **)memory;
    if (unlikely(p != NULL))
        free(p);
}

/* Declares an array of n elements: on the stack if it fits into 512 bytes, else on the heap
   and freed when the procedure returns. If memory is exhausted, the procedure returns with
   MPI_ERR_NO_MEM. */
#define FEW(Type) (512 / sizeof(Type))
#define ARRAY(Type, name, n) \
    Type few_##name[FEW(Type)], *name = few_##name, *many_##name __attribute__((cleanup(free_pointed))) = NULL; \
    if (unlikely((n) > (int)FEW(Type)) && !(name = many_##name = malloc((size_t)(n) * sizeof(Type)))) { \
        RESULT(MPI_ERR_NO_MEM); \
        return; \
    }

/* ---- strings ---- */

/* Returns the size of the C string for a CHARACTER of this length, with its final 0. */
#define STRING_SIZE(length) ((length) > 0 ? (length) + 1 : 1)

/* Returns the length of a CHARACTER without the blanks at its end. */
static inline int trimmed(const char *f, int length)
{
    while (length > 0 && f[length - 1] == ' ')
        length--;
    return length > 0 ? length : 0;
}

/* Writes a CHARACTER as a C string without the blanks at both ends, as MPI-5.0, 10, requires
   for infos. c has room for STRING_SIZE(length). */
static inline void info_in(char *c, const char *f, int length)
{
    for (length = trimmed(f, length); length > 0 && *f == ' '; length--)
        f++;
    memcpy(c, f, (size_t)length);
    c[length] = 0;
}

/* Writes a CHARACTER as a C string: without the blanks at its end, and with TRIMS_ALL without
   the blanks at its beginning too. c has room for STRING_SIZE(length). */
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

/* Writes a C string as a CHARACTER of this length: cut, or padded with blanks. */
static inline void string_out(char *f, int length, const char *c)
{
    const size_t room = length > 0 ? (size_t)length : 0, n = strnlen(c, room);
    memcpy(f, c, n);
    memset(f + n, ' ', room - n);
}

/* ---- how many elements an array has ---- */

/* is_in_status reports whether an error is MPI_ERR_IN_STATUS: it belongs to single requests,
   and the returned indices are valid. The others return the number of elements of an array
   argument: the ranks of the group that comm communicates with, and the neighbors of the
   calling process in a topology (0 if comm has none). */
int is_in_status(int rc) HIDDEN_IN_LIBRARY;
int peers(MPI_Comm comm) HIDDEN_IN_LIBRARY;
int indegree(MPI_Comm comm) HIDDEN_IN_LIBRARY;
int outdegree(MPI_Comm comm) HIDDEN_IN_LIBRARY;
#endif
