FAST_PATH(fortran_MPI_Allgather)
	/* comm */
	movq	8(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Lfortran_MPI_Allgather_1
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %eax
.Lfortran_MPI_Allgather_1:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allgather_3
.Lfortran_MPI_Allgather_2:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allgather_5
.Lfortran_MPI_Allgather_4:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Lfortran_MPI_Allgather_6
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Lfortran_MPI_Allgather_6:
	/* recvbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rcx
	je	.Lfortran_MPI_Allgather_8
.Lfortran_MPI_Allgather_7:
	cmpq	wi4go_fortran_constants+0(%rip), %rcx
	je	.Lfortran_MPI_Allgather_10
.Lfortran_MPI_Allgather_9:
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Lfortran_MPI_Allgather_11
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%r9,8), %r9d
.Lfortran_MPI_Allgather_11:
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allgather_13
.Lfortran_MPI_Allgather_12:
	/* ierror */
	movq	24(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allgather_3:
	.cfi_def_cfa_offset 16
	movq	$-1, %rdi
	jmp	.Lfortran_MPI_Allgather_2
.Lfortran_MPI_Allgather_5:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allgather_4
.Lfortran_MPI_Allgather_8:
	.cfi_def_cfa_offset 16
	movq	$-1, %rcx
	jmp	.Lfortran_MPI_Allgather_7
.Lfortran_MPI_Allgather_10:
	.cfi_def_cfa_offset 16
	movq	$0, %rcx
	jmp	.Lfortran_MPI_Allgather_9
.Lfortran_MPI_Allgather_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allgather_12
FAST_END(fortran_MPI_Allgather)
