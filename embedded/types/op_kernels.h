/*
 * The arithmetic of basic datatypes, and the loops of predefined operations.
 *
 * Gives: enum arithmetic, em_kernel, em_kernel_avx2, em_kernel_of.
 * Needs: nothing.
 */
#ifndef WI4GO_EMBEDDED_OP_KERNELS_H
#define WI4GO_EMBEDDED_OP_KERNELS_H

#include <stdint.h>

/* Types of 16 bytes, if the compiler has them. */
#ifdef __SIZEOF_INT128__
#define EM_HAVE_INT128 1
#endif
#if defined __SIZEOF_FLOAT128__ || __LDBL_MANT_DIG__ == 113
#define EM_HAVE_FLOAT128 1
#if __LDBL_MANT_DIG__ == 113
typedef long double em_float128;
#else
typedef __float128 em_float128;
#endif
#endif

/* How the elements of a datatype are computed with. */
enum arithmetic {
    ARITHMETIC_NONE,
    BYTES,                                /* bits only */
    I8, I16, I32, I64, I128, U8, U16, U32, U64,
    F16, BF16, F32, F64, F80, F128,       /* F80: long double, whatever it is */
    C16, C32, C64, C80, C128,             /* complex numbers of these */
    L8, L16, L32, L64, L128,              /* logical: 0 is false, the result for true is 1 */
    PAIR_F32_I32, PAIR_F64_I32, PAIR_LONG_I32, PAIR_I32_I32, PAIR_I16_I32, PAIR_F80_I32, PAIR_F32_F32, PAIR_F64_F64,
    ARITHMETICS
};

/* inout[i] = in[i] op inout[i] for n elements at any addresses. */
typedef void em_kernel_function(const void *in, void *inout, int64_t n);
/* Returns the loop of a predefined operation (its handle as a number), or NULL if the operation is
 * not defined for this arithmetic. */
em_kernel_function *em_kernel(int operation, enum arithmetic arithmetic);
em_kernel_function *em_kernel_avx2(int operation, enum arithmetic arithmetic); /* x86-64: loops with registers of 32 bytes */
struct op;
struct type;
/* Returns the loop for elements of the datatype, or NULL for an operation of the program's. */
em_kernel_function *em_kernel_of(const struct op *op, const struct type *type);

#endif
