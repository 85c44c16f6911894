// Shared by the programs here: checks that print their line, and a last line for the test that runs them.
#ifndef CHECK_H
#define CHECK_H
#include <mpi.h>
#include <cstdio>
#include <cstdlib>

static int checks, failures;

#define CHECK(condition) \
    do { \
        checks++; \
        if (!(condition)) { \
            failures++; \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
        } \
    } while (0)

// Returns the class of the error that the statement causes on an object with ERRORS_THROW_EXCEPTIONS, or 0. Debian's
// Open MPI is built without exceptions; its bindings store the code in MPI::mpi_errno.
#ifdef OPEN_MPI
#define LEFT_ERROR (MPI::mpi_errno)
#else
static int LEFT_ERROR __attribute__((unused));
#endif
#define THROWN(statement) \
    ({ \
        int class_ = MPI::SUCCESS; \
        LEFT_ERROR = MPI::SUCCESS; \
        try { \
            statement; \
            if (LEFT_ERROR != MPI::SUCCESS) \
                class_ = MPI::Get_error_class(LEFT_ERROR); \
        } catch (MPI::Exception & e) { \
            CHECK(e.Get_error_string()[0]); \
            CHECK(MPI::Get_error_class(e.Get_error_code()) == e.Get_error_class()); \
            class_ = e.Get_error_class(); \
        } \
        class_; \
    })

// Sums the failures of all processes and prints the result on process 0.
static inline int report()
{
    int rank, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!rank)
        printf(sum ? "%d checks, %d failures\n" : "%d checks passed\n", checks, sum);
    fflush(stdout);
    return sum ? 1 : 0;
}
#endif
