/*
 * The chooser's macros for x86-64: see chooser.h.
 *
 * Gives: chooser_slot, chooser_stub, chooser_inner_first: macros of assembly.
 * Needs: landing.h.
 */
#ifndef WI4GO_X86_64_H
#define WI4GO_X86_64_H
#include "landing.h"

/* Appends the entries of a slot to the tables: the first-call entry (2), the entry for a function
   that the runtime lacks (3), and an empty entry of the inner door. */
.macro chooser_slot slot
	.section .text.first, "ax", %progbits
2:	LANDING
	movl	$\slot, %r11d
	jmp	wi4go_first_call_entry
3:	LANDING
	movl	$\slot, %r11d
	jmp	wi4go_missing_entry
	.section .data.wi4go_A
	.quad	2b
	.section .data.wi4go_inner
	.org	wi4go_inner+8*\slot+8
	.section .data.wi4go_R
	.quad	2b
	.section .data.wi4go_missing
	.quad	3b
	.text
.endm

/* Defines the stub of a function, and its slot. */
.macro chooser_stub name, slot
	.text
	.p2align 4
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
	jmpq	*wi4go_A+8*\slot(%rip)
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
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
	jmpq	*wi4go_below+8*\link(%rip)
	.cfi_endproc
	.size	\name, .-\name
.endm

/* Fills the inner door's entry of the next slot with a first-call entry. */
.macro chooser_inner_first slot
	.section .text.first, "ax", %progbits
4:	LANDING
	movl	$\slot, %r11d
	jmp	wi4go_inner_first_entry
	.section .data.wi4go_inner
	.org	wi4go_inner+8*\slot
	.quad	4b
	.text
.endm

/* Makes a frame of 192 bytes below rbp, with space for every argument register and the slot. */
.macro enter_frame
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$192, %rsp
.endm

/* Saves the integer arguments and the slot in r11d in the frame. The six integers come first. */
.macro save_integers
	movq	%rdi, -192(%rbp)
	movq	%rsi, -184(%rbp)
	movq	%rdx, -176(%rbp)
	movq	%rcx, -168(%rbp)
	movq	%r8, -160(%rbp)
	movq	%r9, -152(%rbp)
	movq	%rax, -144(%rbp)
	movq	%r11, -136(%rbp)
.endm

/* Saves the vector registers of arguments in the frame. */
.macro save_vectors
	movups	%xmm0, -128(%rbp)
	movups	%xmm1, -112(%rbp)
	movups	%xmm2, -96(%rbp)
	movups	%xmm3, -80(%rbp)
	movups	%xmm4, -64(%rbp)
	movups	%xmm5, -48(%rbp)
	movups	%xmm6, -32(%rbp)
	movups	%xmm7, -16(%rbp)
.endm

/* Reload the argument registers from the frame. */
.macro restore_integers
	movq	-192(%rbp), %rdi
	movq	-184(%rbp), %rsi
	movq	-176(%rbp), %rdx
	movq	-168(%rbp), %rcx
	movq	-160(%rbp), %r8
	movq	-152(%rbp), %r9
	movq	-144(%rbp), %rax
.endm
.macro restore_vectors
	movups	-128(%rbp), %xmm0
	movups	-112(%rbp), %xmm1
	movups	-96(%rbp), %xmm2
	movups	-80(%rbp), %xmm3
	movups	-64(%rbp), %xmm4
	movups	-48(%rbp), %xmm5
	movups	-32(%rbp), %xmm6
	movups	-16(%rbp), %xmm7
.endm

/* The common part of first calls, with the slot in r11d. Calls function(slot, arguments), which
   loads the runtime, and restarts the call at the address that it returns. */
.macro first_entry name, function
	.section .text.first, "ax", %progbits
	.type	\name, @function
\name:
	.cfi_startproc
	enter_frame
	save_integers
	save_vectors
	movl	%r11d, %edi
	leaq	-192(%rbp), %rsi
	call	\function
	movq	%rax, %r10
	restore_integers
	restore_vectors
	leave
	.cfi_def_cfa %rsp, 8
	jmpq	*%r10
	.cfi_endproc
	.size	\name, .-\name
.endm
	first_entry wi4go_first_call_entry, wi4go_first_call
	first_entry wi4go_inner_first_entry, wi4go_inner_first_call

/* The common part of calls to a function that the runtime lacks, with the slot in r11d. Calls
   wi4go_missing(slot, arguments), whose int result the program gets. */
	.type	wi4go_missing_entry, @function
wi4go_missing_entry:
	.cfi_startproc
	subq	$136, %rsp
	.cfi_def_cfa_offset 144
	movq	%rdi, 0(%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
	movq	144(%rsp), %rax
	movq	%rax, 48(%rsp)
	movq	152(%rsp), %rax
	movq	%rax, 56(%rsp)
	movq	160(%rsp), %rax
	movq	%rax, 64(%rsp)
	movq	168(%rsp), %rax
	movq	%rax, 72(%rsp)
	movq	176(%rsp), %rax
	movq	%rax, 80(%rsp)
	movq	184(%rsp), %rax
	movq	%rax, 88(%rsp)
	movl	%r11d, %edi
	movq	%rsp, %rsi
	call	wi4go_missing
	addq	$136, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	wi4go_missing_entry, .-wi4go_missing_entry
	.text
#endif
