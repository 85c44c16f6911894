/*
 * Records the operation or error handler that this thread created last. MPICH's C++ library
 * marks its function as a C++ one only afterwards (shim/front/mpich.c).
 *
 * Gives: note_last_created.
 * Needs: pair.h.
 */
#ifndef WI4GO_LAST_CREATED_H
#define WI4GO_LAST_CREATED_H
#include "pair.h"

/* Records an object for this thread: the program's handle, and the trampoline that the runtime
   has for its function, or NULL. Only fronts of families with such libraries keep it. */
static inline void note_last_created(long handle, void *trampoline)
{
#if A_LANGUAGE_HOOKS
    wi4go_last_created.handle = handle;
    wi4go_last_created.trampoline = trampoline;
#else
    (void)handle, (void)trampoline;
#endif
}
#endif
