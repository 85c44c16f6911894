/*
 * The thunks for x86-64: see call.h.
 *
 * Gives: thunk_slot, thunk_entries: macros of assembly.
 * Needs: x86_64.h, call.h.
 */
#ifndef WI4GO_THUNK_X86_64_H
#define WI4GO_THUNK_X86_64_H
#include "x86_64.h"
#include "call.h"

/* Defines the entry of one slot, of WI4GO_THUNK_SIZE bytes: it loads the slot into r11d and jumps
   to the thunk for the number of words that the slot's parameters occupy on the stack. */
.macro thunk_slot slot, parameters
	.p2align 4
	LANDING
	movl	$\slot, %r11d
	.if \parameters == CALL_ANY
	jmp	wi4go_thunk_any
	.elseif \parameters <= 6
	jmp	wi4go_thunk_0
	.elseif \parameters > 13
	.error	"no thunk for this number of parameters: see thunk_entries"
	.endif
	.irp	words, 1, 2, 3, 4, 5, 6, 7
	.if \parameters - 6 == \words
	jmp	wi4go_thunk_\words
	.endif
	.endr
.endm

/* The distance from rbp to the structure while a call runs. */
#define FRAME (CALL_SAVED + 192)

/* Pushes words of memory at an offset from rbp, and keeps rsp aligned. */
.macro thunk_push words, offset
	.if \words & 1
	pushq	$0
	.endif
	.set	.Lword, \words
	.rept	\words
	.set	.Lword, .Lword - 1
	pushq	\offset + 8 * .Lword(%rbp)
	.endr
.endm

/* Begins a thunk: makes the structure at rsp. */
.macro thunk_begin words
	.type	wi4go_thunk_\words, @function
wi4go_thunk_\words:
	.cfi_startproc
	enter_frame
	subq	$CALL_SAVED, %rsp
.endm

/* Calls the function if the flag is 0 and no observer is set. Otherwise continues after the macro. */
.macro thunk_direct words
	movq	wi4go_inside@gottpoff(%rip), %r10
	movq	%fs:(%r10), %rax
	orq	wi4go_observer(%rip), %rax
	orq	wi4go_observer + 8(%rip), %rax
	jnz	2f
	leaq	wi4go_inner(%rip), %rax
	movq	(%rax, %r11, 8), %r11
	movq	%rsp, %rax
	movq	%rax, CALL_MARK(%rax)
	movq	%rax, %fs:(%r10)
	thunk_push \words, 16
	call	*%r11
	movq	wi4go_inside@gottpoff(%rip), %r10
	movq	$0, %fs:(%r10)
	movq	$0, CALL_MARK - FRAME(%rbp)
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_restore_state
2:
.endm

/* Ends a thunk: calls wi4go_thunk_before, the function and wi4go_thunk_after. */
.macro thunk_end words, number
	movq	%rsp, %rdi
	movl	$\number, %esi
	call	wi4go_thunk_before
	testq	%rax, %rax
	jz	4f
	movq	%rax, %r11
	.set	.Lcopied, CALL_STACK - FRAME /* a macro's argument contains no space */
	thunk_push \number, .Lcopied
	restore_integers
	.ifc \words, any
	restore_vectors
	.endif
	call	*%r11
	movq	%rax, CALL_RESULT - FRAME(%rbp)
	movups	%xmm0, CALL_DOUBLE - FRAME(%rbp)
	leaq	-FRAME(%rbp), %rdi
	call	wi4go_thunk_after
4:	movq	CALL_RESULT - FRAME(%rbp), %rax
	movups	CALL_DOUBLE - FRAME(%rbp), %xmm0
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	wi4go_thunk_\words, .-wi4go_thunk_\words
.endm

/* Defines the thunks, which have the slot in r11d: one for each number of words on the stack, and
   one for CALL_ANY. */
.macro thunk_entries
	.irp	words, 0, 1, 2, 3, 4, 5, 6, 7
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
