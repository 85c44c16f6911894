/*
 * Error classes and codes (MPI-5.0, 9.4 and 9.5). The conversion is a bijection on all ints: a
 * callback may return any value and the program must get it back, and a code that the program
 * passes to MPI_Error_string must become the runtime's own again.
 *
 * Predefined classes are converted by a generated table. Open MPI numbers the classes and codes
 * that a program adds from 93 on, among the values that MPICH predefines. An MPICH program gets
 * them from 0x40000001 on, where MPICH itself begins, and the unused values of the table are
 * exchanged with the first values of that range. The classes of the standard ABI have numbers
 * beyond a thousand, so a generated function converts them. MPI_ERR_LASTCODE is not a class,
 * but Open MPI's library accepts it as one; it is exchanged with the value that the table has
 * for Open MPI's MPI_ERR_LASTCODE.
 *
 * If MPI_Error_class returns a class that the program's family lacks, the program gets
 * MPI_ERR_OTHER (class_r2a).
 *
 * Gives: error_a2r, error_r2a, class_r2a.
 * Needs: pair.h.
 */
#ifndef WI4GO_ERRORS_H
#define WI4GO_ERRORS_H
#include "pair.h"

#if SAME_FAMILY
static inline int error_a2r(int code) { return code; }
static inline int error_r2a(int code) { return code; }
static inline int class_r2a(int class) { return class; }
#else
/* Returns the runtime's code for the program's. */
#define error_a2r PAIR(error_a2r)
int error_a2r(int code) HIDDEN __attribute__((cold, noinline));
/* Returns the program's code for the runtime's. */
#define error_r2a PAIR(error_r2a)
int error_r2a(int code) HIDDEN __attribute__((cold, noinline));
/* Returns the program's class for a result of the runtime's MPI_Error_class. */
#define class_r2a PAIR(class_r2a)
int class_r2a(int class) HIDDEN __attribute__((cold, noinline));

#if DEFINES_SHARED
/* The table's value for the runtime's MPI_ERR_LASTCODE, if the runtime accepts that as a class. */
#if R_LASTCODE_IS_CLASS && ERROR_CLASSES_ARE_SPARSE
#define LAST_IN_TABLE ((int)error_class_r2a(R_MPI_ERR_LASTCODE))
#elif R_LASTCODE_IS_CLASS
#define LAST_IN_TABLE error_r2a_table[R_MPI_ERR_LASTCODE]
#else
#define LAST_IN_TABLE A_MPI_ERR_LASTCODE
#endif
/* Returns the code a, with the program's MPI_ERR_LASTCODE and LAST_IN_TABLE exchanged. */
static inline int swap_lastcode(int a)
{
    return a == A_MPI_ERR_LASTCODE ? LAST_IN_TABLE : a == LAST_IN_TABLE ? A_MPI_ERR_LASTCODE : a;
}

#if ERROR_CLASSES_ARE_SPARSE
/* Returns the code with two ranges exchanged: the one from which Open MPI adds codes, and the
   one from which the standard ABI does (MPI-5.0, 9.5: above MPI_ERR_LASTCODE). Each is as long
   as the distance between their beginnings. */
#if R_ADDS_AMONG_CLASSES
static int swap_added(int code)
{
    const unsigned n = A_FIRST_ADDED_ERROR - R_FIRST_ADDED_ERROR;
    if ((unsigned)code - R_FIRST_ADDED_ERROR < n)
        return code + A_FIRST_ADDED_ERROR - R_FIRST_ADDED_ERROR;
    if ((unsigned)code - A_FIRST_ADDED_ERROR < n)
        return code - A_FIRST_ADDED_ERROR + R_FIRST_ADDED_ERROR;
    return code;
}
#else
#define swap_added(code) (code)
#endif

int error_r2a(int code)
{
    return swap_lastcode((int)error_class_r2a(swap_added(code)));
}

int class_r2a(int class)
{
    return swap_lastcode((int)known_class_r2a(swap_added(class)));
}

int error_a2r(int code)
{
    return swap_added((int)error_class_a2r(swap_lastcode(code)));
}
#elif R_ADDS_AMONG_CLASSES
#define ADDED_N 0x20000000 /* values in the range of added codes */

/* Returns the program's code for a runtime's code above its predefined classes. The first range
   is that in which the runtime adds codes, and the second that in which the program's family
   does; they are exchanged, except for the beginning of the second, which the table converts. */
static __attribute__((cold, noinline)) int error_r2a_slow(int code)
{
    if (code >= R_FIRST_ADDED_ERROR && code < R_FIRST_ADDED_ERROR + ADDED_N)
        return code - R_FIRST_ADDED_ERROR + A_FIRST_ADDED_ERROR;
    if (code >= A_FIRST_ADDED_ERROR && code < A_FIRST_ADDED_ERROR + (ERROR_TABLE - R_FIRST_ADDED_ERROR))
        return error_r2a_table[code - A_FIRST_ADDED_ERROR + R_FIRST_ADDED_ERROR];
    if (code >= A_FIRST_ADDED_ERROR && code < A_FIRST_ADDED_ERROR + ADDED_N)
        return code - A_FIRST_ADDED_ERROR + R_FIRST_ADDED_ERROR;
    return code;
}

int error_r2a(int code)
{
    return swap_lastcode((unsigned)code < R_FIRST_ADDED_ERROR ? error_r2a_table[code] : error_r2a_slow(code));
}

int class_r2a(int class)
{
    return swap_lastcode((unsigned)class < R_FIRST_ADDED_ERROR ? class_r2a_table[class] : error_r2a_slow(class));
}

int error_a2r(int code)
{
    code = swap_lastcode(code);
    if ((unsigned)code < ERROR_TABLE) {
        int r = error_a2r_table[code];
        return r < R_FIRST_ADDED_ERROR ? r : r - R_FIRST_ADDED_ERROR + A_FIRST_ADDED_ERROR;
    }
    if (code >= A_FIRST_ADDED_ERROR && code < A_FIRST_ADDED_ERROR + ADDED_N)
        return code - A_FIRST_ADDED_ERROR + R_FIRST_ADDED_ERROR;
    if (code < R_FIRST_ADDED_ERROR + ADDED_N && code > 0)
        return code - R_FIRST_ADDED_ERROR + A_FIRST_ADDED_ERROR;
    return code;
}
#else
int error_r2a(int code)
{
    return (unsigned)code < ERROR_TABLE ? error_r2a_table[code] : code;
}

int class_r2a(int class)
{
    return (unsigned)class < ERROR_TABLE ? class_r2a_table[class] : class;
}

int error_a2r(int code)
{
    return (unsigned)code < ERROR_TABLE ? error_a2r_table[code] : code;
}
#endif
#endif
#endif
#endif
