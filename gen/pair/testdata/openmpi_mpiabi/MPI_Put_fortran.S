FAST_PATH(fortran_MPI_Put)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* win */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Put_3
	movq	8*NUMBERS_KNOWN*10(%r10,%rax,8), %rax
.Lfortran_MPI_Put_2:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Put_6
	/* target_datatype */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Put_8
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Put_7:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Put_11
	/* target_rank */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Put_11
	/* origin_datatype */
	movl	(%rdx), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Put_13
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Put_12:
	testq	%rax, %rax
	js	.Lfortran_MPI_Put_11
	/* origin_addr */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Put_17
.Lfortran_MPI_Put_16:
	/* origin_count */
	movl	(%rsi), %esi
	/* origin_datatype */
	movq	%rax, %rdx
	/* target_rank */
	movl	(%rcx), %ecx
	/* target_disp */
	movq	(%r8), %r8
	/* target_count */
	movl	(%r9), %r9d
	call	*wi4go_R+8*SLOT_MPI_Put(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Put_19
.Lfortran_MPI_Put_18:
	/* ierror */
	movq	48(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Put_20
	movl	%eax, (%rcx)
.Lfortran_MPI_Put_20:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Lfortran_MPI_Put_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(frequent_MPI_Put)
.Lfortran_MPI_Put_3:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*10(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_4
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*10(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*10(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_5
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_2
.Lfortran_MPI_Put_5:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Put_4:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_1
.Lfortran_MPI_Put_6:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmp	PAIR(frequent_MPI_Put)
.Lfortran_MPI_Put_8:
	.cfi_def_cfa_offset 24
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_9
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_10
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_7
.Lfortran_MPI_Put_10:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Put_9:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_6
.Lfortran_MPI_Put_11:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(frequent_MPI_Put)
.Lfortran_MPI_Put_13:
	.cfi_def_cfa_offset 32
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_14
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Put_15
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_12
.Lfortran_MPI_Put_15:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Put_14:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Put_11
.Lfortran_MPI_Put_17:
	.cfi_def_cfa_offset 32
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Put_16
.Lfortran_MPI_Put_19:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Put_18
FAST_END(fortran_MPI_Put)
