/*
 * Functions that an MPI library exports and that are no part of MPI. A front cannot serve them on
 * another library. It exports their names so that a program that never calls them runs.
 *
 * Gives: OWN_FUNCTION_CALLED, OWN.
 */
#ifndef WI4GO_OWN_H
#define WI4GO_OWN_H

/* The message for a call of one: the function's name, and the title of the family. */
#define OWN_FUNCTION_CALLED \
    "%s was called: it is not an MPI function but a function of the program's own MPI library (%s), which wi4go cannot " \
    "provide on another library: run the program on that library (--to), or remove the call"

#ifdef FAMILY
#include <stdio.h>
#include <unistd.h>

/* Reports the call and ends the process with status 1. */
__attribute__((noreturn, noinline, unused)) static void own_function_called(const char *name)
{
    fflush(stdout);
    dprintf(2, "wi4go: " OWN_FUNCTION_CALLED "\n", name, FAMILY);
    _exit(1);
}

/* Defines the stub of a function. */
#define OWN(name) \
    void name(void); \
    void name(void) { own_function_called(#name); }
#endif
#endif
