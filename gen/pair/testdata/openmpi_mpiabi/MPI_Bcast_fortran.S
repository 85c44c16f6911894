FAST_PATH(fortran_MPI_Bcast)
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	/* root */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Bcast_1
	/* datatype */
	movl	(%rdx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Bcast_3
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Bcast_2:
	movq	%rax, %r11
	/* comm */
	movl	(%r8), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Bcast_7
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Bcast_6:
	movq	%rax, %r10
	orq	%r11, %r10
	js	.Lfortran_MPI_Bcast_1
	/* buffer */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Bcast_11
.Lfortran_MPI_Bcast_10:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movq	%r11, %rdx
	/* root */
	movl	(%rcx), %ecx
	/* comm */
	movq	%rax, %r8
	call	*wi4go_R+8*SLOT_MPI_Bcast(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Bcast_13
.Lfortran_MPI_Bcast_12:
	/* ierror */
	movq	0(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Bcast_14
	movl	%eax, (%rcx)
.Lfortran_MPI_Bcast_14:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Bcast_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(frequent_MPI_Bcast)
.Lfortran_MPI_Bcast_3:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Bcast_4
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Bcast_5
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Bcast_2
.Lfortran_MPI_Bcast_5:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Bcast_4:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Bcast_1
.Lfortran_MPI_Bcast_7:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Bcast_8
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Bcast_9
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Bcast_6
.Lfortran_MPI_Bcast_9:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Bcast_8:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Bcast_1
.Lfortran_MPI_Bcast_11:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Bcast_10
.Lfortran_MPI_Bcast_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Bcast_12
FAST_END(fortran_MPI_Bcast)
