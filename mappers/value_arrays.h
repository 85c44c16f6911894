/*
 * Arrays of integers of which few have another value on the other side, as ranks.
 *
 * Gives: any_negative.
 * Needs: pair.h.
 */
#ifndef WI4GO_VALUE_ARRAYS_H
#define WI4GO_VALUE_ARRAYS_H
#include "pair.h"

/* Reports whether one of the first n integers is negative. It reads eight of them at a time. n may
   be negative, which means none. */
static inline int any_negative(const int *values, int64_t n)
{
    uint64_t all = 0, words[4];
    for (; n >= 8; n -= 8, values += 8) {
        memcpy(words, values, sizeof words);
        all |= words[0] | words[1] | words[2] | words[3];
    }
    for (; n > 0; n--, values++)
        all |= (uint64_t)*values;
    return (all & 0x8000000080000000u) != 0;
}
#endif
