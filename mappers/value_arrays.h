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
   be negative, which means none. */
static inline int any_negative(const int *values, int64_t n)
{
    if (n == 1)
        return *values < 0;
    four_integers all = {0, 0, 0, 0};
    int rest = 0;
    for (; n >= 8; n -= 8, values += 8)
        all |= *(const four_integers *)values | *(const four_integers *)(values + 4);
    for (; n > 0; n--, values++)
        rest |= *values;
    return (all[0] | all[1] | all[2] | all[3] | rest) < 0;
}
#endif
