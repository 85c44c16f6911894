/* random.h: random numbers of which the same state gives the same in every process and ABI family (Marsaglia's xorshift). */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* What a state begins with. In: a number from 0. Out: never 0, from which none follows. */
static inline uint64_t random_state(uint64_t seed) { return seed * 0x9E3779B97F4A7C15u + 1; }

/* A number below n, which is not 0. */
static inline unsigned random_next(uint64_t *state, unsigned n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 33) % n;
}

#endif
