FAST_PATH(fortran_MPI_Irecv)
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* source */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Irecv_1
	/* datatype */
	movl	(%rdx), %eax
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Irecv_1
	/* comm */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Irecv_1
	/* buf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Irecv_3
.Lfortran_MPI_Irecv_2:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movzwl	(%rdx), %edx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rdx,8), %rdx
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	/* request */
	movq	8(%rsp), %rcx
	subq	PAIR(pool_bases)(%rip), %rcx
	cmpq	$-POOL_BYTES, %rcx
	adcq	%rax, %rax
	jne	.Lfortran_MPI_Irecv_6
	movq	32(%rsp), %rdx
	movl	%ecx, (%rdx)
.Lfortran_MPI_Irecv_4:
	/* ierror */
	movq	40(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Lfortran_MPI_Irecv_1:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(library_MPI_Irecv)(%rip)
.Lfortran_MPI_Irecv_3:
	.cfi_def_cfa_offset 32
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Irecv_2
.Lfortran_MPI_Irecv_5:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Irecv_4
.Lfortran_MPI_Irecv_6:
	.cfi_def_cfa_offset 32
	shrq	%rax
	testl	%eax, %eax
	jne	.Lfortran_MPI_Irecv_5
	movq	8(%rsp), %rdi
	call	PAIR(request_r2a_slow)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Irecv_4
FAST_END(fortran_MPI_Irecv)
