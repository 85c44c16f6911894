FAST_PATH(fortran_MPI_Irecv)
	/* request */
	pushq	8(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Irecv_1
	/* buf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Irecv_3
.Lfortran_MPI_Irecv_2:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Lfortran_MPI_Irecv_4
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Lfortran_MPI_Irecv_4:
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Lfortran_MPI_Irecv_5
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9d
.Lfortran_MPI_Irecv_5:
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Irecv_7
.Lfortran_MPI_Irecv_6:
	/* ierror */
	movq	24(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Irecv_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Irecv)
.Lfortran_MPI_Irecv_3:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Irecv_2
.Lfortran_MPI_Irecv_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Irecv_6
FAST_END(fortran_MPI_Irecv)
