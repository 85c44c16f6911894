/*
 * The registry of tracked requests (requests that have a record in the front), one registry per
 * front.
 *
 * The handle of a tracked request holds the place of its record and how often the place was used
 * before, so that a stale handle is detected. No runtime's request has such a value: it has the
 * kind of MPI_REQUEST_NULL in MPICH's bit layout, bit 62 but not bit 63 if handles are addresses,
 * and the sign bit in the standard ABI.
 *
 * Gives: wi4go_tracked_enter, wi4go_tracked_leave, wi4go_tracked_find, wi4go_tracked_handle,
 * wi4go_tracked_place, wi4go_is_tracked, WI4GO_TRACKED_PLACES.
 * Needs: front.h, slots.h.
 */
#ifndef WI4GO_REGISTRY_H
#define WI4GO_REGISTRY_H
#include "front.h"
#include "slots.h"
#include <stdint.h>

/* The kinds of tracked requests, which are also the owners of their records. */
enum wi4go_tracked_kind {
    WI4GO_TRACKED_EMULATED = 1, /* a struct emulated: the library lacks the operation */
    WI4GO_TRACKED_TRANSLATED    /* a struct tracked_request: a request of the library, and the converted arguments that it still reads */
};

#define WI4GO_TRACKED_PLACES (1u << 20) /* the number of places, used or not */

/* Reports whether a handle takes the form of a tracked request's. */
static inline int wi4go_is_tracked(int64_t handle)
{
    const uint64_t a = TRACKED_MASK >> 32 ? (uint64_t)handle : (uint32_t)handle;
    return (a & TRACKED_MASK) == TRACKED_FIRST && a != TRACKED_FIRST;
}

/* Enters a record, which stays the caller's, and returns its handle. Ends the program if there
   are WI4GO_TRACKED_PLACES records already, or memory is exhausted. */
int64_t wi4go_tracked_enter(enum wi4go_tracked_kind kind, void *record) HIDDEN;
/* Returns the record of a handle, or NULL if the handle has none of this kind or its request is
   over. */
void *wi4go_tracked_find(enum wi4go_tracked_kind kind, int64_t handle) HIDDEN;
/* Ends a record's entry: from now on its handle is invalid. The record stays the caller's. */
void wi4go_tracked_leave(int64_t handle) HIDDEN;
/* wi4go_tracked_place returns the place of a handle, from 1 on. wi4go_tracked_handle returns the
   handle of the record of this kind at a place, or 0 if there is none. */
uint32_t wi4go_tracked_place(int64_t handle) HIDDEN;
int64_t wi4go_tracked_handle(enum wi4go_tracked_kind kind, uint32_t place) HIDDEN;
#endif
