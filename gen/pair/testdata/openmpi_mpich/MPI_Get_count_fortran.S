FAST_PATH(fortran_MPI_Get_count)
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	/* status */
	STATUS_COUNT_FITS	%rdi, .Lfortran_MPI_Get_count_1
	/* status */
	addq	$A_COUNT-R_COUNT, %rdi
	/* datatype */
	movl	(%rsi), %esi
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %esi
	ja	.Lfortran_MPI_Get_count_2
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rsi,8), %esi
.Lfortran_MPI_Get_count_2:
	/* count */
	call	*wi4go_R+8*SLOT_MPI_Get_count(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Get_count_4
.Lfortran_MPI_Get_count_3:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Get_count_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Get_count)
.Lfortran_MPI_Get_count_4:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Get_count_3
FAST_END(fortran_MPI_Get_count)
