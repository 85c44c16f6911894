/*
 * The thunks for arm64: see call.h. The call uses x16, which a `bti c` accepts.
 *
 * Gives: thunk_slot, thunk_entries: macros of assembly.
 * Needs: aarch64.h, call.h.
 */
#ifndef WI4GO_THUNK_AARCH64_H
#define WI4GO_THUNK_AARCH64_H
#include "aarch64.h"
#include "call.h"

/* Defines the entry of one slot, of WI4GO_THUNK_SIZE bytes: it loads the slot into w16 and jumps
   to the thunk for the number of words that the slot's parameters occupy on the stack. */
.macro thunk_slot slot, parameters
	.p2align 4
	LANDING
	mov	w16, #\slot
	.if \parameters == CALL_ANY
	b	wi4go_thunk_any
	.elseif \parameters <= 8
	b	wi4go_thunk_0
	.elseif \parameters > 13
	.error	"no thunk for this number of parameters: see thunk_entries"
	.endif
	.irp	words, 1, 2, 3, 4, 5
	.if \parameters - 8 == \words
	b	wi4go_thunk_\words
	.endif
	.endr
.endm

/* Pushes words of memory at an offset from x29, and keeps sp aligned. */
.macro thunk_push words, offset
	.if \words
	sub	sp, sp, #16 * ((\words + 1) / 2)
	.endif
	.set	.Lword, 0
	.rept	\words
	ldr	x11, [x29, #\offset + 8 * .Lword]
	str	x11, [sp, #8 * .Lword]
	.set	.Lword, .Lword + 1
	.endr
.endm

/* Loads the address of the thread's flag into x10; uses x11. */
.macro thunk_flag
	adrp	x10, :gottprel:wi4go_inside
	ldr	x10, [x10, :gottprel_lo12:wi4go_inside]
	mrs	x11, tpidr_el0
	add	x10, x10, x11
.endm

/* Begins a thunk: makes the structure at sp, CALL_SAVED bytes below x29. */
.macro thunk_begin words
	.type	wi4go_thunk_\words, %function
wi4go_thunk_\words:
	.cfi_startproc
	enter_frame
	sub	sp, sp, #CALL_SAVED
.endm

/* Calls the function if the flag is 0 and no observer is set. Otherwise continues after the macro. */
.macro thunk_direct words
	thunk_flag
	ldr	x11, [x10]
	adrp	x12, wi4go_observer
	add	x12, x12, :lo12:wi4go_observer
	ldp	x12, x13, [x12]
	orr	x11, x11, x12
	orr	x11, x11, x13
	cbnz	x11, 2f
	adrp	x11, wi4go_inner
	add	x11, x11, :lo12:wi4go_inner
	add	x11, x11, w16, uxtw #3
	ldar	x16, [x11]
	mov	x11, sp
	str	x11, [sp, #CALL_MARK]
	str	x11, [x10]
	thunk_push \words, 240
	blr	x16
	thunk_flag
	str	xzr, [x10]
	str	xzr, [x29, #CALL_MARK - CALL_SAVED]
	.cfi_remember_state
	mov	sp, x29
	leave_frame
	ret
	.cfi_restore_state
2:
.endm

/* Ends a thunk: calls wi4go_thunk_before, the function and wi4go_thunk_after. */
.macro thunk_end words, number
	mov	x0, sp
	mov	w1, #\number
	bl	wi4go_thunk_before
	cbz	x0, 4f
	mov	x16, x0
	.set	.Lcopied, CALL_STACK - CALL_SAVED /* a macro's argument contains no space */
	thunk_push \number, .Lcopied
	restore_integers
	.ifc \words, any
	restore_vectors
	.endif
	blr	x16
	sub	sp, x29, #CALL_SAVED
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
	.size	wi4go_thunk_\words, .-wi4go_thunk_\words
.endm

/* Defines the thunks, which have the slot in w16: one for each number of words on the stack, and
   one for CALL_ANY. */
.macro thunk_entries
	.irp	words, 0, 1, 2, 3, 4, 5
	thunk_begin \words
	thunk_direct \words
	save_integers
	thunk_end \words, \words
	.endr
	thunk_begin any
	save_integers
	save_vectors
	thunk_end any, CALL_STACK_WORDS
.endm
#endif
