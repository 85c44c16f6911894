/*
 * Checks of the programs types_*.c: a failed one prints its place and ends the program.
 *
 * Gives: CHECK, EQUAL, MUST, FAILS, random_next, begin, right.
 * Needs: mpi.h.
 */
#ifndef WI4GO_TYPES_CHECK_H
#define WI4GO_TYPES_CHECK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition)) {                                                             \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);   \
            exit(9);                                                                    \
        }                                                                               \
    } while (0)
#define EQUAL(expected, got)                                                                                        \
    do {                                                                                                            \
        long long expected_ = (long long)(expected), got_ = (long long)(got);                                       \
        if (expected_ != got_) {                                                                                    \
            fprintf(stderr, "%s:%d: %s is %lld instead of %lld\n", __FILE__, __LINE__, #got, got_, expected_);      \
            exit(9);                                                                                                \
        }                                                                                                           \
    } while (0)
#define MUST(call) EQUAL(MPI_SUCCESS, call)
/* The call returns an error of the class. */
#define FAILS(class, call)                               \
    do {                                                 \
        int class_ = -1, code_ = (call);                 \
        MPI_Error_class(code_, &class_);                 \
        EQUAL(class, class_);                            \
    } while (0)

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline void begin(int *argc, char ***argv)
{
    MUST(MPI_Init(argc, argv));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
}

static inline int right(const char *name)
{
    MUST(MPI_Finalize());
    printf("%s: right\n", name);
    return 0;
}

#endif
