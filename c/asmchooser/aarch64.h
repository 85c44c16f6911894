/*
 * The chooser's macros for arm64: see chooser.h. Every indirect branch uses x16, which a
 * `bti c` accepts.
 *
 * Gives: chooser_slot, chooser_stub, chooser_inner_first: macros of assembly.
 * Needs: landing.h.
 */
#ifndef WI4GO_AARCH64_H
#define WI4GO_AARCH64_H
#include "landing.h"

/* Appends the entries of a slot to the tables: the first-call entry (2), the entry for a function
   that the runtime lacks (3), and an empty entry of the inner door. */
.macro chooser_slot slot
	.section .text.first, "ax", %progbits
	.p2align 2
2:	LANDING
	mov	w16, #\slot
	b	wi4go_first_call_entry
3:	LANDING
	mov	w16, #\slot
	b	wi4go_missing_entry
	.section .data.wi4go_A
	.xword	2b
	.section .data.wi4go_inner
	.org	wi4go_inner+8*\slot+8
	.section .data.wi4go_R
	.xword	2b
	.section .data.wi4go_missing
	.xword	3b
	.text
.endm

/* Defines the stub of a function, and its slot. */
.macro chooser_stub name, slot
	.text
	.p2align 4
	.globl	\name
	.type	\name, %function
\name:
	.cfi_startproc
	LANDING
	adrp	x16, wi4go_A+8*\slot
	ldr	x16, [x16, :lo12:wi4go_A+8*\slot]
	br	x16
	.cfi_endproc
	.size	\name, .-\name
	chooser_slot \slot
	.text
.endm

/* Defines a jump to the function below a layer. */
.macro chooser_below name, link
	.text
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	.cfi_startproc
	LANDING
	adrp	x16, wi4go_below+8*\link
	ldr	x16, [x16, :lo12:wi4go_below+8*\link]
	br	x16
	.cfi_endproc
	.size	\name, .-\name
.endm

/* Fills the inner door's entry of the next slot with a first-call entry. */
.macro chooser_inner_first slot
	.section .text.first, "ax", %progbits
	.p2align 2
4:	LANDING
	mov	w16, #\slot
	b	wi4go_inner_first_entry
	.section .data.wi4go_inner
	.org	wi4go_inner+8*\slot
	.xword	4b
	.text
.endm

/* Makes a frame of 240 bytes at x29, with space for every argument register and the slot. */
.macro enter_frame
	stp	x29, x30, [sp, #-240]!
	.cfi_def_cfa_offset 240
	.cfi_offset x29, -240
	.cfi_offset x30, -232
	mov	x29, sp
	.cfi_def_cfa_register x29
.endm

/* Saves the integer arguments and the slot in w16 in the frame. The eight integers are at offset 16. */
.macro save_integers
	stp	x0, x1, [x29, #16]
	stp	x2, x3, [x29, #32]
	stp	x4, x5, [x29, #48]
	stp	x6, x7, [x29, #64]
	stp	x8, x16, [x29, #80]
.endm

/* Saves the vector registers of arguments in the frame. */
.macro save_vectors
	stp	q0, q1, [x29, #96]
	stp	q2, q3, [x29, #128]
	stp	q4, q5, [x29, #160]
	stp	q6, q7, [x29, #192]
.endm

/* Reload the argument registers from the frame. */
.macro restore_integers
	ldp	x0, x1, [x29, #16]
	ldp	x2, x3, [x29, #32]
	ldp	x4, x5, [x29, #48]
	ldp	x6, x7, [x29, #64]
	ldr	x8, [x29, #80]
.endm
.macro restore_vectors
	ldp	q0, q1, [x29, #96]
	ldp	q2, q3, [x29, #128]
	ldp	q4, q5, [x29, #160]
	ldp	q6, q7, [x29, #192]
.endm

/* Removes the frame. */
.macro leave_frame
	ldp	x29, x30, [sp], #240
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa sp, 0
.endm

/* The common part of first calls, with the slot in w16. Calls function(slot, arguments), which
   loads the runtime, and restarts the call at the address that it returns. */
.macro first_entry name, function
	.section .text.first, "ax", %progbits
	.p2align 2
	.type	\name, %function
\name:
	.cfi_startproc
	enter_frame
	save_integers
	save_vectors
	mov	w0, w16
	add	x1, x29, #16
	bl	\function
	mov	x16, x0
	restore_integers
	restore_vectors
	leave_frame
	br	x16
	.cfi_endproc
	.size	\name, .-\name
.endm
	first_entry wi4go_first_call_entry, wi4go_first_call
	first_entry wi4go_inner_first_entry, wi4go_inner_first_call

/* The common part of calls to a function that the runtime lacks, with the slot in w16. Calls
   wi4go_missing(slot, arguments), whose int result the program gets. */
	.type	wi4go_missing_entry, %function
wi4go_missing_entry:
	.cfi_startproc
	stp	x29, x30, [sp, #-112]!
	.cfi_def_cfa_offset 112
	.cfi_offset x29, -112
	.cfi_offset x30, -104
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	ldp	x0, x1, [sp, #112]
	stp	x0, x1, [sp, #80]
	ldp	x0, x1, [sp, #128]
	stp	x0, x1, [sp, #96]
	mov	w0, w16
	add	x1, sp, #16
	bl	wi4go_missing
	ldp	x29, x30, [sp], #112
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	wi4go_missing_entry, .-wi4go_missing_entry
	.text
#endif
