FAST_PATH(fortran_MPI_Irecv)
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* source */
	movl	(%rcx), %eax
	/* tag */
	orl	(%r8), %eax
	js	.Lfortran_MPI_Irecv_1
	/* datatype */
	movl	(%rdx), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Irecv_3
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Irecv_2:
	movq	%rax, %r11
	/* comm */
	movl	(%r9), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Irecv_7
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Irecv_6:
	movq	%rax, %r10
	orq	%r11, %r10
	js	.Lfortran_MPI_Irecv_1
	/* buf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Irecv_11
.Lfortran_MPI_Irecv_10:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movq	%r11, %rdx
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movq	%rax, %r9
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Irecv_13
	/* request */
	movq	8(%rsp), %rdi
	call	PAIR(request_number)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
.Lfortran_MPI_Irecv_12:
	/* ierror */
	movq	40(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Irecv_14
	movl	%eax, (%rcx)
.Lfortran_MPI_Irecv_14:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Lfortran_MPI_Irecv_1:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(frequent_MPI_Irecv)
.Lfortran_MPI_Irecv_3:
	.cfi_def_cfa_offset 32
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Irecv_4
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Irecv_5
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Irecv_2
.Lfortran_MPI_Irecv_5:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Irecv_4:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Irecv_1
.Lfortran_MPI_Irecv_7:
	.cfi_def_cfa_offset 32
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Irecv_8
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Irecv_9
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Irecv_6
.Lfortran_MPI_Irecv_9:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Irecv_8:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Irecv_1
.Lfortran_MPI_Irecv_11:
	.cfi_def_cfa_offset 32
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Irecv_10
.Lfortran_MPI_Irecv_13:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Irecv_12
FAST_END(fortran_MPI_Irecv)
