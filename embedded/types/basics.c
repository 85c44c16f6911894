/* The table of basic datatypes (MPI-5.0, 3.2.2, 20.3), by the number of the handle. It does not change. */
#include "layout.h"
#include "op_kernels.h"

#include <complex.h>
#include <limits.h>
#include <wchar.h>

#define INDEX(handle) ((uintptr_t)(handle) - TYPES_FIRST)

/* name, type in C, components, width of a component in external32, form, arithmetic */
#define NAMED_ROW(handle, name, type, components, external, form, arithmetic) \
    [INDEX(handle)] = {sizeof(type), _Alignof(type), components, {sizeof(type) / (components), sizeof(type) / (components), external}, form, arithmetic, name},
#define ROW(handle, ...) NAMED_ROW(handle, #handle, __VA_ARGS__)
#define OF_SIZE(kind, bytes) ((bytes) == 1 ? kind##8 : (bytes) == 2 ? kind##16 : (bytes) == 4 ? kind##32 : kind##64)
#define SIGNED(handle, type) NAMED_ROW(handle, #handle, type, 1, sizeof(type), FORM_SIGNED, OF_SIZE(I, sizeof(type)))
#define UNSIGNED(handle, type) NAMED_ROW(handle, #handle, type, 1, sizeof(type), FORM_UNSIGNED, OF_SIZE(U, sizeof(type)))
#define LOGICAL(handle, type) NAMED_ROW(handle, #handle, type, 1, sizeof(type), FORM_UNSIGNED, OF_SIZE(L, sizeof(type)))
#define REAL(handle, type, arithmetic) NAMED_ROW(handle, #handle, type, 1, sizeof(type), FORM_UNSIGNED, arithmetic)
#define COMPLEX(handle, type, arithmetic) NAMED_ROW(handle, #handle, type, 2, sizeof(type) / 2, FORM_UNSIGNED, arithmetic)
#if __LDBL_MANT_DIG__ == 64
#define FORM_LONG_DOUBLE FORM_EXTENDED
#else
#define FORM_LONG_DOUBLE FORM_UNSIGNED
#endif

#define CHAR_ARITHMETIC (CHAR_MIN < 0 ? I8 : U8)

typedef struct { uint16_t re, im; } complex_half;
typedef struct { _Alignas(16) char bytes[16]; } sixteen;
typedef struct { _Alignas(16) char bytes[32]; } complex_sixteen;
#ifdef EM_HAVE_INT128
#define INTEGER_16 I128
#define LOGICAL_16 L128
#else
#define INTEGER_16 ARITHMETIC_NONE
#define LOGICAL_16 ARITHMETIC_NONE
#endif
#ifdef EM_HAVE_FLOAT128
#define REAL_16 F128
#define COMPLEX_16 C128
#else
#define REAL_16 ARITHMETIC_NONE
#define COMPLEX_16 ARITHMETIC_NONE
#endif

/* MPI_CHAR and MPI_CHARACTER have the arithmetic of their bytes, although the standard defines
 * none: programs use it, and the other libraries have it. */
const struct basic em_basics[TYPES_MAX] = {
    SIGNED(MPI_AINT, MPI_Aint) SIGNED(MPI_COUNT, MPI_Count) SIGNED(MPI_OFFSET, MPI_Offset)
    ROW(MPI_PACKED, char, 1, 1, FORM_UNSIGNED, ARITHMETIC_NONE)
    ROW(MPI_BYTE, char, 1, 1, FORM_UNSIGNED, BYTES)
    ROW(MPI_CHAR, char, 1, 1, FORM_UNSIGNED, CHAR_ARITHMETIC) ROW(MPI_CHARACTER, char, 1, 1, FORM_UNSIGNED, CHAR_ARITHMETIC)
    SIGNED(MPI_SIGNED_CHAR, signed char) UNSIGNED(MPI_UNSIGNED_CHAR, unsigned char)
    ROW(MPI_WCHAR, wchar_t, 1, 2, FORM_UNSIGNED, ARITHMETIC_NONE)
    SIGNED(MPI_SHORT, short) SIGNED(MPI_INT, int) SIGNED(MPI_LONG_LONG_INT, long long)
    UNSIGNED(MPI_UNSIGNED_SHORT, unsigned short) UNSIGNED(MPI_UNSIGNED, unsigned) UNSIGNED(MPI_UNSIGNED_LONG_LONG, unsigned long long)
    ROW(MPI_LONG, long, 1, 4, FORM_SIGNED, OF_SIZE(I, sizeof(long)))
    ROW(MPI_UNSIGNED_LONG, unsigned long, 1, 4, FORM_UNSIGNED, OF_SIZE(U, sizeof(long)))
    SIGNED(MPI_INT8_T, int8_t) SIGNED(MPI_INT16_T, int16_t) SIGNED(MPI_INT32_T, int32_t) SIGNED(MPI_INT64_T, int64_t)
    UNSIGNED(MPI_UINT8_T, uint8_t) UNSIGNED(MPI_UINT16_T, uint16_t) UNSIGNED(MPI_UINT32_T, uint32_t) UNSIGNED(MPI_UINT64_T, uint64_t)
    REAL(MPI_FLOAT, float, F32) REAL(MPI_DOUBLE, double, F64)
    ROW(MPI_LONG_DOUBLE, long double, 1, 16, FORM_LONG_DOUBLE, F80)
    COMPLEX(MPI_C_COMPLEX, float complex, C32) COMPLEX(MPI_C_DOUBLE_COMPLEX, double complex, C64)
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, long double complex, 2, 16, FORM_LONG_DOUBLE, C80)
    COMPLEX(MPI_CXX_FLOAT_COMPLEX, float complex, C32) COMPLEX(MPI_CXX_DOUBLE_COMPLEX, double complex, C64)
    ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex, 2, 16, FORM_LONG_DOUBLE, C80)
    LOGICAL(MPI_C_BOOL, bool) LOGICAL(MPI_CXX_BOOL, bool)
    LOGICAL(MPI_LOGICAL, MPI_Fint) SIGNED(MPI_INTEGER, MPI_Fint) REAL(MPI_REAL, float, F32) REAL(MPI_DOUBLE_PRECISION, double, F64)
    COMPLEX(MPI_COMPLEX, float complex, C32) COMPLEX(MPI_DOUBLE_COMPLEX, double complex, C64)
    LOGICAL(MPI_LOGICAL1, int8_t) LOGICAL(MPI_LOGICAL2, int16_t) LOGICAL(MPI_LOGICAL4, int32_t) LOGICAL(MPI_LOGICAL8, int64_t)
    ROW(MPI_LOGICAL16, sixteen, 1, 16, FORM_UNSIGNED, LOGICAL_16)
    SIGNED(MPI_INTEGER1, int8_t) SIGNED(MPI_INTEGER2, int16_t) SIGNED(MPI_INTEGER4, int32_t) SIGNED(MPI_INTEGER8, int64_t)
    ROW(MPI_INTEGER16, sixteen, 1, 16, FORM_SIGNED, INTEGER_16)
    REAL(MPI_REAL2, uint16_t, F16) REAL(MPI_REAL4, float, F32) REAL(MPI_REAL8, double, F64) REAL(MPI_REAL16, sixteen, REAL_16)
    COMPLEX(MPI_COMPLEX4, complex_half, C16) COMPLEX(MPI_COMPLEX8, float complex, C32) COMPLEX(MPI_COMPLEX16, double complex, C64)
    COMPLEX(MPI_COMPLEX32, complex_sixteen, COMPLEX_16)
    REAL(MPIX_C_FLOAT16, uint16_t, F16) REAL(MPIX_BFLOAT16, uint16_t, BF16)
};
