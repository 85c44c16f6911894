FAST_PATH(fortran_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	movl	(%rcx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_3
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Allreduce_2:
	movq	%rax, %r11
	/* op */
	movl	(%r8), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_7
	movq	8*NUMBERS_KNOWN*7(%r10,%rax,8), %rax
.Lfortran_MPI_Allreduce_6:
	movq	%rax, %xmm0
	/* comm */
	movl	(%r9), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Allreduce_11
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Allreduce_10:
	movq	%xmm0, %r10
	orq	%r11, %r10
	orq	%rax, %r10
	js	.Lfortran_MPI_Allreduce_1
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_15
.Lfortran_MPI_Allreduce_14:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_17
.Lfortran_MPI_Allreduce_16:
	/* recvbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_19
.Lfortran_MPI_Allreduce_18:
	cmpq	wi4go_fortran_constants+0(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_21
.Lfortran_MPI_Allreduce_20:
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
	jne	.Lfortran_MPI_Allreduce_23
.Lfortran_MPI_Allreduce_22:
	/* ierror */
	movq	16(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Allreduce_24
	movl	%eax, (%rcx)
.Lfortran_MPI_Allreduce_24:
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
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_4
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_5
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_2
.Lfortran_MPI_Allreduce_5:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Allreduce_4:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_1
.Lfortran_MPI_Allreduce_7:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*7(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_8
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*7(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*7(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_9
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_6
.Lfortran_MPI_Allreduce_9:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Allreduce_8:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_1
.Lfortran_MPI_Allreduce_11:
	.cfi_def_cfa_offset 16
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_12
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Allreduce_13
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_10
.Lfortran_MPI_Allreduce_13:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Allreduce_12:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Allreduce_1
.Lfortran_MPI_Allreduce_15:
	.cfi_def_cfa_offset 16
	movq	$1, %rdi
	jmp	.Lfortran_MPI_Allreduce_14
.Lfortran_MPI_Allreduce_17:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allreduce_16
.Lfortran_MPI_Allreduce_19:
	.cfi_def_cfa_offset 16
	movq	$1, %rsi
	jmp	.Lfortran_MPI_Allreduce_18
.Lfortran_MPI_Allreduce_21:
	.cfi_def_cfa_offset 16
	movq	$0, %rsi
	jmp	.Lfortran_MPI_Allreduce_20
.Lfortran_MPI_Allreduce_23:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allreduce_22
FAST_END(fortran_MPI_Allreduce)
