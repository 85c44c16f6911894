/*
 * The parts of the front that load.c begins, and that nothing below it calls. Each part
 * includes this for its own declaration.
 *
 * Gives: wi4go_emulation_begins, wi4go_early, wi4go_objects_take, wi4go_left,
 * wi4go_static_core, wi4go_static_default.
 * Needs: front.h.
 */
#ifndef WI4GO_PARTS_H
#define WI4GO_PARTS_H
#include "front.h"

/* ---- emulation (shim/emulate) ---- */

/* Puts layers over the slots, which are filled. */
void wi4go_emulation_begins(void) HIDDEN;
/* Returns the function that a call is led to before the runtime is loaded, or NULL if the
   call has to load it. */
void *wi4go_early(unsigned slot) HIDDEN;

/* ---- the runtime's objects (objects.c) ---- */

/* Takes the library of that dlopen handle, what came into the process with it and
   what these open later as the runtime's: their references to functions of MPI
   lead to its own from now on, past the program's profiling tools. */
void wi4go_objects_take(void *library) HIDDEN;
/* The first object whose references could not be written, and why; "" if there is none.
   Then the safety net is needed (thunk.h). */
extern char wi4go_left[512] HIDDEN;

/* ---- in a program that was linked with -static-mpi (static_core.c) ---- */

/* The core, opened from the program; NULL as a function: it is a file. */
extern void *wi4go_static_core(void) HIDDEN __attribute__((weak));
/* The library to run on where nothing names one; NULL: there is none. */
extern const char *wi4go_static_default(void) HIDDEN __attribute__((weak));
#endif
