FAST_PATH(fortran_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	movl	(%rcx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_1
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %r11
	/* op */
	movl	(%r8), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_1
	movq	8*NUMBERS_KNOWN*7(%r10,%rax,8), %rax
	movq	%rax, %xmm0
	/* comm */
	movl	(%r9), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_1
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
	movq	%xmm0, %r10
	orq	%r11, %r10
	orq	%rax, %r10
	js	.Lfortran_MPI_Allreduce_1
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_3
.Lfortran_MPI_Allreduce_2:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_5
.Lfortran_MPI_Allreduce_4:
	/* recvbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_7
.Lfortran_MPI_Allreduce_6:
	cmpq	wi4go_fortran_constants+0(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_9
.Lfortran_MPI_Allreduce_8:
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movq	%r11, %rcx
	/* op */
	movq	%xmm0, %r8
	/* comm */
	movq	%rax, %r9
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allreduce_11
.Lfortran_MPI_Allreduce_10:
	/* ierror */
	movq	16(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Allreduce_12
	movl	%eax, (%rcx)
.Lfortran_MPI_Allreduce_12:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allreduce_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(frequent_MPI_Allreduce)
.Lfortran_MPI_Allreduce_3:
	.cfi_def_cfa_offset 16
	movq	$1, %rdi
	jmp	.Lfortran_MPI_Allreduce_2
.Lfortran_MPI_Allreduce_5:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allreduce_4
.Lfortran_MPI_Allreduce_7:
	.cfi_def_cfa_offset 16
	movq	$1, %rsi
	jmp	.Lfortran_MPI_Allreduce_6
.Lfortran_MPI_Allreduce_9:
	.cfi_def_cfa_offset 16
	movq	$0, %rsi
	jmp	.Lfortran_MPI_Allreduce_8
.Lfortran_MPI_Allreduce_11:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allreduce_10
FAST_END(fortran_MPI_Allreduce)
