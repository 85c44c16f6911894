/*
 * What a test program writes of its cases into a file of its process, line by
 * line, so that it is there when the process dies or hangs:
 *
 *   rank R S            of MPI_COMM_WORLD
 *   test T N G          has N cases, G in a group; cases are numbered through the tests
 *   total N             cases
 *   group T/SIG/COUNT   what the following cases are of
 *   case I S R          case I begins, with layouts S and R; it is right if none
 *   wrong TEXT          … of these three follows
 *   missing FUNCTION    the call failed, since the runtime lacks it
 *   absent FUNCTION     the library that this program loaded does not have it
 *   died N              by signal N
 *   error TEXT          the command line or the environment cannot be used
 *   end                 all cases are done
 *
 * Gives: put, wrong, missing, function, EXPECT, open_results, tell_signals.
 * Needs: nothing of MPI.
 */
#ifndef RESULTS_H
#define RESULTS_H
#include <stdarg.h>

extern int is_judged; /* the case at hand has its verdict */

/* Makes the file in a directory. Gives a path for a file of the tests' own, the same on
   all ranks. */
const char *open_results(const char *directory);
int is_open(void);
/* Has signals that end the process said before. */
void tell_signals(void);

/* Writes a line; what stands before the rest of it. */
void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
void put_line(const char *what, const char *format, va_list args);

/* Says that the case is wrong, and why; the first time counts. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says that the runtime lacks a function. */
void missing(const char *function);
/* A function that not every library has; where there is none, says so. */
void *function(const char *name);

/* An integer that has to have a value; what names it. */
#define EXPECT(what, got, want)                                                                           \
    do {                                                                                                  \
        long long got_ = (long long)(got), want_ = (long long)(want);                                     \
        if (got_ != want_)                                                                                \
            wrong("%s is %lld, expected %lld", what, got_, want_);                                        \
    } while (0)
#endif
