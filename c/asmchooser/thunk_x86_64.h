/*
 * The thunks for x86-64: see call.h.
 *
 * Gives: thunk_slot, thunk_entry: macros of assembly.
 * Needs: x86_64.h, call.h.
 */
#ifndef WI4GO_THUNK_X86_64_H
#define WI4GO_THUNK_X86_64_H
#include "x86_64.h"
#include "call.h"

/* Defines the entry of one slot, of WI4GO_THUNK_SIZE bytes: it loads the slot into r11d. */
.macro thunk_slot slot
	.p2align 4
	LANDING
	movl	$\slot, %r11d
	jmp	wi4go_thunk_entry
.endm

/* Defines the common part of all thunks, with the slot in r11d. The structure is at rbp - FRAME
   while the call runs. */
.macro thunk_entry
#define FRAME (CALL_SAVED + 192)
	.type	wi4go_thunk_entry, @function
wi4go_thunk_entry:
	.cfi_startproc
	save_arguments
	subq	$CALL_SAVED, %rsp
	movq	%rsp, %rdi
	call	wi4go_thunk_before
	testq	%rax, %rax
	jz	4f
	movq	%rax, %r11
	.set	.Lword, CALL_STACK_WORDS
	.rept	CALL_STACK_WORDS
	.set	.Lword, .Lword - 1
	pushq	CALL_STACK + 8 * .Lword - FRAME(%rbp)
	.endr
	restore_arguments
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
	.size	wi4go_thunk_entry, .-wi4go_thunk_entry
.endm
#endif
