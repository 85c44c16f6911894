FAST_PATH(fortran_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_2
.Lfortran_MPI_Allreduce_1:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allreduce_4
.Lfortran_MPI_Allreduce_3:
	/* recvbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_6
.Lfortran_MPI_Allreduce_5:
	cmpq	wi4go_fortran_constants+0(%rip), %rsi
	je	.Lfortran_MPI_Allreduce_8
.Lfortran_MPI_Allreduce_7:
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %ecx
	ja	.Lfortran_MPI_Allreduce_9
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %ecx
.Lfortran_MPI_Allreduce_9:
	/* op */
	movl	(%r8), %r8d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r8d
	ja	.Lfortran_MPI_Allreduce_10
	movl	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8d
.Lfortran_MPI_Allreduce_10:
	/* comm */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Lfortran_MPI_Allreduce_11
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9d
.Lfortran_MPI_Allreduce_11:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allreduce_13
.Lfortran_MPI_Allreduce_12:
	/* ierror */
	movq	16(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allreduce_2:
	.cfi_def_cfa_offset 16
	movq	$-1, %rdi
	jmp	.Lfortran_MPI_Allreduce_1
.Lfortran_MPI_Allreduce_4:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allreduce_3
.Lfortran_MPI_Allreduce_6:
	.cfi_def_cfa_offset 16
	movq	$-1, %rsi
	jmp	.Lfortran_MPI_Allreduce_5
.Lfortran_MPI_Allreduce_8:
	.cfi_def_cfa_offset 16
	movq	$0, %rsi
	jmp	.Lfortran_MPI_Allreduce_7
.Lfortran_MPI_Allreduce_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allreduce_12
FAST_END(fortran_MPI_Allreduce)
