/* Every predefined operation on every predefined type that it is defined for (MPI-3.1, 5.9.2, 5.9.4). */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include "check.h"

/* Computes b = a (op) b for two values with Reduce_local and with Allreduce. */
#define TRY(type, mpi_type, op, x, y, want)                                                            \
    do {                                                                                               \
        type a_[2] = {(type)(x), (type)(y)}, b_[2] = {(type)(y), (type)(x)};                           \
        MUST(MPI_Reduce_local(a_, b_, 2, mpi_type, op));                                               \
        if (b_[0] != (type)(want) || b_[1] != (type)(want))                                            \
            check_fail(__FILE__, __LINE__, "%s of %s is wrong", #op, #mpi_type);                       \
        type mine_ = rank == 0 ? (type)(x) : (type)(y), all_ = 0;                                      \
        MUST(MPI_Allreduce(&mine_, &all_, 1, mpi_type, op, pair));                                     \
        if (all_ != (type)(want) && size > 1 && rank < 2)                                              \
            check_fail(__FILE__, __LINE__, "Allreduce %s of %s is wrong", #op, #mpi_type);             \
    } while (0)

#define ORDER(type, mpi_type)                  \
    do {                                       \
        TRY(type, mpi_type, MPI_MAX, 3, 5, 5); \
        TRY(type, mpi_type, MPI_MIN, 3, 5, 3); \
    } while (0)
#define ARITHMETIC(type, mpi_type)               \
    do {                                         \
        TRY(type, mpi_type, MPI_SUM, 3, 5, 8);   \
        TRY(type, mpi_type, MPI_PROD, 3, 5, 15); \
    } while (0)
#define LOGIC(type, mpi_type)                   \
    do {                                        \
        TRY(type, mpi_type, MPI_LAND, 1, 0, 0); \
        TRY(type, mpi_type, MPI_LAND, 1, 1, 1); \
        TRY(type, mpi_type, MPI_LOR, 1, 0, 1);  \
        TRY(type, mpi_type, MPI_LOR, 0, 0, 0);  \
        TRY(type, mpi_type, MPI_LXOR, 1, 0, 1); \
        TRY(type, mpi_type, MPI_LXOR, 1, 1, 0); \
    } while (0)
#define BITS(type, mpi_type)                      \
    do {                                          \
        TRY(type, mpi_type, MPI_BAND, 12, 10, 8); \
        TRY(type, mpi_type, MPI_BOR, 12, 10, 14); \
        TRY(type, mpi_type, MPI_BXOR, 12, 10, 6); \
    } while (0)
#define INTEGER(type, mpi_type)     \
    do {                            \
        ORDER(type, mpi_type);      \
        ARITHMETIC(type, mpi_type); \
        LOGIC(type, mpi_type);      \
        BITS(type, mpi_type);       \
    } while (0)
#define REAL(type, mpi_type)        \
    do {                            \
        ORDER(type, mpi_type);      \
        ARITHMETIC(type, mpi_type); \
    } while (0)
/* Fortran types, if the library was built with Fortran. */
#define IF_THERE(mpi_type, what)             \
    do {                                     \
        int bytes_ = 0;                      \
        if (mpi_type != MPI_DATATYPE_NULL)   \
            MPI_Type_size(mpi_type, &bytes_); \
        if (bytes_ > 0)                      \
            what;                            \
    } while (0)

/* MAXLOC and MINLOC: the lower index wins a tie. */
#define LOCATION(value_type, mpi_type)                                                              \
    do {                                                                                            \
        struct {                                                                                    \
            value_type value;                                                                       \
            int index;                                                                              \
        } in_[3], max_[3], min_[3], mine_, all_;                                                    \
        memset(in_, 0, sizeof in_);                                                                 \
        memset(max_, 0, sizeof max_);                                                               \
        memset(&all_, 0, sizeof all_);                                                              \
        for (int i_ = 0; i_ < 3; i_++) {                                                            \
            in_[i_].value = (value_type)(4 + i_);                                                   \
            in_[i_].index = 10 + i_;                                                                \
            max_[i_].value = 5;                                                                     \
            max_[i_].index = 3;                                                                     \
            min_[i_] = max_[i_];                                                                    \
        }                                                                                           \
        MUST(MPI_Reduce_local(in_, max_, 3, mpi_type, MPI_MAXLOC));                                 \
        MUST(MPI_Reduce_local(in_, min_, 3, mpi_type, MPI_MINLOC));                                 \
        CHECK_INT(max_[0].value, 5);                                                                \
        CHECK_INT(max_[0].index, 3);                                                                \
        CHECK_INT(max_[1].index, 3);                                                                \
        CHECK_INT(max_[2].value, 6);                                                                \
        CHECK_INT(max_[2].index, 12);                                                               \
        CHECK_INT(min_[0].value, 4);                                                                \
        CHECK_INT(min_[0].index, 10);                                                               \
        CHECK_INT(min_[1].index, 3);                                                                \
        CHECK_INT(min_[2].index, 3);                                                                \
        mine_.value = (value_type)(rank + 1);                                                       \
        mine_.index = rank;                                                                         \
        MUST(MPI_Allreduce(&mine_, &all_, 1, mpi_type, MPI_MAXLOC, MPI_COMM_WORLD));                \
        CHECK_INT(all_.value, size);                                                                \
        CHECK_INT(all_.index, size - 1);                                                            \
        MUST(MPI_Allreduce(&mine_, &all_, 1, mpi_type, MPI_MINLOC, MPI_COMM_WORLD));                \
        CHECK_INT(all_.value, 1);                                                                   \
        CHECK_INT(all_.index, 0);                                                                   \
    } while (0)

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm pair; /* ranks 0 and 1 together, and all others in pairs, too */
    MUST(MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair));

    INTEGER(signed char, MPI_SIGNED_CHAR);
    INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(short, MPI_SHORT);
    INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(int, MPI_INT);
    INTEGER(unsigned, MPI_UNSIGNED);
    INTEGER(long, MPI_LONG);
    INTEGER(unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(long long, MPI_LONG_LONG);
    INTEGER(long long, MPI_LONG_LONG_INT);
    INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    INTEGER(int8_t, MPI_INT8_T);
    INTEGER(int16_t, MPI_INT16_T);
    INTEGER(int32_t, MPI_INT32_T);
    INTEGER(int64_t, MPI_INT64_T);
    INTEGER(uint8_t, MPI_UINT8_T);
    INTEGER(uint16_t, MPI_UINT16_T);
    INTEGER(uint32_t, MPI_UINT32_T);
    INTEGER(uint64_t, MPI_UINT64_T);
    INTEGER(MPI_Aint, MPI_AINT);
    INTEGER(MPI_Offset, MPI_OFFSET);
    INTEGER(MPI_Count, MPI_COUNT);
    REAL(float, MPI_FLOAT);
    REAL(double, MPI_DOUBLE);
    REAL(long double, MPI_LONG_DOUBLE);
    LOGIC(bool, MPI_C_BOOL);
    BITS(unsigned char, MPI_BYTE);
    ARITHMETIC(float complex, MPI_C_COMPLEX);
    ARITHMETIC(float complex, MPI_C_FLOAT_COMPLEX);
    ARITHMETIC(double complex, MPI_C_DOUBLE_COMPLEX);
    ARITHMETIC(long double complex, MPI_C_LONG_DOUBLE_COMPLEX);
    TRY(double complex, MPI_C_DOUBLE_COMPLEX, MPI_PROD, 1 + 2 * I, 3 - I, 5 + 5 * I);

    IF_THERE(MPI_INTEGER, ORDER(int, MPI_INTEGER));
    IF_THERE(MPI_INTEGER, ARITHMETIC(int, MPI_INTEGER));
    IF_THERE(MPI_INTEGER, BITS(int, MPI_INTEGER));
    IF_THERE(MPI_INTEGER1, ORDER(int8_t, MPI_INTEGER1));
    IF_THERE(MPI_INTEGER2, ARITHMETIC(int16_t, MPI_INTEGER2));
    IF_THERE(MPI_INTEGER4, BITS(int32_t, MPI_INTEGER4));
    IF_THERE(MPI_INTEGER8, BITS(int64_t, MPI_INTEGER8));
    IF_THERE(MPI_REAL, REAL(float, MPI_REAL));
    IF_THERE(MPI_REAL4, REAL(float, MPI_REAL4));
    IF_THERE(MPI_REAL8, REAL(double, MPI_REAL8));
    IF_THERE(MPI_DOUBLE_PRECISION, REAL(double, MPI_DOUBLE_PRECISION));
    IF_THERE(MPI_COMPLEX, ARITHMETIC(float complex, MPI_COMPLEX));
    IF_THERE(MPI_COMPLEX8, ARITHMETIC(float complex, MPI_COMPLEX8));
    IF_THERE(MPI_COMPLEX16, ARITHMETIC(double complex, MPI_COMPLEX16));
    IF_THERE(MPI_DOUBLE_COMPLEX, ARITHMETIC(double complex, MPI_DOUBLE_COMPLEX));
    IF_THERE(MPI_LOGICAL, LOGIC(int, MPI_LOGICAL));
    IF_THERE(MPI_CXX_BOOL, LOGIC(bool, MPI_CXX_BOOL));
    IF_THERE(MPI_CXX_FLOAT_COMPLEX, ARITHMETIC(float complex, MPI_CXX_FLOAT_COMPLEX));
    IF_THERE(MPI_CXX_DOUBLE_COMPLEX, ARITHMETIC(double complex, MPI_CXX_DOUBLE_COMPLEX));
    IF_THERE(MPI_CXX_LONG_DOUBLE_COMPLEX, ARITHMETIC(long double complex, MPI_CXX_LONG_DOUBLE_COMPLEX));

    LOCATION(float, MPI_FLOAT_INT);
    LOCATION(double, MPI_DOUBLE_INT);
    LOCATION(long, MPI_LONG_INT);
    LOCATION(int, MPI_2INT);
    LOCATION(short, MPI_SHORT_INT);
    LOCATION(long double, MPI_LONG_DOUBLE_INT);

    /* All predefined operations commute. The standard makes no statement here about REPLACE and NO_OP. */
    const MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND,
                          MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        int commutes = -1;
        MUST(MPI_Op_commutative(ops[i], &commutes));
        CHECK_INT(commutes, 1);
        for (unsigned j = 0; j < i; j++)
            CHECK(ops[i] != ops[j]);
    }

    /* An undefined combination is an error. */
    double x = 1, y = 2;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_CLASS(MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
    MUST(MPI_Comm_free(&pair));
    return check_done("coll_ops");
}
