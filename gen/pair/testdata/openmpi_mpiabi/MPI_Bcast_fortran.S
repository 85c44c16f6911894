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
	ja	.Lfortran_MPI_Bcast_1
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %r11
	/* comm */
	movl	(%r8), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Bcast_1
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
	movq	%rax, %r10
	orq	%r11, %r10
	js	.Lfortran_MPI_Bcast_1
	/* buffer */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Bcast_3
.Lfortran_MPI_Bcast_2:
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
	jne	.Lfortran_MPI_Bcast_5
.Lfortran_MPI_Bcast_4:
	/* ierror */
	movq	0(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Bcast_6
	movl	%eax, (%rcx)
.Lfortran_MPI_Bcast_6:
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
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Bcast_2
.Lfortran_MPI_Bcast_5:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Bcast_4
FAST_END(fortran_MPI_Bcast)
