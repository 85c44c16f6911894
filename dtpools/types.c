/* The basic types: their handles, their C types, their names. The configured list (basic_types.h) is the only state that a user
 * may change. */
#include "types.h"
#include "basic_types.h"

#include <complex.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* Defines the functions of a basic type: `assign` sets x to value, `equal` compares x and y,
   and the other arguments print x. */
#define KIND(name, T, assign, equal, ...)                                                                 \
    static void put_##name(void *at, int value)                                                           \
    {                                                                                                     \
        T x;                                                                                              \
        memset(&x, 0, sizeof x);                                                                          \
        assign;                                                                                           \
        memcpy(at, &x, sizeof x);                                                                         \
    }                                                                                                     \
    static int same_##name(const void *at, int value)                                                     \
    {                                                                                                     \
        T x, y;                                                                                           \
        memcpy(&y, at, sizeof y);                                                                         \
        assign;                                                                                           \
        return equal;                                                                                     \
    }                                                                                                     \
    static void show_##name(const void *at, char *text, size_t size)                                      \
    {                                                                                                     \
        T x;                                                                                              \
        memcpy(&x, at, sizeof x);                                                                         \
        snprintf(text, size, __VA_ARGS__);                                                                \
    }
#define INTEGER(name, T) KIND(name, T, x = (T)value, x == y, "%lld", (long long)x)
#define FLOATING(name, T) KIND(name, T, x = (T)value, x == y, "%.21Lg", (long double)x)
#define COMPLEX(name, T)                                                                                  \
    KIND(name, T _Complex, x = (T)value + 2 * (T)value * I, x == y, "%.21Lg%+.21Lgi",           \
         (long double)creall(x), (long double)cimagl(x))
#define PAIR(name, T)                                                                                     \
    typedef struct {                                                                                      \
        T value;                                                                                          \
        int index;                                                                                        \
    } name##_pair;                                                                                        \
    KIND(name, name##_pair, (x.value = (T)value, x.index = (int)((unsigned)value + 1)),                   \
         x.value == y.value && x.index == y.index, "{%.21Lg, %d}", (long double)x.value, x.index)

/* The list of basic types, with their C types, by kind of type. */
#define BASIC_TYPES(INTEGER, FLOATING, COMPLEX, PAIR)                                                     \
    INTEGER(CHAR, char)                                                                                   \
    INTEGER(BYTE, unsigned char)                                                                          \
    INTEGER(WCHAR, wchar_t)                                                                               \
    INTEGER(SHORT, short)                                                                                 \
    INTEGER(INT, int)                                                                                     \
    INTEGER(LONG, long)                                                                                   \
    INTEGER(LONG_LONG_INT, long long)                                                                     \
    INTEGER(UNSIGNED_CHAR, unsigned char)                                                                 \
    INTEGER(UNSIGNED_SHORT, unsigned short)                                                               \
    INTEGER(UNSIGNED, unsigned)                                                                           \
    INTEGER(UNSIGNED_LONG, unsigned long)                                                                 \
    INTEGER(UNSIGNED_LONG_LONG, unsigned long long)                                                       \
    FLOATING(FLOAT, float)                                                                                \
    FLOATING(DOUBLE, double)                                                                              \
    FLOATING(LONG_DOUBLE, long double)                                                                    \
    INTEGER(INT8_T, int8_t)                                                                               \
    INTEGER(INT16_T, int16_t)                                                                             \
    INTEGER(INT32_T, int32_t)                                                                             \
    INTEGER(INT64_T, int64_t)                                                                             \
    INTEGER(UINT8_T, uint8_t)                                                                             \
    INTEGER(UINT16_T, uint16_t)                                                                           \
    INTEGER(UINT32_T, uint32_t)                                                                           \
    INTEGER(UINT64_T, uint64_t)                                                                           \
    COMPLEX(C_COMPLEX, float)                                                                             \
    COMPLEX(C_FLOAT_COMPLEX, float)                                                                       \
    COMPLEX(C_DOUBLE_COMPLEX, double)                                                                     \
    COMPLEX(C_LONG_DOUBLE_COMPLEX, long double)                                                           \
    PAIR(FLOAT_INT, float)                                                                                \
    PAIR(DOUBLE_INT, double)                                                                              \
    PAIR(LONG_INT, long)                                                                                  \
    PAIR(2INT, int)                                                                                       \
    PAIR(SHORT_INT, short)                                                                                \
    PAIR(LONG_DOUBLE_INT, long double)

#define DEFINE_INTEGER(name, T) INTEGER(of_##name, T)
#define DEFINE_FLOATING(name, T) FLOATING(of_##name, T)
#define DEFINE_COMPLEX(name, T) COMPLEX(of_##name, T)
#define DEFINE_PAIR(name, T) PAIR(of_##name, T)
BASIC_TYPES(DEFINE_INTEGER, DEFINE_FLOATING, DEFINE_COMPLEX, DEFINE_PAIR)

#define ENTRY(name, T) {"MPI_" #name, MPI_##name, sizeof(T), put_of_##name, same_of_##name, show_of_##name},
#define ENTRY_COMPLEX(name, T) ENTRY(name, T _Complex)
#define ENTRY_PAIR(name, T) ENTRY(name, of_##name##_pair)
const dtp_kind dtp_kinds[DTP_NUM_TYPES] = {BASIC_TYPES(ENTRY, ENTRY, ENTRY_COMPLEX, ENTRY_PAIR)};

/* The configured list; its last entry keeps an array without types from being empty. */
MPI_Datatype DTP_basic_types[] = {DTP_BASIC_TYPE_LIST MPI_DATATYPE_NULL};
const int DTP_num_basic_types = sizeof DTP_basic_types / sizeof *DTP_basic_types - 1;

/* Compares handles, so of two basic types with one handle the first is found. */
const dtp_kind *dtp_kind_of(MPI_Datatype type)
{
    for (const dtp_kind *k = dtp_kinds; k < dtp_kinds + DTP_NUM_TYPES; k++)
        if (k->type == type)
            return k;
    return NULL;
}

const char *DTP_type_name(MPI_Datatype type)
{
    const dtp_kind *k = dtp_kind_of(type);
    return k ? k->name : NULL;
}

MPI_Datatype DTP_type_of(const char *name)
{
    for (const dtp_kind *k = dtp_kinds; name && k < dtp_kinds + DTP_NUM_TYPES; k++)
        if (strcmp(k->name, name) == 0)
            return k->type;
    return MPI_DATATYPE_NULL;
}

/* Reports whether two words are equal except for the case of letters and at most one letter too many,
   too few or wrong, or two neighbors swapped. */
static int nearly_equal(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    if (strcasecmp(a, b) == 0 || (*a && strcasecmp(a + 1, b) == 0) || (*b && strcasecmp(a, b + 1) == 0))
        return 1;
    if (!*a || !*b)
        return 0;
    int swapped = a[1] && b[1] && tolower((unsigned char)a[0]) == tolower((unsigned char)b[1]) &&
                  tolower((unsigned char)a[1]) == tolower((unsigned char)b[0]);
    return strcasecmp(a + 1, b + 1) == 0 || (swapped && strcasecmp(a + 2, b + 2) == 0);
}

/* Returns a name for the hint about a misspelt one. A name that differs only in case or prefix comes before a nearly
 * equal one. */
const char *DTP_type_like(const char *name)
{
    static const char prefix[] = "MPI_";
    const size_t skipped = sizeof prefix - 1;
    for (const dtp_kind *k = dtp_kinds; name && k < dtp_kinds + DTP_NUM_TYPES; k++)
        if (strcasecmp(k->name, name) == 0 || strcasecmp(k->name + skipped, name) == 0)
            return k->name;
    for (const dtp_kind *k = dtp_kinds; name && k < dtp_kinds + DTP_NUM_TYPES; k++)
        if (nearly_equal(k->name, name))
            return k->name;
    return NULL;
}
