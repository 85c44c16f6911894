/*
 * The loops of predefined operations: one for each operation and arithmetic (MPI-5.0, 6.9.2).
 * Elements may be at any address. The compiler makes vector loops of them, and does not fuse a
 * product and a sum into one rounding, so that all processors have the same results. On x86-64 the file
 * is compiled twice (op_kernels_avx2.c).
 */
#pragma GCC optimize("O3", "-ffp-contract=off")
#include "op_kernels.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ANYWHERE __attribute__((aligned(1), may_alias))

/* Defines a loop with a as the element of in and b as that of inout. */
#define LOOP_OF(name, type, expression)                                                        \
    static void name(const void *in, void *inout, int64_t n)                                   \
    {                                                                                          \
        typedef type ANYWHERE element;                                                         \
        const element *restrict from = in;                                                     \
        element *restrict to = inout;                                                          \
        for (int64_t i = 0; i < n; i++) {                                                      \
            const type a = from[i], b = to[i];                                                 \
            to[i] = expression;                                                                \
        }                                                                                      \
    }

#define ORDER_LOOPS(suffix, type)                     \
    LOOP_OF(max_##suffix, type, a > b ? a : b)        \
    LOOP_OF(min_##suffix, type, a < b ? a : b)
/* Sums and products of signed integers wrap around, computed as unsigned. */
#define INTEGER_LOOPS(suffix, type, wrap)                                  \
    ORDER_LOOPS(suffix, type)                                              \
    LOOP_OF(sum_##suffix, type, (type)((wrap)a + (wrap)b))                 \
    LOOP_OF(prod_##suffix, type, (type)((wrap)a * (wrap)b))                \
    BIT_LOOPS(suffix, type)                                                \
    LOGICAL_LOOPS(suffix, type)
#define BIT_LOOPS(suffix, type)                       \
    LOOP_OF(band_##suffix, type, (type)(a & b))       \
    LOOP_OF(bor_##suffix, type, (type)(a | b))        \
    LOOP_OF(bxor_##suffix, type, (type)(a ^ b))
#define LOGICAL_LOOPS(suffix, type)                        \
    LOOP_OF(land_##suffix, type, (a != 0) & (b != 0))      \
    LOOP_OF(lor_##suffix, type, (a != 0) | (b != 0))       \
    LOOP_OF(lxor_##suffix, type, (a != 0) ^ (b != 0))
/* If both operands of a sum or a product are NaNs, the processor returns the first one, and the compiler may exchange the two:
 * differently in a loop with vectors and in the loop over its rest, so that the result would depend on the number of
 * elements. AFTER returns the second operand of an operation whose first one is a: a itself if that is a NaN, else b. */
#define AFTER(a, b) ((a) != (a) ? (a) : (b))
#define FLOATING_LOOPS(suffix, type)                 \
    ORDER_LOOPS(suffix, type)                        \
    LOOP_OF(sum_##suffix, type, a + AFTER(a, b))     \
    LOOP_OF(prod_##suffix, type, a * AFTER(a, b))

INTEGER_LOOPS(i8, int8_t, unsigned)
INTEGER_LOOPS(i16, int16_t, unsigned)
INTEGER_LOOPS(i32, int32_t, uint32_t)
INTEGER_LOOPS(i64, int64_t, uint64_t)
INTEGER_LOOPS(u8, uint8_t, unsigned)
INTEGER_LOOPS(u16, uint16_t, unsigned)
INTEGER_LOOPS(u32, uint32_t, uint32_t)
INTEGER_LOOPS(u64, uint64_t, uint64_t)
FLOATING_LOOPS(f32, float)
FLOATING_LOOPS(f64, double)
FLOATING_LOOPS(f80, long double)
#ifdef EM_HAVE_INT128
typedef unsigned __int128 unsigned_128;
INTEGER_LOOPS(i128, __int128, unsigned_128)
#endif
#ifdef EM_HAVE_FLOAT128
FLOATING_LOOPS(f128, em_float128)
#endif

/* ---- half precision: IEEE's 16 bits, and the upper half of a float. Computed as float, which has
 * more than twice as many digits, so that rounding twice changes nothing. ---- */

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Exact for all values, also subnormal ones, infinities and NaNs: every half fits into a float. */
static float float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff;
    float subnormal = (float)rest * 0x1p-24f;
    uint32_t normal = (rest << 13) + (rest >= 0x7c00 ? (255 - 31) << 23 : (127 - 15) << 23);
    return float_of_bits(sign | (rest < 0x400 ? bits_of_float(subnormal) : normal));
}

/* Rounds to the nearest even value. */
static uint16_t half_of_float(float value)
{
    uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    uint32_t normal = (rest - ((127 - 15) << 23) + 0xfff + (rest >> 13 & 1)) >> 13;
    uint32_t subnormal = bits_of_float(float_of_bits(rest < 0x38800000 ? rest : 0) + 0.5f) - 0x3f000000; /* in units of 2^-24 */
    uint32_t half = rest > 0x7f800000 ? 0x7e00 | (rest >> 13 & 0x3ff) : rest >= 0x477ff000 ? 0x7c00 : rest < 0x38800000 ? subnormal : normal;
    return (uint16_t)(sign | half);
}

static float float_of_bf16(uint16_t half) { return float_of_bits((uint32_t)half << 16); }

/* Rounds to nearest, ties to even. A NaN stays a NaN: its quiet bit is set, because rounding could make it infinite. */
static uint16_t bf16_of_float(float value)
{
    uint32_t bits = bits_of_float(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define HALF_LOOPS(suffix, wide, narrow)                                    \
    LOOP_OF(max_##suffix, uint16_t, wide(a) > wide(b) ? a : b)              \
    LOOP_OF(min_##suffix, uint16_t, wide(a) < wide(b) ? a : b)              \
    LOOP_OF(sum_##suffix, uint16_t, narrow(wide(a) + AFTER(wide(a), wide(b)))) \
    LOOP_OF(prod_##suffix, uint16_t, narrow(wide(a) * AFTER(wide(a), wide(b))))
HALF_LOOPS(f16, float_of_half, half_of_float)
HALF_LOOPS(bf16, float_of_bf16, bf16_of_float)

/* ---- complex numbers ---- */

/* The loop that respects NaNs in a product of complex numbers has no vectors, so only blocks with NaNs take it. */
enum { BLOCK = 512 }; /* elements */
#define NAN_OF(name, type, word)                     \
    static bool name(const void *in, int64_t n)      \
    {                                                \
        typedef type ANYWHERE element;               \
        const element *from = in;                    \
        word any = 0;                                \
        for (int64_t i = 0; i < n; i++)              \
            any |= (word)(from[i] != from[i]);       \
        return any != 0;                             \
    }
NAN_OF(has_nan_f32, float, uint32_t)
NAN_OF(has_nan_f64, double, uint64_t)
NAN_OF(has_nan_f80, long double, int)
#ifdef EM_HAVE_FLOAT128
NAN_OF(has_nan_f128, em_float128, int)
#endif

#define COMPLEX_LOOPS(suffix, part, type)                                                           \
    static void sum_##suffix(const void *in, void *inout, int64_t n) { sum_##part(in, inout, 2 * n); } \
    static void careful_prod_##suffix(const void *in, void *inout, int64_t n)                       \
    {                                                                                               \
        typedef type ANYWHERE element;                                                              \
        const element *from = in;                                                                   \
        element *to = inout;                                                                        \
        for (int64_t i = 0; i < 2 * n; i += 2) {                                                    \
            const type a = from[i], b = from[i + 1], c = to[i], d = to[i + 1];                      \
            const type ad = a * AFTER(a, d), bc = b * AFTER(b, c);                                  \
            const type ac = a * AFTER(a, c), bd = b * AFTER(b, d);                                  \
            to[i] = ac - AFTER(ac, bd);                                                             \
            to[i + 1] = ad + AFTER(ad, bc);                                                         \
        }                                                                                           \
    }                                                                                               \
    static void plain_prod_##suffix(const void *in, void *inout, int64_t n)                         \
    {                                                                                               \
        typedef type ANYWHERE element;                                                              \
        const element *restrict from = in;                                                          \
        element *restrict to = inout;                                                               \
        for (int64_t i = 0; i < 2 * n; i += 2) {                                                    \
            const type a = from[i], b = from[i + 1], c = to[i], d = to[i + 1];                      \
            to[i] = a * c - b * d;                                                                  \
            to[i + 1] = a * d + b * c;                                                              \
        }                                                                                           \
    }                                                                                               \
    static void prod_##suffix(const void *in, void *inout, int64_t n)                               \
    {                                                                                               \
        for (int64_t at = 0; at < n; at += BLOCK) {                                                 \
            const char *from = (const char *)in + at * 2 * (int64_t)sizeof(type);                   \
            char *to = (char *)inout + at * 2 * (int64_t)sizeof(type);                              \
            int64_t m = n - at < BLOCK ? n - at : BLOCK;                                            \
            bool nan = has_nan_##part(from, 2 * m) || has_nan_##part(to, 2 * m);                    \
            (nan ? careful_prod_##suffix : plain_prod_##suffix)(from, to, m);                       \
        }                                                                                           \
    }
COMPLEX_LOOPS(c32, f32, float)
COMPLEX_LOOPS(c64, f64, double)
COMPLEX_LOOPS(c80, f80, long double)
#ifdef EM_HAVE_FLOAT128
COMPLEX_LOOPS(c128, f128, em_float128)
#endif

static void sum_c16(const void *in, void *inout, int64_t n) { sum_f16(in, inout, 2 * n); }
static void prod_c16(const void *in, void *inout, int64_t n)
{
    typedef uint16_t ANYWHERE element;
    const element *from = in;
    element *to = inout;
    for (int64_t i = 0; i < 2 * n; i += 2) {
        const float a = float_of_half(from[i]), b = float_of_half(from[i + 1]), c = float_of_half(to[i]), d = float_of_half(to[i + 1]);
        const float ad = a * AFTER(a, d), bc = b * AFTER(b, c), ac = a * AFTER(a, c), bd = b * AFTER(b, d);
        to[i] = half_of_float(ac - AFTER(ac, bd));
        to[i + 1] = half_of_float(ad + AFTER(ad, bc));
    }
}

/* ---- logical values of Fortran: the loops of integers of the same size ---- */

#ifdef EM_HAVE_INT128
#define land_l128 land_i128
#define lor_l128 lor_i128
#define lxor_l128 lxor_i128
#endif

/* ---- pairs: of equal values the lower index ---- */

#define PAIR_LOOP(name, type, better)                                                                   \
    static void name(const void *in, void *inout, int64_t n)                                            \
    {                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                               \
            type a, b;                                                                                  \
            memcpy(&a, (const char *)in + i * (int64_t)sizeof a, sizeof a);                             \
            memcpy(&b, (const char *)inout + i * (int64_t)sizeof b, sizeof b);                          \
            if (a.value better b.value || (a.value == b.value && a.index < b.index))                    \
                memcpy((char *)inout + i * (int64_t)sizeof a, &a, sizeof a);                            \
        }                                                                                               \
    }
#define PAIR_LOOPS(suffix, value_type, index_type)                         \
    typedef struct { value_type value; index_type index; } pair_##suffix;  \
    PAIR_LOOP(maxloc_##suffix, pair_##suffix, >)                           \
    PAIR_LOOP(minloc_##suffix, pair_##suffix, <)
PAIR_LOOPS(f32_i32, float, int)
PAIR_LOOPS(f64_i32, double, int)
PAIR_LOOPS(long_i32, long, int)
PAIR_LOOPS(i32_i32, int, int)
PAIR_LOOPS(i16_i32, short, int)
PAIR_LOOPS(f80_i32, long double, int)
PAIR_LOOPS(f32_f32, float, float)
PAIR_LOOPS(f64_f64, double, double)

/* ---- the table ---- */

enum operation { MAX, MIN, SUM, PROD, BAND, BOR, BXOR, LAND, LOR, LXOR, MAXLOC, MINLOC, OPERATIONS };

#define ORDER_ROW(s) [MAX] = max_##s, [MIN] = min_##s
#define SUM_ROW(s) [SUM] = sum_##s, [PROD] = prod_##s
#define BIT_ROW(s) [BAND] = band_##s, [BOR] = bor_##s, [BXOR] = bxor_##s
#define LOGICAL_ROW(s) [LAND] = land_##s, [LOR] = lor_##s, [LXOR] = lxor_##s
#define INTEGER_ROW(s) {ORDER_ROW(s), SUM_ROW(s), BIT_ROW(s), LOGICAL_ROW(s)}
#define FLOATING_ROW(s) {ORDER_ROW(s), SUM_ROW(s)}
#define PAIR_ROW(s) {[MAXLOC] = maxloc_##s, [MINLOC] = minloc_##s}

static em_kernel_function *const kernels[ARITHMETICS][OPERATIONS] = {
    [BYTES] = {BIT_ROW(u8)},
    [I8] = INTEGER_ROW(i8), [I16] = INTEGER_ROW(i16), [I32] = INTEGER_ROW(i32), [I64] = INTEGER_ROW(i64),
    [U8] = INTEGER_ROW(u8), [U16] = INTEGER_ROW(u16), [U32] = INTEGER_ROW(u32), [U64] = INTEGER_ROW(u64),
    [F16] = FLOATING_ROW(f16), [BF16] = FLOATING_ROW(bf16), [F32] = FLOATING_ROW(f32), [F64] = FLOATING_ROW(f64), [F80] = FLOATING_ROW(f80),
    [C16] = {SUM_ROW(c16)}, [C32] = {SUM_ROW(c32)}, [C64] = {SUM_ROW(c64)}, [C80] = {SUM_ROW(c80)},
    [L8] = {LOGICAL_ROW(i8)}, [L16] = {LOGICAL_ROW(i16)}, [L32] = {LOGICAL_ROW(i32)}, [L64] = {LOGICAL_ROW(i64)},
#ifdef EM_HAVE_INT128
    [I128] = INTEGER_ROW(i128), [L128] = {LOGICAL_ROW(l128)},
#endif
#ifdef EM_HAVE_FLOAT128
    [F128] = FLOATING_ROW(f128), [C128] = {SUM_ROW(c128)},
#endif
    [PAIR_F32_I32] = PAIR_ROW(f32_i32), [PAIR_F64_I32] = PAIR_ROW(f64_i32), [PAIR_LONG_I32] = PAIR_ROW(long_i32), [PAIR_I32_I32] = PAIR_ROW(i32_i32),
    [PAIR_I16_I32] = PAIR_ROW(i16_i32), [PAIR_F80_I32] = PAIR_ROW(f80_i32), [PAIR_F32_F32] = PAIR_ROW(f32_f32), [PAIR_F64_F64] = PAIR_ROW(f64_f64),
};

#ifdef EM_KERNELS_AVX2
em_kernel_function *em_kernel_avx2(int operation, enum arithmetic arithmetic)
{
#else
em_kernel_function *em_kernel(int operation, enum arithmetic arithmetic)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return em_kernel_avx2(operation, arithmetic);
#endif
#endif
#define NUMBER_OF(handle) ((uintptr_t)(handle) - (uintptr_t)MPI_OP_NULL)
    static const uint8_t operations[] = { /* plus 1 */
        [NUMBER_OF(MPI_MAX)] = MAX + 1, [NUMBER_OF(MPI_MIN)] = MIN + 1, [NUMBER_OF(MPI_SUM)] = SUM + 1, [NUMBER_OF(MPI_PROD)] = PROD + 1,
        [NUMBER_OF(MPI_BAND)] = BAND + 1, [NUMBER_OF(MPI_BOR)] = BOR + 1, [NUMBER_OF(MPI_BXOR)] = BXOR + 1,
        [NUMBER_OF(MPI_LAND)] = LAND + 1, [NUMBER_OF(MPI_LOR)] = LOR + 1, [NUMBER_OF(MPI_LXOR)] = LXOR + 1,
        [NUMBER_OF(MPI_MAXLOC)] = MAXLOC + 1, [NUMBER_OF(MPI_MINLOC)] = MINLOC + 1,
    };
    uintptr_t i = (uintptr_t)operation - (uintptr_t)MPI_OP_NULL;
    return i < sizeof operations && operations[i] ? kernels[arithmetic][operations[i] - 1] : NULL;
}
