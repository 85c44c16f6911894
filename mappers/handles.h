/*
 * Handles, both ways: one interface, of which there are three implementations, by
 * what the program's handles are (handles_int.h, handles_pointer.h,
 * handles_standard.h). For each KIND but requests (request_handles.h):
 *
 *   KIND_a2r(a)               the runtime's handle; a bad one becomes one that the
 *                             runtime refuses
 *   KIND_r2a(r)               for a result that the program owns and will free
 *   KIND_r2a_borrow(r)        for a result that the program does not own
 *   KIND_r2a_callback(r, &t)  for the argument of a callback; where t is set then,
 *   KIND_drop(a)              ends the handle when the callback has returned
 *   KIND_after(a, r)          what the program's variable holds after a call that
 *                             may have freed the object and left r in its place
 *
 * and for the set-up:
 *
 *   handles_prepare()         before the first of
 *   handle_predefine(i, r, real)
 *                             enters the predefined handle of row i with the runtime's
 *                             handle; real: which is its own and not another's in its
 *                             place. Not 0: there is no place for it
 *
 * Within a family handles are the same on both sides, as the pair's facts say.
 *
 * Gives: the interface.
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
#endif
#endif
