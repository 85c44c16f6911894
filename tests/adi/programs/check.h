/*
 * Checks of the programs of tests/adi: a failed one prints its place and ends the job.
 *
 * Gives: CHECK, EQUAL, rank_is, count_of, random_next.
 * Needs: adi.h, adi_launch.h.
 */
#ifndef WI4GO_CHECK_H
#define WI4GO_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adi.h"
#include "adi_launch.h"

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            fprintf(stderr, "%s:%d: rank %d: not true: %s\n", __FILE__, __LINE__, MPID_MyWorldRank, #condition); \
            MPID_Abort(NULL, 9, NULL, "a check has failed");                                                   \
        }                                                                                                      \
    } while (0)
#define EQUAL(expected, got)                                                                                                        \
    do {                                                                                                                            \
        long long expected_ = (long long)(expected), got_ = (long long)(got);                                                       \
        if (expected_ != got_) {                                                                                                    \
            fprintf(stderr, "%s:%d: rank %d: %s is %lld instead of %lld\n", __FILE__, __LINE__, MPID_MyWorldRank, #got, got_, expected_); \
            MPID_Abort(NULL, 9, NULL, "a check has failed");                                                                        \
        }                                                                                                                           \
    } while (0)

#define UNTOUCHED (-77) /* presets an err, which success leaves alone */

/* Returns the repetitions that ADI_COUNT asks for. */
static inline long count_of(long usual)
{
    const char *text = getenv("ADI_COUNT");
    return text && *text ? atol(text) : usual;
}

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Receives a message of no bytes from a rank, or sends one: a point in time. */
static inline void wait_for_rank(int rank)
{
    int err = UNTOUCHED;
    MPID_RecvContig(NULL, NULL, 0, rank, 999, 999, NULL, &err);
    EQUAL(UNTOUCHED, err);
}
static inline void tell_rank(int rank)
{
    int err = UNTOUCHED;
    MPID_SendContig(NULL, NULL, 0, MPID_MyWorldRank, 999, 999, rank, MPID_MSGFORM_OK, &err);
    EQUAL(UNTOUCHED, err);
}
/* Returns when all ranks have called it. */
static inline void meet(void)
{
    if (MPID_MyWorldRank != 0) {
        tell_rank(0);
        wait_for_rank(0);
        return;
    }
    for (int rank = 1; rank < MPID_MyWorldSize; rank++)
        wait_for_rank(rank);
    for (int rank = 1; rank < MPID_MyWorldSize; rank++)
        tell_rank(rank);
}

#endif
