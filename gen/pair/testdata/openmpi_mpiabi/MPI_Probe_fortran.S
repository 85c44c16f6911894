FAST_PATH(fortran_MPI_Probe)
	cmpq	wi4go_fortran_constants+16(%rip), %rcx
	je	.Lfortran_MPI_Probe_1
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* source */
	movl	(%rdi), %eax
	/* tag */
	orl	(%rsi), %eax
	js	.Lfortran_MPI_Probe_2
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Probe_4
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Probe_3:
	testq	%rax, %rax
	js	.Lfortran_MPI_Probe_2
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movq	%rax, %rdx
	/* status */
	leaq	0(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_8
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_10, .Lfortran_MPI_Probe_9
.Lfortran_MPI_Probe_7:
	/* ierror */
	movq	40(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Probe_11
	movl	%eax, (%rcx)
.Lfortran_MPI_Probe_11:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Lfortran_MPI_Probe_1:
	.cfi_def_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	/* source */
	movl	(%rdi), %eax
	/* tag */
	orl	(%rsi), %eax
	js	.Lfortran_MPI_Probe_12
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Probe_14
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Probe_13:
	testq	%rax, %rax
	js	.Lfortran_MPI_Probe_12
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movq	%rax, %rdx
	/* status */
	movl	$0, %ecx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_18
.Lfortran_MPI_Probe_17:
	/* ierror */
	movq	0(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Probe_19
	movl	%eax, (%rcx)
.Lfortran_MPI_Probe_19:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Probe_2:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(frequent_MPI_Probe)
.Lfortran_MPI_Probe_4:
	.cfi_def_cfa_offset 64
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Probe_5
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Probe_6
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Probe_3
.Lfortran_MPI_Probe_6:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Probe_5:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Probe_2
.Lfortran_MPI_Probe_8:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Probe_7
.Lfortran_MPI_Probe_9:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Probe_7
.Lfortran_MPI_Probe_10:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_7, .Lfortran_MPI_Probe_9
.Lfortran_MPI_Probe_12:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(frequent_MPI_Probe)
.Lfortran_MPI_Probe_14:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Probe_15
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Probe_16
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Probe_13
.Lfortran_MPI_Probe_16:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Probe_15:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Probe_12
.Lfortran_MPI_Probe_18:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Probe_17
FAST_END(fortran_MPI_Probe)
