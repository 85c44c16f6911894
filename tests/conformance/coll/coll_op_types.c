/*
 * Every predefined operation on every predefined type that it is defined for, through every function that reduces:
 * blocking, nonblocking, persistent, one-sided (MPI-4.0, 6.9.2, 6.9.4, 12.3.4). With an argument it prints the result
 * of each combination, including undefined ones, to be compared with another run.
 */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include "reductions.h"

/* Values are small whole numbers. A pair has the value 10 * value + index. */
#define NUMBER(type)                                                    \
    static void put_##type(void *at, int v) { *(type *)at = (type)v; } \
    static int get_##type(const void *at) { return (int)*(const type *)at; }
#define LOCATED(type, index_type)                                                                 \
    typedef struct { type value; index_type index; } type##_##index_type;                         \
    static void put_##type##_##index_type(void *at, int v)                                        \
    {                                                                                             \
        ((type##_##index_type *)at)->value = (type)(v / 10);                                      \
        ((type##_##index_type *)at)->index = (index_type)(v % 10);                                \
    }                                                                                             \
    static int get_##type##_##index_type(const void *at)                                          \
    {                                                                                             \
        return 10 * (int)((const type##_##index_type *)at)->value + (int)((const type##_##index_type *)at)->index; \
    }
typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short word;
typedef unsigned long ulong_;
typedef long long llong;
typedef unsigned long long ullong;
typedef long double ldouble;
typedef float complex complex_f;
typedef double complex complex_d;
typedef long double complex complex_l;
NUMBER(char) NUMBER(schar) NUMBER(uchar) NUMBER(short) NUMBER(word) NUMBER(int) NUMBER(unsigned) NUMBER(long)
NUMBER(ulong_) NUMBER(llong) NUMBER(ullong) NUMBER(int8_t) NUMBER(int16_t) NUMBER(int32_t) NUMBER(int64_t)
NUMBER(uint8_t) NUMBER(uint16_t) NUMBER(uint32_t) NUMBER(uint64_t) NUMBER(MPI_Aint) NUMBER(MPI_Offset)
NUMBER(MPI_Count) NUMBER(float) NUMBER(double) NUMBER(ldouble) NUMBER(bool) NUMBER(complex_f) NUMBER(complex_d)
NUMBER(complex_l) NUMBER(wchar_t)
LOCATED(float, int) LOCATED(double, int) LOCATED(long, int) LOCATED(int, int) LOCATED(short, int) LOCATED(ldouble, int)
LOCATED(float, float) LOCATED(double, double)

/* WHOLE are the integers of Fortran and of no language. They have no logical operations. */
enum { INTEGER = 1, WHOLE = 2, FLOATING = 4, LOGICAL = 8, COMPLEX = 16, BYTE = 32, LOCATION = 64 };

static const struct type {
    MPI_Datatype handle;
    const char *name;
    int kind, bytes;
    void (*put)(void *, int);
    int (*get)(const void *);
    int maybe; /* missing in some libraries: the types of Fortran and C++ */
} types[] = {
#define TYPE(mpi, c, kind) {mpi, #mpi, kind, sizeof(c), put_##c, get_##c, 0}
#define MAYBE(mpi, c, kind) {mpi, #mpi, kind, sizeof(c), put_##c, get_##c, 1}
    TYPE(MPI_SIGNED_CHAR, schar, INTEGER),
    TYPE(MPI_UNSIGNED_CHAR, uchar, INTEGER),
    TYPE(MPI_SHORT, short, INTEGER),
    TYPE(MPI_UNSIGNED_SHORT, word, INTEGER),
    TYPE(MPI_INT, int, INTEGER),
    TYPE(MPI_UNSIGNED, unsigned, INTEGER),
    TYPE(MPI_LONG, long, INTEGER),
    TYPE(MPI_UNSIGNED_LONG, ulong_, INTEGER),
    TYPE(MPI_LONG_LONG, llong, INTEGER),
    TYPE(MPI_UNSIGNED_LONG_LONG, ullong, INTEGER),
    TYPE(MPI_INT8_T, int8_t, INTEGER),
    TYPE(MPI_INT16_T, int16_t, INTEGER),
    TYPE(MPI_INT32_T, int32_t, INTEGER),
    TYPE(MPI_INT64_T, int64_t, INTEGER),
    TYPE(MPI_UINT8_T, uint8_t, INTEGER),
    TYPE(MPI_UINT16_T, uint16_t, INTEGER),
    TYPE(MPI_UINT32_T, uint32_t, INTEGER),
    TYPE(MPI_UINT64_T, uint64_t, INTEGER),
    TYPE(MPI_AINT, MPI_Aint, WHOLE),
    TYPE(MPI_OFFSET, MPI_Offset, WHOLE),
    TYPE(MPI_COUNT, MPI_Count, WHOLE),
    TYPE(MPI_FLOAT, float, FLOATING),
    TYPE(MPI_DOUBLE, double, FLOATING),
    TYPE(MPI_LONG_DOUBLE, ldouble, FLOATING),
    TYPE(MPI_C_BOOL, bool, LOGICAL),
    TYPE(MPI_C_FLOAT_COMPLEX, complex_f, COMPLEX),
    TYPE(MPI_C_DOUBLE_COMPLEX, complex_d, COMPLEX),
    TYPE(MPI_C_LONG_DOUBLE_COMPLEX, complex_l, COMPLEX),
    TYPE(MPI_BYTE, uchar, BYTE),
    TYPE(MPI_FLOAT_INT, float_int, LOCATION),
    TYPE(MPI_DOUBLE_INT, double_int, LOCATION),
    TYPE(MPI_LONG_INT, long_int, LOCATION),
    TYPE(MPI_2INT, int_int, LOCATION),
    TYPE(MPI_SHORT_INT, short_int, LOCATION),
    TYPE(MPI_LONG_DOUBLE_INT, ldouble_int, LOCATION),
    MAYBE(MPI_INTEGER, int, WHOLE),
    MAYBE(MPI_INTEGER1, int8_t, WHOLE),
    MAYBE(MPI_INTEGER2, int16_t, WHOLE),
    MAYBE(MPI_INTEGER4, int32_t, WHOLE),
    MAYBE(MPI_INTEGER8, int64_t, WHOLE),
    MAYBE(MPI_REAL, float, FLOATING),
    MAYBE(MPI_REAL4, float, FLOATING),
    MAYBE(MPI_REAL8, double, FLOATING),
    MAYBE(MPI_DOUBLE_PRECISION, double, FLOATING),
    MAYBE(MPI_LOGICAL, int, LOGICAL),
    MAYBE(MPI_COMPLEX, complex_f, COMPLEX),
    MAYBE(MPI_DOUBLE_COMPLEX, complex_d, COMPLEX),
    MAYBE(MPI_COMPLEX8, complex_f, COMPLEX),
    MAYBE(MPI_COMPLEX16, complex_d, COMPLEX),
    MAYBE(MPI_CXX_BOOL, bool, LOGICAL),
    MAYBE(MPI_CXX_FLOAT_COMPLEX, complex_f, COMPLEX),
    MAYBE(MPI_CXX_DOUBLE_COMPLEX, complex_d, COMPLEX),
    MAYBE(MPI_CXX_LONG_DOUBLE_COMPLEX, complex_l, COMPLEX),
    MAYBE(MPI_2INTEGER, int_int, LOCATION),
    MAYBE(MPI_2REAL, float_float, LOCATION),
    MAYBE(MPI_2DOUBLE_PRECISION, double_double, LOCATION),
    /* No operation is defined on these. */
    TYPE(MPI_CHAR, char, 0),
    TYPE(MPI_WCHAR, wchar_t, 0),
    TYPE(MPI_PACKED, uchar, 0),
    MAYBE(MPI_CHARACTER, char, 0),
};

enum { MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MAXLOC, MINLOC, REPLACE, NO_OP };
static const struct {
    MPI_Op handle;
    const char *name;
    int kinds;
} ops[] = {
    [MAX] = {MPI_MAX, "MAX", INTEGER | WHOLE | FLOATING},
    [MIN] = {MPI_MIN, "MIN", INTEGER | WHOLE | FLOATING},
    [SUM] = {MPI_SUM, "SUM", INTEGER | WHOLE | FLOATING | COMPLEX},
    [PROD] = {MPI_PROD, "PROD", INTEGER | WHOLE | FLOATING | COMPLEX},
    [LAND] = {MPI_LAND, "LAND", INTEGER | LOGICAL},
    [BAND] = {MPI_BAND, "BAND", INTEGER | WHOLE | BYTE},
    [LOR] = {MPI_LOR, "LOR", INTEGER | LOGICAL},
    [BOR] = {MPI_BOR, "BOR", INTEGER | WHOLE | BYTE},
    [LXOR] = {MPI_LXOR, "LXOR", INTEGER | LOGICAL},
    [BXOR] = {MPI_BXOR, "BXOR", INTEGER | WHOLE | BYTE},
    [MAXLOC] = {MPI_MAXLOC, "MAXLOC", LOCATION},
    [MINLOC] = {MPI_MINLOC, "MINLOC", LOCATION},
    [REPLACE] = {MPI_REPLACE, "REPLACE", 0},
    [NO_OP] = {MPI_NO_OP, "NO_OP", 0},
};

static int apply(int op, int a, int b)
{
    switch (op) {
    case MAX: return a > b ? a : b;
    case MIN: return a < b ? a : b;
    case SUM: return a + b;
    case PROD: return a * b;
    case LAND: return a && b;
    case BAND: return a & b;
    case LOR: return a || b;
    case BOR: return a | b;
    case LXOR: return !a != !b;
    case BXOR: return a ^ b;
    case MAXLOC: return a / 10 != b / 10 ? (a > b ? a : b) : a < b ? a : b;
    case MINLOC: return a < b ? a : b;
    case REPLACE: return a;
    default: return b;
    }
}

/* Returns the value of element i of a rank. */
static int value(const struct type *type, int r, int i)
{
    if (type->kind == LOGICAL)
        return (r + i) % 2;
    return type->kind == LOCATION ? 10 * (1 + (r + i) % 2) + r % 10 : 1 + (r + i) % 3;
}

enum { NUMBER_MAX = 64 };
static char out[NUMBER_MAX * 32], in[NUMBER_MAX * 32], *window;
static int ones[NUMBER_MAX], here; /* the root and target of functions that have one */
static MPI_Win win;

enum { LOCAL = 3 * REDUCTIONS, ACCUMULATE, GET_ACCUMULATE, FETCH_AND_OP, RACCUMULATE, RGET_ACCUMULATE, FUNCTIONS };
static const char *const others[] = {"Reduce_local",   "Accumulate", "Get_accumulate", "Fetch_and_op",
                                     "Raccumulate", "Rget_accumulate"};

/* Two elements, except for Fetch_and_op (one) and the functions that scatter. */
static int call(int f, MPI_Datatype t, MPI_Op op)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    const int function = f % REDUCTIONS, n = function >= REDUCE_SCATTER ? 1 : 2;
    const struct reduction reduction = {function, f / REDUCTIONS, out, in, n, ones, t, op, here, MPI_COMM_WORLD};
    switch (f) {
    case LOCAL: return MPI_Reduce_local(out, in, 2, t, op);
    case ACCUMULATE: return MPI_Accumulate(out, 2, t, here, 0, 2, t, op, win);
    case GET_ACCUMULATE: return MPI_Get_accumulate(out, 2, t, in, 2, t, here, 0, 2, t, op, win);
    case FETCH_AND_OP: return MPI_Fetch_and_op(out, in, t, here, 0, op, win);
    case RACCUMULATE: code = MPI_Raccumulate(out, 2, t, here, 0, 2, t, op, win, &r); break;
    case RGET_ACCUMULATE: code = MPI_Rget_accumulate(out, 2, t, in, 2, t, here, 0, 2, t, op, win, &r); break;
    default: code = reduction_start(&reduction, &r);
    }
    return reduction_end(code, &r);
}

/* Returns the expected value of element i, or -1 if it is undefined. */
static int expected(int f, const struct type *type, int op, int i)
{
    int last;
    if (f == LOCAL)
        return apply(op, value(type, rank, i), value(type, rank + 1, i));
    reduction_terms(f % REDUCTIONS, here, &last);
    if (f % REDUCTIONS >= REDUCE_SCATTER)
        i = i == 0 ? rank : -1;
    if (i < 0 || last < 0)
        return -1;
    int all = value(type, 0, i);
    for (int r = 1; r <= last; r++)
        all = apply(op, all, value(type, r, i));
    return all;
}

/* Returns the error class, or -1 for a wrong result. */
static int outcome(int f, const struct type *type, int op)
{
    const int b = type->bytes, one_sided = f > LOCAL;
    int code, right = 1;
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    for (int i = 0; i < size + 2; i++)
        type->put(out + i * b, value(type, rank, i));
    for (int i = 0; i < 2; i++)
        type->put(f == LOCAL ? in + i * b : window + i * b, value(type, rank + 1, i));
    if (!one_sided) {
        if ((code = call(f, type->handle, ops[op].handle)) != MPI_SUCCESS)
            return check_class(code);
        for (int i = 0; i < 2; i++) {
            const int want = expected(f, type, op, i);
            right &= want < 0 || type->get(in + i * b) == want;
        }
        return right ? MPI_SUCCESS : -1;
    }
    /* Ranks take turns; each reduces on itself. */
    here = rank;
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, here, 0, win));
    code = call(f, type->handle, ops[op].handle);
    const int later = MPI_Win_unlock(here, win);
    here = size - 1;
    if (code != MPI_SUCCESS || later != MPI_SUCCESS)
        return check_class(code != MPI_SUCCESS ? code : later);
    for (int i = 0; i < (f == FETCH_AND_OP ? 1 : 2); i++) {
        const int before = value(type, rank + 1, i);
        right &= type->get(window + i * b) == apply(op, value(type, rank, i), before);
        if (f != ACCUMULATE && f != RACCUMULATE)
            right &= type->get(in + i * b) == before;
    }
    return right ? MPI_SUCCESS : -1;
}

static int defined(int f, const struct type *type, int op)
{
    const int replaces = op == REPLACE || op == NO_OP;
    if (f > LOCAL && replaces)
        return op == REPLACE || (f != ACCUMULATE && f != RACCUMULATE);
    return (type->kind & ops[op].kinds) != 0;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const int all = argc > 1;
    here = size - 1;
    for (int i = 0; i < NUMBER_MAX; i++)
        ones[i] = 1;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Win_allocate(1024, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win));
    MUST(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
        int bytes = 0;
        if (types[t].handle == MPI_DATATYPE_NULL)
            continue;
        if (MPI_Type_size(types[t].handle, &bytes) != MPI_SUCCESS || bytes == 0) {
            CHECK(types[t].maybe);
            continue;
        }
        for (int op = 0; op <= NO_OP; op++)
            for (int f = 0; f < FUNCTIONS; f++) {
                const int is = defined(f, &types[t], op);
                if ((!is && (!all || f > LOCAL)) || (!HAVE_PERSISTENT_COLLECTIVES && f / REDUCTIONS == PERSISTENT))
                    continue;
                const int class = outcome(f, &types[t], op);
                const char *name = f < LOCAL ? reduction_names[f % REDUCTIONS] : others[f - LOCAL];
                const char *way = f < LOCAL ? reduction_ways[f / REDUCTIONS] : "";
                if (all && rank == 0)
                    printf("%s %s %s %s%s: %s\n", types[t].name, ops[op].name, way, name, is ? "" : ", undefined",
                           class < 0               ? "wrong"
                           : class == MPI_SUCCESS  ? "right"
                           : class == MPI_ERR_OP   ? "MPI_ERR_OP"
                                                   : "another error");
                if (!all && class != MPI_SUCCESS)
                    check_fail(__FILE__, __LINE__, "%s of %s in %s %s: %d", ops[op].name, types[t].name, way, name, class);
            }
    }
    MUST(MPI_Win_free(&win));
    return check_done("coll_op_types");
}
