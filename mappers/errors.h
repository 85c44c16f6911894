/*
 * Error classes and codes (MPI-5.0, 9.4 and 9.5): one bijection on all ints,
 * since a callback may return any value and the program must get it back, and a
 * code given to MPI_Error_string must be the runtime's own again.
 *
 * Predefined classes go by the generated table. Open MPI numbers what a program
 * adds from 93, inside the values that MPICH predefines; an MPICH program gets
 * those from 0x40000001, where MPICH itself begins, and the table's unused
 * values change places with the end of that range. The standard ABI's classes
 * have numbers beyond a thousand and go by a generated function. MPI_ERR_LASTCODE
 * is no class, but Open MPI knows it; it changes places with what Open MPI's has
 * in the table.
 *
 * A class that comes out of MPI_Error_class and that the program's family lacks is
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
#define error_a2r PAIR(error_a2r)
int error_a2r(int code) HIDDEN __attribute__((cold, noinline));
#define error_r2a PAIR(error_r2a)
int error_r2a(int code) HIDDEN __attribute__((cold, noinline));
#define class_r2a PAIR(class_r2a)
int class_r2a(int class) HIDDEN __attribute__((cold, noinline));

#if DEFINES_SHARED
#if R_LASTCODE_IS_CLASS && ERROR_CLASSES_ARE_SPARSE
#define LAST_IN_TABLE ((int)error_class_r2a(R_MPI_ERR_LASTCODE))
#elif R_LASTCODE_IS_CLASS
#define LAST_IN_TABLE error_r2a_table[R_MPI_ERR_LASTCODE]
#else
#define LAST_IN_TABLE A_MPI_ERR_LASTCODE
#endif
static inline int exchange_last(int a)
{
    return a == A_MPI_ERR_LASTCODE ? LAST_IN_TABLE : a == LAST_IN_TABLE ? A_MPI_ERR_LASTCODE : a;
}

#if ERROR_CLASSES_ARE_SPARSE
/* Open MPI's added codes and those from where the standard's own begin
   (MPI-5.0, 9.5: above MPI_ERR_LASTCODE) change places, as many as lie between. */
#if R_ADDS_AMONG_CLASSES
static int exchange_added(int code)
{
    const unsigned n = A_FIRST_ADDED_ERROR - R_FIRST_ADDED_ERROR;
    if ((unsigned)code - R_FIRST_ADDED_ERROR < n)
        return code + A_FIRST_ADDED_ERROR - R_FIRST_ADDED_ERROR;
    if ((unsigned)code - A_FIRST_ADDED_ERROR < n)
        return code - A_FIRST_ADDED_ERROR + R_FIRST_ADDED_ERROR;
    return code;
}
#else
#define exchange_added(code) (code)
#endif

int error_r2a(int code)
{
    return exchange_last((int)error_class_r2a(exchange_added(code)));
}

int class_r2a(int class)
{
    return exchange_last((int)known_class_r2a(exchange_added(class)));
}

int error_a2r(int code)
{
    return exchange_added((int)error_class_a2r(exchange_last(code)));
}
#elif R_ADDS_AMONG_CLASSES
#define ADDED_N 0x20000000

static __attribute__((cold, noinline)) int error_r2a_far(int code)
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
    return exchange_last((unsigned)code < R_FIRST_ADDED_ERROR ? error_r2a_table[code] : error_r2a_far(code));
}

int class_r2a(int class)
{
    return exchange_last((unsigned)class < R_FIRST_ADDED_ERROR ? class_r2a_table[class] : error_r2a_far(class));
}

int error_a2r(int code)
{
    code = exchange_last(code);
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
