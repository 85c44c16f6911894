/*
 * Another function in a slot, wherever in its chain the pair's is, and that no call goes a
 * fast path any more, where the runtime turns out to be one that they do not know.
 *
 * Gives: replace, leave_to_c.
 * Needs: pair.h.
 */
#ifndef WI4GO_REPLACE_H
#define WI4GO_REPLACE_H
#include "pair.h"

#if !SAME_FAMILY
/* What is in each slot, and in C where that is assembly. */
extern const struct wi4go_translation PAIR(translations)[N_SLOTS] HIDDEN;

/* Puts another function in the place of the pair's, in a slot and below the layers over it. */
static inline void replace(unsigned slot, void *function)
{
    void *const was = PAIR(translations)[slot].function;
    if (wi4go_entry(slot) == was)
        wi4go_set_entry(slot, function);
    for (unsigned link = 0; link < N_LINKS; link++)
        if (wi4go_below[link] == was)
            wi4go_below[link] = function;
}
#endif

#if FAST_PATHS && !SAME_FAMILY
static void leave_to_c(void)
{
    for (unsigned i = 0; i < N_SLOTS; i++) {
        void *const fallback = PAIR(translations)[i].fallback;
        if (fallback && fallback != WI4GO_ALONE)
            replace(i, fallback);
    }
    wi4go_rebound();
}
#else
static inline void leave_to_c(void) {}
#endif
#endif
