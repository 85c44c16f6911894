/*
 * Conversion of handles in both directions. There is one interface with three
 * implementations, chosen by the form of the program's handles: handles_int.h,
 * handles_pointer.h and handles_standard.h. For each KIND except requests
 * (request_handles.h):
 *
 *   KIND_a2r(a)               returns the runtime's handle; for an invalid handle it returns a
 *                             handle that the runtime refuses
 *   KIND_r2a(r)               returns the program's handle of a result that the program owns
 *                             and will free
 *   KIND_r2a_borrow(r)        returns the program's handle of a result that the program does
 *                             not own
 *   KIND_r2a_callback(r, &t)  returns the program's handle for the argument of a callback, and
 *                             sets t if the handle must end with the callback
 *   KIND_drop(a)              ends such a handle, after the callback has returned
 *   KIND_after(a, r)          returns the handle to store in the program's variable after a
 *                             call that may have freed the object and left r in its place
 *
 * and for the set-up:
 *
 *   handles_prepare()         is called once, before handle_predefine
 *   handle_predefine(i, r, real)
 *                             enters the runtime's handle r for the predefined handle in row
 *                             i. real is 0 if r substitutes for a handle that the runtime
 *                             lacks. Returns 0, or nonzero if the table lacks a place for it
 *
 * Within a family, handles are the same on both sides, and the pair's facts define these names.
 *
 * comm_changes() returns a number that is another one after each communicator that the program
 * gets. It changes before the program receives the handle. comm_changes_settled(n) reports whether the
 * number n counts as such: while a table is locked, its number does not.
 *
 * Gives: the interface; comm_changes, comm_changes_settled, COMM_r2a_again (only for handles of 64 bits).
 * Needs: pair.h, handles_standard.h, handles_pointer.h, handles_int.h.
 */
#ifndef WI4GO_HANDLES_H
#define WI4GO_HANDLES_H
#include "pair.h"
#if !SAME_FAMILY
#if A_HANDLES_ARE_NUMBERS
#include "handles_standard.h"
#elif A_HANDLE_BITS == 64
#include "handles_pointer.h"
#else
#include "handles_int.h"
#endif

#if A_HANDLE_BITS == 32
static inline uint64_t comm_changes(void) { return ht_changes(&table_COMM); }
static inline int comm_changes_settled(uint64_t changes) { return !(changes & 1); }
#else
#define comms_given PAIR(comms_given)
SHARED uint64_t comms_given INITIALLY(1); /* the number of communicators that the program has got, plus 1 */
static inline uint64_t comm_changes(void) { return __atomic_load_n(&comms_given, __ATOMIC_ACQUIRE); }
static inline int comm_changes_settled(uint64_t changes) { (void)changes; return 1; }
static inline A_MPI_Comm COMM_r2a_again(R_MPI_Comm r) { return COMM_r2a(r); } /* for a communicator that the program has already */
#define COMM_r2a(r) (__atomic_add_fetch(&comms_given, 1, __ATOMIC_ACQ_REL), COMM_r2a(r))
#endif
#else
static inline uint64_t comm_changes(void) { return 0; } /* nothing counts them */
static inline int comm_changes_settled(uint64_t changes) { return (int)changes; }
#endif
#endif
