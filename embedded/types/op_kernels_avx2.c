/* The loops of op_kernels.c once more, for processors that have AVX2. */
#ifdef __x86_64__
#pragma GCC target("avx2")
#define EM_KERNELS_AVX2
#include "op_kernels.c"
#else
typedef int em_kernels_avx2; /* no file without a declaration */
#endif
