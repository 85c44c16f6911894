/*
 * Every predefined operation on every predefined datatype against a plain computation of one element
 * after the other (MPI-5.0, 6.9.2, 6.9.4), at several lengths and at unaligned addresses; and the
 * program's own operations.
 */
#include "types_check.h"

#include <complex.h>
#include <math.h>

typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short ushort_;
typedef unsigned long ulong_;
typedef long long llong;
typedef unsigned long long ullong;
typedef long double ldouble;
typedef __int128 int128;
typedef unsigned __int128 uint128;
#if __LDBL_MANT_DIG__ == 113
typedef long double float128;
#else
typedef __float128 float128;
#endif
enum { MAX, MIN, SUM, PROD, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC, REPLACE, NO_OP, OPS };
static const MPI_Op ops[OPS] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

/* Each function computes *b = *a op *b and returns whether the operation is defined. */
#define ORDERED(op) op == MAX ? (x > y ? x : y) : op == MIN ? (x < y ? x : y)
#define WHOLE(type, wide)                                                                              \
    static bool of_##type(int op, const void *a, void *b)                                              \
    {                                                                                                  \
        type x = *(const type *)a, y = *(type *)b;                                                     \
        *(type *)b = ORDERED(op) : op == SUM ? (type)((wide)x + (wide)y) : op == PROD ? (type)((wide)x * (wide)y) : op == LAND ? x && y : \
            op == LOR ? x || y : op == LXOR ? !x != !y : op == BAND ? x & y : op == BOR ? x | y : x ^ y; \
        return op <= BXOR;                                                                             \
    }
#define FLOATING(type)                                                             \
    static bool of_##type(int op, const void *a, void *b)                          \
    {                                                                              \
        type x = *(const type *)a, y = *(type *)b;                                 \
        *(type *)b = ORDERED(op) : op == SUM ? x + y : x * y;                      \
        return op <= PROD;                                                         \
    }
#define COMPLEX(type)                                                                                          \
    static bool of_complex_##type(int op, const void *a, void *b)                                              \
    {                                                                                                          \
        const type *x = a;                                                                                     \
        type *y = b, re = op == SUM ? x[0] + y[0] : x[0] * y[0] - x[1] * y[1], im = op == SUM ? x[1] + y[1] : x[0] * y[1] + x[1] * y[0]; \
        y[0] = re, y[1] = im;                                                                                  \
        return op == SUM || op == PROD;                                                                        \
    }
#define LOGICAL(type)                                                              \
    static bool logical_##type(int op, const void *a, void *b)                     \
    {                                                                              \
        type x = *(const type *)a, y = *(type *)b;                                 \
        *(type *)b = op == LAND ? x && y : op == LOR ? x || y : !x != !y;          \
        return op == LAND || op == LOR || op == LXOR;                              \
    }
#define PAIR(name, type, second)                                                                               \
    typedef struct { type value; second index; } name;                                                         \
    static bool of_##name(int op, const void *a, void *b)                                                      \
    {                                                                                                          \
        const name *x = a, *y = b;                                                                             \
        bool first = op == MAXLOC ? x->value > y->value : x->value < y->value;                                 \
        if (first || (x->value == y->value && x->index < y->index))                                            \
            memcpy(b, a, sizeof *x);                                                                           \
        return op == MAXLOC || op == MINLOC;                                                                   \
    }
WHOLE(char, unsigned) WHOLE(schar, unsigned) WHOLE(uchar, unsigned) WHOLE(short, unsigned) WHOLE(ushort_, unsigned) WHOLE(int, unsigned) WHOLE(unsigned, unsigned)
WHOLE(long, unsigned long) WHOLE(ulong_, unsigned long) WHOLE(llong, ullong) WHOLE(ullong, ullong) WHOLE(int128, uint128)
FLOATING(float) FLOATING(double) FLOATING(ldouble) FLOATING(float128)
COMPLEX(float) COMPLEX(double) COMPLEX(ldouble) COMPLEX(float128)
LOGICAL(char) LOGICAL(short) LOGICAL(int) LOGICAL(long) LOGICAL(int128)
PAIR(float_int, float, int) PAIR(double_int, double, int) PAIR(long_int, long, int) PAIR(two_int, int, int) PAIR(short_int, short, int) PAIR(ldouble_int, ldouble, int)
PAIR(two_float, float, float) PAIR(two_double, double, double)

/* ---- half precision, by ldexp and rint ---- */

static double value_of(unsigned half, int exponent_bits, int digits)
{
    int bias = (1 << (exponent_bits - 1)) - 1, exponent = (int)(half >> digits) & ((1 << exponent_bits) - 1);
    double fraction = half & ((1u << digits) - 1), sign = half & 0x8000 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(fraction + (1 << digits), exponent - bias - digits) : ldexp(fraction, 1 - bias - digits));
}

static unsigned nearest(double value, int exponent_bits, int digits)
{
    int bias = (1 << (exponent_bits - 1)) - 1, exponent;
    unsigned sign = signbit(value) ? 0x8000 : 0, infinity = ((1u << exponent_bits) - 1) << digits;
    if (isnan(value))
        return infinity | 1u << (digits - 1);
    value = fabs(value);
    if (isinf(value))
        return sign | infinity;
    frexp(value, &exponent);
    exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    double fraction = rint(ldexp(value, digits - exponent)); /* of the unit of the last digit */
    unsigned bits = (unsigned)fraction + ((unsigned)(exponent + bias - 1) << digits);
    return sign | (value == 0 ? 0 : bits >= infinity ? infinity : bits);
}

#define HALF(name, exponent_bits, digits)                                                                  \
    static bool of_##name(int op, const void *a, void *b)                                                  \
    {                                                                                                      \
        const uint16_t p = *(const uint16_t *)a, q = *(uint16_t *)b;                                       \
        double x = value_of(p, exponent_bits, digits), y = value_of(q, exponent_bits, digits);             \
        *(uint16_t *)b = op == MAX ? (x > y ? p : q) : op == MIN ? (x < y ? p : q) : (uint16_t)nearest(op == SUM ? x + y : x * y, exponent_bits, digits); \
        return op <= PROD;                                                                                 \
    }
HALF(float16, 5, 10)
HALF(bfloat16, 8, 7)
static bool of_complex_float16(int op, const void *a, void *b)
{
    const uint16_t *x = a;
    uint16_t *y = b;
    if (op == SUM) {
        of_float16(SUM, x, y);
        of_float16(SUM, x + 1, y + 1);
    } else {
        float p = (float)value_of(x[0], 5, 10), q = (float)value_of(x[1], 5, 10), r = (float)value_of(y[0], 5, 10), s = (float)value_of(y[1], 5, 10);
        y[0] = (uint16_t)nearest(p * r - q * s, 5, 10);
        y[1] = (uint16_t)nearest(p * s + q * r, 5, 10);
    }
    return op == SUM || op == PROD;
}
static bool of_byte(int op, const void *a, void *b)
{
    of_uchar(op, a, b);
    return op == BAND || op == BOR || op == BXOR;
}
static bool of_nothing(int op, const void *a, void *b) { return op < 0 && a == b; }

/* ---- all datatypes ---- */

enum { BITS, HALVES, FLOATS, LONG_DOUBLES, TRUTHS, PAIRS };
static const struct subject {
    MPI_Datatype type;
    bool (*compute)(int op, const void *a, void *b);
    int size, values; /* of an element in memory; kind of random values */
    int part;         /* size of a component */
} subjects[] = {
#define ROW(mpi, name, type, values) {mpi, of_##name, sizeof(type), values, sizeof(type)}
#define COMPLEX_ROW(mpi, type, values) {mpi, of_complex_##type, 2 * sizeof(type), values, sizeof(type)}
#define LOGICAL_ROW(mpi, type) {mpi, logical_##type, sizeof(type), TRUTHS, sizeof(type)}
    ROW(MPI_CHAR, char, char, BITS), ROW(MPI_CHARACTER, char, char, BITS), ROW(MPI_SIGNED_CHAR, schar, schar, BITS), ROW(MPI_UNSIGNED_CHAR, uchar, uchar, BITS),
    ROW(MPI_SHORT, short, short, BITS), ROW(MPI_UNSIGNED_SHORT, ushort_, short, BITS), ROW(MPI_INT, int, int, BITS), ROW(MPI_UNSIGNED, unsigned, int, BITS),
    ROW(MPI_LONG, long, long, BITS), ROW(MPI_UNSIGNED_LONG, ulong_, long, BITS), ROW(MPI_LONG_LONG, llong, llong, BITS), ROW(MPI_UNSIGNED_LONG_LONG, ullong, llong, BITS),
    ROW(MPI_INT8_T, schar, schar, BITS), ROW(MPI_INT16_T, short, short, BITS), ROW(MPI_INT32_T, int, int, BITS), ROW(MPI_INT64_T, long, long, BITS),
    ROW(MPI_UINT8_T, uchar, uchar, BITS), ROW(MPI_UINT16_T, ushort_, short, BITS), ROW(MPI_UINT32_T, unsigned, int, BITS), ROW(MPI_UINT64_T, ulong_, long, BITS),
    ROW(MPI_AINT, long, long, BITS), ROW(MPI_COUNT, long, long, BITS), ROW(MPI_OFFSET, long, long, BITS),
    ROW(MPI_INTEGER, int, int, BITS), ROW(MPI_INTEGER1, schar, schar, BITS), ROW(MPI_INTEGER2, short, short, BITS), ROW(MPI_INTEGER4, int, int, BITS),
    ROW(MPI_INTEGER8, long, long, BITS), ROW(MPI_INTEGER16, int128, int128, BITS),
    ROW(MPI_FLOAT, float, float, FLOATS), ROW(MPI_DOUBLE, double, double, FLOATS), ROW(MPI_LONG_DOUBLE, ldouble, ldouble, LONG_DOUBLES),
    ROW(MPI_REAL, float, float, FLOATS), ROW(MPI_DOUBLE_PRECISION, double, double, FLOATS), ROW(MPI_REAL4, float, float, FLOATS), ROW(MPI_REAL8, double, double, FLOATS),
    ROW(MPI_REAL16, float128, float128, FLOATS), ROW(MPI_REAL2, float16, uint16_t, HALVES), ROW(MPIX_C_FLOAT16, float16, uint16_t, HALVES), ROW(MPIX_BFLOAT16, bfloat16, uint16_t, HALVES),
    COMPLEX_ROW(MPI_C_FLOAT_COMPLEX, float, FLOATS), COMPLEX_ROW(MPI_C_DOUBLE_COMPLEX, double, FLOATS), COMPLEX_ROW(MPI_C_LONG_DOUBLE_COMPLEX, ldouble, LONG_DOUBLES),
    COMPLEX_ROW(MPI_CXX_FLOAT_COMPLEX, float, FLOATS), COMPLEX_ROW(MPI_CXX_DOUBLE_COMPLEX, double, FLOATS), COMPLEX_ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, ldouble, LONG_DOUBLES),
    COMPLEX_ROW(MPI_COMPLEX, float, FLOATS), COMPLEX_ROW(MPI_DOUBLE_COMPLEX, double, FLOATS), COMPLEX_ROW(MPI_COMPLEX8, float, FLOATS), COMPLEX_ROW(MPI_COMPLEX16, double, FLOATS),
    COMPLEX_ROW(MPI_COMPLEX32, float128, FLOATS), {MPI_COMPLEX4, of_complex_float16, 4, HALVES, 2},
    LOGICAL_ROW(MPI_C_BOOL, char), LOGICAL_ROW(MPI_CXX_BOOL, char), LOGICAL_ROW(MPI_LOGICAL, int), LOGICAL_ROW(MPI_LOGICAL1, char), LOGICAL_ROW(MPI_LOGICAL2, short),
    LOGICAL_ROW(MPI_LOGICAL4, int), LOGICAL_ROW(MPI_LOGICAL8, long), LOGICAL_ROW(MPI_LOGICAL16, int128),
    ROW(MPI_BYTE, byte, char, BITS), ROW(MPI_PACKED, nothing, char, BITS), ROW(MPI_WCHAR, nothing, int, BITS),
#define PAIR_ROW(mpi, type, value) {mpi, of_##type, sizeof(type), PAIRS, sizeof(value)}
    PAIR_ROW(MPI_FLOAT_INT, float_int, float), PAIR_ROW(MPI_DOUBLE_INT, double_int, double), PAIR_ROW(MPI_LONG_INT, long_int, long), PAIR_ROW(MPI_2INT, two_int, int),
    PAIR_ROW(MPI_SHORT_INT, short_int, short), PAIR_ROW(MPI_LONG_DOUBLE_INT, ldouble_int, ldouble), PAIR_ROW(MPI_2REAL, two_float, float),
    PAIR_ROW(MPI_2DOUBLE_PRECISION, two_double, double), PAIR_ROW(MPI_2INTEGER, two_int, int),
};

enum { MOST = 70 };
static uint64_t state = 88172645463325252ull;

/* Fills n elements with random values. Floating numbers are small multiples of powers of two. */
static void fill(const struct subject *s, char *at, int n)
{
    const int parts = n * s->size / s->part;
    memset(at, 0, (size_t)(n * s->size));
    for (int i = 0; i < parts; i++, at += s->part) {
        double number = ((double)(random_next(&state) >> 40) - 0x1p23) * ldexp(1, (int)(random_next(&state) % 20) - 10);
        int few = (int)(random_next(&state) % 4);
        long double ld = number;
        float128 quadruple = (float128)number;
        float f = (float)number;
        switch (s->values) {
        case FLOATS:
            memcpy(at, s->part == 4 ? (void *)&f : s->part == 8 ? (void *)&number : (void *)&quadruple, (size_t)s->part);
            break;
        case LONG_DOUBLES:
            memcpy(at, &ld, sizeof ld);
            break;
        case TRUTHS:
            at[few % s->part] = (char)(few > 1);
            break;
        default:
            for (int b = 0; b < s->part; b++)
                at[b] = (char)(random_next(&state) >> 30);
        }
    }
}

/* Pairs of few values, so that many are equal. */
static void fill_pairs(const struct subject *s, char *at, int n)
{
    memset(at, 0, (size_t)(n * s->size));
    for (int i = 0; i < n; i++, at += s->size) {
        int value = (int)(random_next(&state) % 3) - 1, index = (int)(random_next(&state) % 5);
#define SET(mpi, pair_type) if (s->type == mpi) { pair_type pair; memset(&pair, 0, sizeof pair); pair.value = value; pair.index = index; memcpy(at, &pair, sizeof pair); }
        SET(MPI_FLOAT_INT, float_int) SET(MPI_DOUBLE_INT, double_int) SET(MPI_LONG_INT, long_int) SET(MPI_2INT, two_int) SET(MPI_SHORT_INT, short_int)
        SET(MPI_LONG_DOUBLE_INT, ldouble_int) SET(MPI_2REAL, two_float) SET(MPI_2DOUBLE_PRECISION, two_double) SET(MPI_2INTEGER, two_int)
    }
}

/* Reports whether two results are equal; any two results that are no number are. */
static bool equal(const struct subject *s, const char *a, const char *b)
{
    if (s->values != LONG_DOUBLES && !memcmp(a, b, (size_t)s->size))
        return true;
    for (int at = 0; s->values == HALVES && at < s->size; at += 2) {
        const int brain = s->type == MPIX_BFLOAT16;
        uint16_t x, y;
        memcpy(&x, a + at, 2);
        memcpy(&y, b + at, 2);
        if (x != y && !(isnan(value_of(x, brain ? 8 : 5, brain ? 7 : 10)) && isnan(value_of(y, brain ? 8 : 5, brain ? 7 : 10))))
            return false;
    }
    for (int at = 0; s->values == LONG_DOUBLES && at < s->size; at += 16)
        if (memcmp(a + at, b + at, 10)) /* the rest is padding */
            return false;
    return s->values == HALVES || s->values == LONG_DOUBLES;
}

static void check(const struct subject *s, int op, int n, int offset)
{
    static _Alignas(32) char in[MOST * 32 + 16], out[MOST * 32 + 16], expected[MOST * 32];
    void (*filler)(const struct subject *, char *, int) = s->values == PAIRS ? fill_pairs : fill;
    filler(s, expected, n);
    memcpy(in + offset, expected, (size_t)(n * s->size));
    filler(s, expected, n);
    memcpy(out + offset, expected, (size_t)(n * s->size));
    for (int i = 0; i < n; i++) {
        _Alignas(32) char a[32];
        memcpy(a, in + offset + i * s->size, (size_t)s->size);
        s->compute(op, a, expected + i * s->size);
    }
    MUST(MPI_Reduce_local(in + offset, out + offset, n, s->type, ops[op]));
    for (int i = 0; i < n; i++)
        if (!equal(s, expected + i * s->size, out + offset + i * s->size)) {
            char name[MPI_MAX_OBJECT_NAME];
            int length;
            MPI_Type_get_name(s->type, name, &length);
            fprintf(stderr, "operation %d on %s: element %d of %d is wrong\n", op, name, i, n);
            exit(9);
        }
}

static void check_subject(const struct subject *s)
{
    _Alignas(32) char a[32] = {0}, b[32] = {0};
    MPI_Aint lb, extent;
    MUST(MPI_Type_get_extent(s->type, &lb, &extent));
    EQUAL(s->size, extent);
    for (int op = 0; op < OPS; op++)
        if (s->compute(op, a, b)) {
            for (int n = 0; n < MOST; n += n < 20 ? 1 : 17)
                for (int offset = 0; offset < 3; offset++)
                    check(s, op, n, offset * 5);
        } else {
            FAILS(MPI_ERR_OP, MPI_Reduce_local(a, b, 1, s->type, ops[op]));
        }
}

/* Every half number with a few others. */
static void check_halves(void)
{
    static uint16_t in[65536], out[65536], expected[65536];
    const struct subject *s = subjects;
    for (; s < subjects + sizeof subjects / sizeof *subjects; s++) {
        if (s->values != HALVES || s->size != 2)
            continue;
        for (int op = MAX; op <= PROD; op++)
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 65536; i++) {
                    in[i] = (uint16_t)i;
                    out[i] = expected[i] = (uint16_t)(random_next(&state) >> 30);
                    s->compute(op, &in[i], &expected[i]);
                }
                MUST(MPI_Reduce_local(in, out, 65536, s->type, ops[op]));
                for (int i = 0; i < 65536; i++)
                    CHECK(equal(s, (char *)&expected[i], (char *)&out[i]));
            }
    }
}

/* ---- the program's own operations ---- */

static MPI_Datatype seen;
static void minus(void *in, void *inout, int *len, MPI_Datatype *type)
{
    seen = *type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[2 * i] = ((int *)in)[2 * i] - ((int *)inout)[2 * i];
}
static void minus_c(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    int n = (int)*len;
    minus(in, inout, &n, type);
}

static void check_own(void)
{
    MPI_Datatype spaced;
    MUST(MPI_Type_create_resized(MPI_INT, 0, 8, &spaced));
    MUST(MPI_Type_commit(&spaced));
    for (int large = 0; large < 2; large++) {
        MPI_Op op;
        int in[6] = {10, 1, 20, 2, 30, 3}, inout[6] = {1, 7, 2, 7, 3, 7}, commutes = 7;
        MUST(large ? MPI_Op_create_c(minus_c, 0, &op) : MPI_Op_create(minus, 0, &op));
        MUST(MPI_Op_commutative(op, &commutes));
        EQUAL(0, commutes);
        MUST(MPI_Reduce_local(in, inout, 3, spaced, op));
        CHECK(seen == spaced);
        CHECK(inout[0] == 9 && inout[2] == 18 && inout[4] == 27 && inout[1] == 7 && inout[3] == 7);
        MPI_Op same = MPI_Op_fromint(MPI_Op_toint(op));
        CHECK(same == op);
        MUST(MPI_Op_free(&op));
        CHECK(op == MPI_OP_NULL);
        FAILS(MPI_ERR_OP, MPI_Op_free(&op));
    }
    int a[2] = {0}, commutes = 0;
    FAILS(MPI_ERR_OP, MPI_Reduce_local(a, a + 1, 1, spaced, MPI_SUM));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_local(a, a + 1, -1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(NULL, a + 1, 1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(a, NULL, 1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(a, a, 1, MPI_INT, MPI_SUM));
    MPI_Op sum = MPI_SUM;
    FAILS(MPI_ERR_OP, MPI_Op_free(&sum));
    MUST(MPI_Op_commutative(MPI_SUM, &commutes));
    EQUAL(1, commutes);
    /* Datatypes by precision are predefined. */
    MPI_Datatype real;
    double x = 1.5, y = 2;
    MUST(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real));
    MUST(MPI_Reduce_local(&x, &y, 1, real, MPI_SUM));
    CHECK(y == 3.5);
    MUST(MPI_Type_free(&spaced));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        check_subject(&subjects[i]);
    check_halves();
    check_own();
    return right("types_ops");
}
