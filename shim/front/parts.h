/*
 * The parts of the front that load.c starts. No file below load.c calls them. Each part includes
 * this header for its own declaration.
 *
 * Gives: wi4go_emulation_install, wi4go_before_load, wi4go_objects_prepare, wi4go_objects_bind,
 * wi4go_rebind_library, wi4go_unwritable, wi4go_static_core, wi4go_static_library, wi4go_static_loaded.
 * Needs: front.h.
 */
#ifndef WI4GO_PARTS_H
#define WI4GO_PARTS_H
#include "front.h"

/* ---- emulation (shim/emulate) ---- */

/* Installs the layers of emulation over the slots, which must be filled. */
void wi4go_emulation_install(void) HIDDEN;
/* Returns the function that serves a call before the runtime is loaded, or NULL if the call has
   to load the runtime. */
void *wi4go_before_load(unsigned slot) HIDDEN;

/* ---- the objects in the process (objects.c) ---- */

/* Called before the runtime is loaded. Ends the process if its objects need the library of another
   family and none needs this family's. Puts the front's symbols into the global scope, unless the
   front is a part of the program (in_program). */
void wi4go_objects_prepare(int in_program) HIDDEN;
/* Called after the runtime is loaded, unless it is of the front's own family: binds the references
   of the runtime's objects, or installs the safety net, and opens the stubs of own functions if the
   front is a library. */
void wi4go_objects_bind(int in_program) HIDDEN;

/* ---- the runtime's objects (rebind.c) ---- */

/* Takes the library with this dlopen handle, the objects that came into the process with it, and
   the objects that these open later, as parts of the runtime. From now on their references to MPI
   functions lead to the runtime's own functions, past the program's profiling tools. */
void wi4go_rebind_library(void *library) HIDDEN;
/* The first object whose references could not be written, and the reason; "" if there is none. If
   there is one, the safety net is needed (thunk.h). */
extern char wi4go_unwritable[512] HIDDEN;

/* ---- in a program that was linked with -static-mpi (static_core.c, linked.c) ---- */

/* Returns the dlopen handle of the core that is embedded in the program, or NULL if the program
   needs none. The symbol itself is NULL if the core is a file of the installation. */
extern void *wi4go_static_core(void) HIDDEN __attribute__((weak));
/* Returns the library to run on, or NULL if WI4GO_TO gives its file. The path is valid until
   wi4go_static_loaded is called. */
extern const char *wi4go_static_library(void) HIDDEN __attribute__((weak));
extern void wi4go_static_loaded(void) HIDDEN __attribute__((weak));
#endif
