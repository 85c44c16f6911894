/*
 * The operation or error handler that this thread made last: MPICH's C++ library says
 * only afterwards that its function is a C++ one (shim/front/mpich.c).
 *
 * Gives: made_last.
 * Needs: pair.h.
 */
#ifndef WI4GO_LAST_MADE_H
#define WI4GO_LAST_MADE_H
#include "pair.h"

static inline void made_last(long handle, void *trampoline)
{
#if A_LANGUAGE_HOOKS
    wi4go_last_made.handle = handle;
    wi4go_last_made.trampoline = trampoline;
#else
    (void)handle, (void)trampoline;
#endif
}
#endif
