/*
 * The predefined datatypes (MPI-5.0, 3.2.2, 20.3). Their objects are in em->types, by the number
 * of the handle. Reading them needs no lock.
 */
#include "layout.h"
#include "op_kernels.h"
#include "../base/core.h"

#include <complex.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
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

/* Pairs for MPI_MAXLOC and MPI_MINLOC: a struct of two basic datatypes. */
typedef struct { float value; int index; } float_int;
typedef struct { double value; int index; } double_int;
typedef struct { long value; int index; } long_int;
typedef struct { int value, index; } two_ints;
typedef struct { short value; int index; } short_int;
typedef struct { long double value; int index; } long_double_int;
typedef struct { float value, index; } two_floats;
typedef struct { double value, index; } two_doubles;
#define PAIR(handle, type, value, index_type) {INDEX(handle), INDEX(value), INDEX(index_type), offsetof(type, index), sizeof(type), #handle},
static const struct {
    uint8_t index, value, second, displacement, extent; /* positions in the table above; displacement of the index, in bytes */
    const char *name;
} pairs[] = {
    PAIR(MPI_FLOAT_INT, float_int, MPI_FLOAT, MPI_INT) PAIR(MPI_DOUBLE_INT, double_int, MPI_DOUBLE, MPI_INT)
    PAIR(MPI_LONG_INT, long_int, MPI_LONG, MPI_INT) PAIR(MPI_2INT, two_ints, MPI_INT, MPI_INT)
    PAIR(MPI_SHORT_INT, short_int, MPI_SHORT, MPI_INT) PAIR(MPI_LONG_DOUBLE_INT, long_double_int, MPI_LONG_DOUBLE, MPI_INT)
    PAIR(MPI_2REAL, two_floats, MPI_REAL, MPI_REAL) PAIR(MPI_2DOUBLE_PRECISION, two_doubles, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION)
    PAIR(MPI_2INTEGER, two_ints, MPI_INTEGER, MPI_INTEGER)
};

/* ---- the objects ---- */

static void fill_predefined(size_t index, const char *name, struct layout *layout, int64_t extent, int align)
{
    struct type *type = &em->types[index];
    type->head = (struct object){.cookie = COOKIE(TYPE), .predefined = true};
    type->device.ops = &em_type_ops;
    type->committed = true;
    type->align = align;
    type->number = type->element = (int)index + TYPES_FIRST;
    type->layout = layout;
    em_type_fill(type, 0, extent);
    strcpy(type->name, name);
}

/* Fills the layout of a basic datatype. */
static void fill_basic(struct layout *layout, size_t index)
{
    const struct basic *basic = &em_basics[index];
    layout->kind = BASIC;
    layout->dense = true;
    layout->element = (int)index + TYPES_FIRST;
    layout->high = basic->size;
    layout->size[ELEMENTS] = layout->count = 1;
    for (int m = 0; m < ELEMENTS; m++)
        layout->size[m] = basic->width[m] * basic->components;
}

int em_types_init(void)
{
    /* The layouts of basic datatypes follow the objects. */
    em->types = calloc(TYPES_MAX, sizeof *em->types + sizeof(struct layout));
    if (!em->types)
        return em_type_no_memory();
    struct layout *layouts = (struct layout *)(em->types + TYPES_MAX);
    for (size_t i = 0; i < TYPES_MAX; i++)
        if (em_basics[i].components) {
            fill_basic(&layouts[i], i);
            fill_predefined(i, em_basics[i].name, &layouts[i], em_basics[i].size, em_basics[i].align);
        }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct layout *parts[] = {&layouts[pairs[i].value], &layouts[pairs[i].second]}, *layout;
        int err = em_layout_parts(2, (int64_t[]){0, pairs[i].displacement}, parts, &layout);
        if (err != MPI_SUCCESS)
            return err;
        fill_predefined(pairs[i].index, pairs[i].name, layout, pairs[i].extent, em->types[pairs[i].value].align);
        struct type *index = &em->types[pairs[i].second], *pair = &em->types[pairs[i].index];
        if (index->align > pair->align)
            pair->align = index->align;
    }
    return em_ops_init();
}

void em_types_end(void)
{
    for (size_t i = 0; em->types && i < sizeof pairs / sizeof *pairs; i++)
        em_layout_release(em->types[pairs[i].index].layout);
    em_f90_end();
    free(em->types);
    em->types = NULL;
    free(em->ops);
    em->ops = NULL;
}
