/*
 * Replaces the pair's functions after the tables are filled: one function in its slot, or all
 * fast paths by C, if the runtime uses a feature that the fast paths do not support.
 *
 * Gives: slot_replace, slots_use_c.
 * Needs: pair.h.
 */
#ifndef WI4GO_SLOT_REPLACE_H
#define WI4GO_SLOT_REPLACE_H
#include "pair.h"

#if !SAME_FAMILY
/* The pair's function for each slot and, if that is assembly, its fallback in C. */
extern const struct wi4go_translation PAIR(translations)[N_SLOTS] HIDDEN;

/* Replaces the pair's function in a slot, also below the layers that are installed over it. */
static inline void slot_replace(unsigned slot, void *function)
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
/* Replaces every fast path by its fallback in C. */
static void slots_use_c(void)
{
    for (unsigned i = 0; i < N_SLOTS; i++) {
        void *const fallback = PAIR(translations)[i].fallback;
        if (fallback && fallback != WI4GO_ALONE)
            slot_replace(i, fallback);
    }
    wi4go_notify_rebind();
}
#else
static inline void slots_use_c(void) {}
#endif
#endif
