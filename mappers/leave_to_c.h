/*
 * That no call goes a fast path any more, where the runtime turns out to be one
 * that they do not know.
 *
 * Gives: leave_to_c.
 * Needs: pair.h.
 */
#ifndef WI4GO_LEAVE_TO_C_H
#define WI4GO_LEAVE_TO_C_H
#include "pair.h"

#if FAST_PATHS && !SAME_FAMILY
/* What is in each slot, and in C where that is assembly. */
extern const struct wi4go_translation PAIR(translations)[N_SLOTS] HIDDEN;

static void leave_to_c(void)
{
    for (unsigned i = 0; i < N_SLOTS; i++) {
        const struct wi4go_translation t = PAIR(translations)[i];
        if (!t.fallback || t.fallback == WI4GO_ALONE)
            continue;
        if (wi4go_entry(i) == t.function)
            wi4go_set_entry(i, t.fallback);
        for (unsigned link = 0; link < N_LINKS; link++)
            if (wi4go_below[link] == t.function)
                wi4go_below[link] = t.fallback;
    }
}
#else
static inline void leave_to_c(void) {}
#endif
#endif
