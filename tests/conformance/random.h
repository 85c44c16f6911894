/* random.h: random numbers. The same state gives the same numbers in every process and ABI family (Marsaglia's
   xorshift). */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* Returns the initial state for a seed from 0 on. It is never 0, because all numbers after 0 would be 0. */
static inline uint64_t random_state(uint64_t seed) { return seed * 0x9E3779B97F4A7C15u + 1; }

/* Returns a number below n, which must not be 0. */
static inline unsigned random_next(uint64_t *state, unsigned n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 33) % n;
}

#endif
