FAST_PATH(fortran_MPI_Get_count)
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	/* status */
	STATUS_COUNT_FITS	%rdi, .Lfortran_MPI_Get_count_1
	/* datatype */
	movl	(%rsi), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Get_count_3
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Get_count_2:
	testq	%rax, %rax
	js	.Lfortran_MPI_Get_count_1
	/* status */
	addq	$A_COUNT-R_COUNT, %rdi
	/* datatype */
	movq	%rax, %rsi
	/* count */
	call	*wi4go_R+8*SLOT_MPI_Get_count(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Get_count_7
.Lfortran_MPI_Get_count_6:
	/* ierror */
	movq	0(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Get_count_8
	movl	%eax, (%rcx)
.Lfortran_MPI_Get_count_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Get_count_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(frequent_MPI_Get_count)
.Lfortran_MPI_Get_count_3:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Get_count_4
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Get_count_5
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Get_count_2
.Lfortran_MPI_Get_count_5:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Get_count_4:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Get_count_1
.Lfortran_MPI_Get_count_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Get_count_6
FAST_END(fortran_MPI_Get_count)
