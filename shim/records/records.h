/*
 * The registry of requests that have a record of ours, one for each front.
 *
 * The handle of such a request is the place of its record and how often the place was
 * used before, so that a handle whose request is over is found out. It is a value that
 * no runtime's request has: of the kind of MPI_REQUEST_NULL in MPICH's bit layout, with
 * bit 62 but not 63 where handles are addresses, with the sign in the standard ABI.
 *
 * Gives: wi4go_record_enter, wi4go_record_leave, wi4go_record_find, wi4go_record_handle,
 * wi4go_record_place, wi4go_is_record, WI4GO_RECORD_PLACES.
 * Needs: front.h, slots.h.
 */
#ifndef WI4GO_RECORDS_H
#define WI4GO_RECORDS_H
#include "front.h"
#include "slots.h"
#include <stdint.h>

/* Whose a record is. */
enum wi4go_record_kind {
    WI4GO_RECORD_EMULATED = 1, /* a struct emulated: the library lacks the operation */
    WI4GO_RECORD_TRANSLATED    /* a struct record: a request of the library, and what it still reads */
};

#define WI4GO_RECORD_PLACES (1u << 20)

/* Whether a handle is of the form that requests with a record have. */
static inline int wi4go_is_record(int64_t handle)
{
    const uint64_t a = RECORD_MASK >> 32 ? (uint64_t)handle : (uint32_t)handle;
    return (a & RECORD_MASK) == RECORD_FIRST && a != RECORD_FIRST;
}

/* Enters a record, which stays the caller's; returns its handle. Ends the program where
   there are WI4GO_RECORD_PLACES already, or no memory. */
int64_t wi4go_record_enter(enum wi4go_record_kind kind, void *record) HIDDEN;
/* The record of a handle; NULL: it is none of that kind, or its request is over. */
void *wi4go_record_find(enum wi4go_record_kind kind, int64_t handle) HIDDEN;
/* Its request is over: from here on the handle is none. */
void wi4go_record_leave(int64_t handle) HIDDEN;
/* The place of a handle, from 1 on, and the handle of the record of that kind there, 0:
   none. */
uint32_t wi4go_record_place(int64_t handle) HIDDEN;
int64_t wi4go_record_handle(enum wi4go_record_kind kind, uint32_t place) HIDDEN;
#endif
