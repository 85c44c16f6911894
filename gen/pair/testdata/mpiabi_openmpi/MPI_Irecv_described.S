FAST_PATH(described_MPI_Irecv)
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* datatype */
	movl	(%rdx), %r11d
	/* comm */
	orl	(%r9), %r11d
	testl	$-NUMBERS_KNOWN, %r11d
	jne	.Ldescribed_MPI_Irecv_1
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* source */
	movl	(%rcx), %eax
	/* tag */
	orl	(%r8), %eax
	js	.Ldescribed_MPI_Irecv_2
	/* buf */
	IS_ARRAY_C	%rdi, .Ldescribed_MPI_Irecv_4, .Ldescribed_MPI_Irecv_2
.Ldescribed_MPI_Irecv_3:
	/* buf */
	movq	(%rdi), %rdi
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(known_numbers)(%rip), %r10
	movq	8*NUMBERS_KNOWN*1(%r10,%rdx,8), %rdx
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movl	(%r9), %r9d
	movq	8*NUMBERS_KNOWN*0(%r10,%r9,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Irecv_6
	/* request */
	movq	32(%rsp), %rdx
	movq	8(%rsp), %rcx
	subq	PAIR(near_base)(%rip), %rcx
	rorq	$4, %rcx
	cmpq	$NEAR_STEPS-2, %rcx
	ja	.Ldescribed_MPI_Irecv_7
	addl	$NEAR_FIRST, %ecx
	movl	%ecx, (%rdx)
.Ldescribed_MPI_Irecv_5:
	/* ierror */
	movq	40(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Ldescribed_MPI_Irecv_8
	movl	%eax, (%rcx)
.Ldescribed_MPI_Irecv_8:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Ldescribed_MPI_Irecv_1:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(other_described_MPI_Irecv)(%rip)
.Ldescribed_MPI_Irecv_2:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(other_described_MPI_Irecv)(%rip)
.Ldescribed_MPI_Irecv_4:
	.cfi_def_cfa_offset 32
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Irecv_2
	IS_ELEMENT_C	%rdi, .Ldescribed_MPI_Irecv_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Irecv_2
	jmp	.Ldescribed_MPI_Irecv_3
.Ldescribed_MPI_Irecv_6:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Irecv_5
.Ldescribed_MPI_Irecv_7:
	.cfi_def_cfa_offset 32
	movq	8(%rsp), %rdi
	call	PAIR(request_number)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.Ldescribed_MPI_Irecv_5
FAST_END(described_MPI_Irecv)
