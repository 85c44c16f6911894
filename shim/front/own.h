/*
 * Functions of an MPI library's own, which are no part of MPI. A front cannot answer them on
 * another library; it has their names so that a program which never calls them runs.
 *
 * Gives: OWN_FUNCTION_CALLED, OWN.
 */
#ifndef WI4GO_OWN_H
#define WI4GO_OWN_H

/* The message of a call: the function, and the title of the family. */
#define OWN_FUNCTION_CALLED \
    "%s was called: it is no function of MPI but one of the program's own MPI library (%s), which wi4go cannot answer " \
    "on another; run the program on that library (--to), or have it do without"

#ifdef FAMILY
#include <stdio.h>
#include <unistd.h>

__attribute__((noreturn, noinline, unused)) static void own_function_called(const char *name)
{
    fflush(stdout);
    dprintf(2, "wi4go: " OWN_FUNCTION_CALLED "\n", name, FAMILY);
    _exit(1);
}

/* The stub of a function. */
#define OWN(name) \
    void name(void); \
    void name(void) { own_function_called(#name); }
#endif
#endif
