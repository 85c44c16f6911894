/* Predefined types: their names and sizes, and distinct handles (MPI-3.1, 3.2.2, 6.8). */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>
#include "check.h"

#define NAMED(type, bytes) {type, #type, bytes}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    const struct {
        MPI_Datatype type;
        const char *name;
        int bytes;
    } all[] = {
        NAMED(MPI_CHAR, 1),
        NAMED(MPI_SIGNED_CHAR, 1),
        NAMED(MPI_UNSIGNED_CHAR, 1),
        NAMED(MPI_BYTE, 1),
        NAMED(MPI_WCHAR, sizeof(wchar_t)),
        NAMED(MPI_SHORT, sizeof(short)),
        NAMED(MPI_UNSIGNED_SHORT, sizeof(short)),
        NAMED(MPI_INT, sizeof(int)),
        NAMED(MPI_UNSIGNED, sizeof(int)),
        NAMED(MPI_LONG, sizeof(long)),
        NAMED(MPI_UNSIGNED_LONG, sizeof(long)),
        NAMED(MPI_LONG_LONG_INT, sizeof(long long)),
        NAMED(MPI_UNSIGNED_LONG_LONG, sizeof(long long)),
        NAMED(MPI_FLOAT, sizeof(float)),
        NAMED(MPI_DOUBLE, sizeof(double)),
        NAMED(MPI_LONG_DOUBLE, sizeof(long double)),
        NAMED(MPI_C_BOOL, sizeof(bool)),
        NAMED(MPI_INT8_T, 1),
        NAMED(MPI_INT16_T, 2),
        NAMED(MPI_INT32_T, 4),
        NAMED(MPI_INT64_T, 8),
        NAMED(MPI_UINT8_T, 1),
        NAMED(MPI_UINT16_T, 2),
        NAMED(MPI_UINT32_T, 4),
        NAMED(MPI_UINT64_T, 8),
        NAMED(MPI_AINT, sizeof(MPI_Aint)),
        NAMED(MPI_COUNT, sizeof(MPI_Count)),
        NAMED(MPI_OFFSET, sizeof(MPI_Offset)),
        NAMED(MPI_C_DOUBLE_COMPLEX, sizeof(double complex)),
        NAMED(MPI_C_LONG_DOUBLE_COMPLEX, sizeof(long double complex)),
        NAMED(MPI_PACKED, 1),
        NAMED(MPI_FLOAT_INT, sizeof(float) + sizeof(int)),
        NAMED(MPI_DOUBLE_INT, sizeof(double) + sizeof(int)),
        NAMED(MPI_LONG_INT, sizeof(long) + sizeof(int)),
        NAMED(MPI_SHORT_INT, sizeof(short) + sizeof(int)),
        NAMED(MPI_2INT, 2 * sizeof(int)),
        NAMED(MPI_LONG_DOUBLE_INT, sizeof(long double) + sizeof(int)),
    };
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1, bytes = -1;
    enum { N = sizeof all / sizeof *all };
    for (int i = 0; i < N; i++) {
        memset(name, 'x', sizeof name);
        MUST(MPI_Type_get_name(all[i].type, name, &length));
        CHECK_STR(name, all[i].name);
        CHECK_INT(length, strlen(all[i].name));
        MUST(MPI_Type_size(all[i].type, &bytes));
        if (bytes != all[i].bytes)
            check_fail(__FILE__, __LINE__, "%s: size %d, not %d", all[i].name, bytes, all[i].bytes);
        for (int j = 0; j < i; j++)
            CHECK(all[i].type != all[j].type);
    }

    /* Derived types have an empty name until one is set. */
    MPI_Datatype t, copy;
    MUST(MPI_Type_contiguous(2, MPI_INT, &t));
    MUST(MPI_Type_get_name(t, name, &length));
    CHECK_STR(name, "");
    CHECK_INT(length, 0);
    MUST(MPI_Type_set_name(t, "a pair of integers"));
    MUST(MPI_Type_get_name(t, name, &length));
    CHECK_STR(name, "a pair of integers");
    CHECK_INT(length, strlen("a pair of integers"));

    /* The longest name that fits. */
    char longest[MPI_MAX_OBJECT_NAME];
    const int fits = MPI_MAX_OBJECT_NAME - 1 < 63 ? MPI_MAX_OBJECT_NAME - 1 : 63;
    memset(longest, 'n', fits);
    longest[fits] = 0;
    MUST(MPI_Type_set_name(t, longest));
    MUST(MPI_Type_get_name(t, name, &length));
    CHECK_STR(name, longest);
    CHECK_INT(length, fits);
    MUST(MPI_Type_dup(t, &copy));
    MUST(MPI_Type_set_name(copy, "copy"));
    MUST(MPI_Type_get_name(t, name, &length));
    CHECK_STR(name, longest);
    MUST(MPI_Type_free(&copy));
    MUST(MPI_Type_free(&t));
    return check_done("type_names");
}
