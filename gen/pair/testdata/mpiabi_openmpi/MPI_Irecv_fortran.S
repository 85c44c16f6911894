FAST_PATH(fortran_MPI_Irecv)
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* datatype */
	movl	(%rdx), %r11d
	/* comm */
	orl	(%r9), %r11d
	/* source */
	orl	(%rcx), %r11d
	/* tag */
	orl	(%r8), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Irecv_2
.Lfortran_MPI_Irecv_1:
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* buf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Irecv_5
.Lfortran_MPI_Irecv_4:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movl	(%r9), %r9d
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	/* request */
	movq	8(%rsp), %rcx
	subq	PAIR(pool_bases)(%rip), %rcx
	cmpq	$-POOL_BYTES, %rcx
	adcq	%rax, %rax
	jne	.Lfortran_MPI_Irecv_8
	movq	32(%rsp), %rdx
	movl	%ecx, (%rdx)
.Lfortran_MPI_Irecv_6:
	/* ierror */
	movq	40(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Lfortran_MPI_Irecv_3:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmp	PAIR(direct_MPI_Irecv)
.Lfortran_MPI_Irecv_2:
	.cfi_def_cfa_offset 24
	/* datatype */
	movl	(%rdx), %r11d
	/* comm */
	orl	(%r9), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Irecv_3
	/* source */
	movl	(%rcx), %r11d
	/* tag */
	orl	(%r8), %r11d
	testl	$1<<31, %r11d
	jne	.Lfortran_MPI_Irecv_3
	jmp	.Lfortran_MPI_Irecv_1
.Lfortran_MPI_Irecv_5:
	.cfi_def_cfa_offset 32
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Irecv_4
.Lfortran_MPI_Irecv_7:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Irecv_6
.Lfortran_MPI_Irecv_8:
	.cfi_def_cfa_offset 32
	shrq	%rax
	testl	%eax, %eax
	jne	.Lfortran_MPI_Irecv_7
	movq	8(%rsp), %rdi
	call	PAIR(request_number)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Irecv_6
FAST_END(fortran_MPI_Irecv)
