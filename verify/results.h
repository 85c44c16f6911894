/*
 * The report of a test program. Each process writes one line after the other into
 * a file of its own, so that the lines survive when the process crashes or hangs:
 *
 *   rank R S            this process's rank and the size of MPI_COMM_WORLD
 *   test T N G          test T has N cases, in groups of G; cases are numbered across tests
 *   total N             the number of cases
 *   group T/SIG/COUNT   the following cases belong to this group
 *   case I S R          case I begins, with layouts S and R; it is right unless one
 *   wrong TEXT          … of these three lines follows: a result is wrong
 *   missing FUNCTION    the call failed because the runtime lacks the function
 *   absent FUNCTION     the library that this program has loaded lacks the function
 *   died N              the process ends by signal N
 *   error TEXT          the command line or the environment cannot be used
 *   end                 all cases are done
 *
 * Gives: put, wrong, missing, function, EXPECT, open_results, tell_signals.
 * Needs: nothing of MPI.
 */
#ifndef RESULTS_H
#define RESULTS_H
#include <stdarg.h>

extern int is_judged; /* not 0 if the current case has a verdict; the runner resets it */

/* Creates the file in a directory; ends the process if that fails. Returns a path that
   the tests may use for a file, the same on all ranks. */
const char *open_results(const char *directory);
/* Reports whether the file is open. */
int is_open(void);
/* Installs handlers that write a line "died" before a signal ends the process. */
void tell_signals(void);

/* Write a line. put_line begins it with `what`. */
void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
void put_line(const char *what, const char *format, va_list args);

/* Judges the case as wrong, with the reason, unless it has a verdict. */
void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Judges the case as missing, unless it has a verdict. */
void missing(const char *function);
/* Returns a function by name, because not every library has it. If it does not exist,
   judges the case as absent, unless it has a verdict, and returns NULL. */
void *function(const char *name);

/* Judges the case as wrong unless the integer `got` equals `want`. `what` names it. */
#define EXPECT(what, got, want)                                                                           \
    do {                                                                                                  \
        long long got_ = (long long)(got), want_ = (long long)(want);                                     \
        if (got_ != want_)                                                                                \
            wrong("%s is %lld, expected %lld", what, got_, want_);                                        \
    } while (0)
#endif
