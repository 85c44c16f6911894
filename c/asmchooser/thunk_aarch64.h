/*
 * The thunks for arm64: see call.h. The call uses x16, which a `bti c` accepts.
 *
 * Gives: thunk_slot, thunk_entry: macros of assembly.
 * Needs: aarch64.h, call.h.
 */
#ifndef WI4GO_THUNK_AARCH64_H
#define WI4GO_THUNK_AARCH64_H
#include "aarch64.h"
#include "call.h"

/* Defines the entry of one slot, of WI4GO_THUNK_SIZE bytes: it loads the slot into w16. */
.macro thunk_slot slot
	.p2align 4
	LANDING
	mov	w16, #\slot
	b	wi4go_thunk_entry
.endm

/* Defines the common part of all thunks, with the slot in w16. The structure begins CALL_SAVED
   bytes below x29 while the call runs. */
.macro thunk_entry
	.type	wi4go_thunk_entry, %function
wi4go_thunk_entry:
	.cfi_startproc
	save_arguments
	sub	sp, sp, #CALL_SAVED
	mov	x0, sp
	bl	wi4go_thunk_before
	cbz	x0, 4f
	mov	x16, x0
	ldp	q0, q1, [sp, #CALL_STACK]
	ldp	q2, q3, [sp, #CALL_STACK + 32]
	stp	q2, q3, [sp, #-32]!
	stp	q0, q1, [sp, #-32]!
	restore_arguments
	blr	x16
	add	sp, sp, #8 * CALL_STACK_WORDS
	str	x0, [sp, #CALL_RESULT]
	str	q0, [sp, #CALL_DOUBLE]
	mov	x0, sp
	bl	wi4go_thunk_after
4:	ldr	x0, [sp, #CALL_RESULT]
	ldr	q0, [sp, #CALL_DOUBLE]
	mov	sp, x29
	leave_frame
	ret
	.cfi_endproc
	.size	wi4go_thunk_entry, .-wi4go_thunk_entry
.endm
#endif
