/* x86-64: see chooser.h. */
#include "landing.h"

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
	.section .data.wi4go_R
	.quad	2b
	.section .data.wi4go_missing
	.quad	3b
	.text
.endm

.macro chooser_stub name, slot
	.text
	.p2align 5
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
	movq	wi4go_in_w@gottpoff(%rip), %r11
	cmpl	$0, %fs:(%r11)
	jne	1f
	jmpq	*wi4go_A+8*\slot(%rip)
1:	jmpq	*wi4go_R+8*\slot(%rip)
	.cfi_endproc
	.size	\name, .-\name
	chooser_slot \slot
	.text
.endm

.macro chooser_below name, slot
	.text
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
	movq	wi4go_in_w@gottpoff(%rip), %r11
	jmpq	*wi4go_below+8*\slot(%rip)
	.cfi_endproc
	.size	\name, .-\name
.endm

/* r11d: the slot. Saves every argument register, calls
   wi4go_first_call(slot, arguments), restores and starts the call again. */
	.section .text.first, "ax", %progbits
	.type	wi4go_first_call_entry, @function
wi4go_first_call_entry:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$192, %rsp
	movq	%rdi, 0(%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
	movq	%rax, 48(%rsp)
	movq	%r11, 56(%rsp)
	movups	%xmm0, 64(%rsp)
	movups	%xmm1, 80(%rsp)
	movups	%xmm2, 96(%rsp)
	movups	%xmm3, 112(%rsp)
	movups	%xmm4, 128(%rsp)
	movups	%xmm5, 144(%rsp)
	movups	%xmm6, 160(%rsp)
	movups	%xmm7, 176(%rsp)
	movl	%r11d, %edi
	movq	%rsp, %rsi
	call	wi4go_first_call
	movq	%rax, %r10
	movq	0(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdx
	movq	24(%rsp), %rcx
	movq	32(%rsp), %r8
	movq	40(%rsp), %r9
	movq	48(%rsp), %rax
	movups	64(%rsp), %xmm0
	movups	80(%rsp), %xmm1
	movups	96(%rsp), %xmm2
	movups	112(%rsp), %xmm3
	movups	128(%rsp), %xmm4
	movups	144(%rsp), %xmm5
	movups	160(%rsp), %xmm6
	movups	176(%rsp), %xmm7
	movq	wi4go_in_w@gottpoff(%rip), %r11	/* as the stub leaves it */
	leave
	.cfi_def_cfa %rsp, 8
	jmpq	*%r10
	.cfi_endproc
	.size	wi4go_first_call_entry, .-wi4go_first_call_entry

/* r11d: the slot of a function that the runtime lacks. Calls
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
