/*
 * Arrays of integers of which few have another value on the other side, as ranks.
 *
 * Gives: any_negative.
 * Needs: pair.h.
 */
#ifndef WI4GO_VALUE_ARRAYS_H
#define WI4GO_VALUE_ARRAYS_H
#include "pair.h"

/* Four integers at an address of any of them. */
typedef int four_integers __attribute__((vector_size(16), aligned(4), may_alias));

/* Reports whether one of the first n integers is negative. It reads eight of them at a time. n may
   be negative, which means none. A single integer is the usual case. */
static inline int any_negative(const int *values, int n)
{
    int any = 0;
    if (unlikely(n != 1)) {
        four_integers all = {0, 0, 0, 0};
        for (; n >= 8; n -= 8, values += 8)
            all |= *(const four_integers *)values | *(const four_integers *)(values + 4);
        for (; n > 0; n--, values++)
            any |= *values;
        any |= all[0] | all[1] | all[2] | all[3];
    } else {
        any = *values;
    }
    return unlikely(any < 0);
}
#endif
