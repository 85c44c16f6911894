FAST_PATH(fortran_MPI_Allgather)
	/* sendtype */
	movl	(%rdx), %r11d
	/* recvtype */
	orl	(%r9), %r11d
	movq	8(%rsp), %rax
	/* comm */
	orl	(%rax), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Allgather_1
	/* comm */
	movq	8(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	pushq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8)
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	16(%rsp), %rax
	movl	(%rax), %eax
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %rax
	cmpq	PAIR(R_MPI_COMM_NULL)(%rip), %rax
	je	.Lfortran_MPI_Allgather_2
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allgather_4
.Lfortran_MPI_Allgather_3:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allgather_6
.Lfortran_MPI_Allgather_5:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
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
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%r9,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allgather_12
.Lfortran_MPI_Allgather_11:
	/* ierror */
	movq	24(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allgather_1:
	.cfi_def_cfa_offset 8
	jmp	PAIR(direct_MPI_Allgather)
.Lfortran_MPI_Allgather_2:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Allgather)
.Lfortran_MPI_Allgather_4:
	.cfi_def_cfa_offset 16
	movq	$1, %rdi
	jmp	.Lfortran_MPI_Allgather_3
.Lfortran_MPI_Allgather_6:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allgather_5
.Lfortran_MPI_Allgather_8:
	.cfi_def_cfa_offset 16
	movq	$1, %rcx
	jmp	.Lfortran_MPI_Allgather_7
.Lfortran_MPI_Allgather_10:
	.cfi_def_cfa_offset 16
	movq	$0, %rcx
	jmp	.Lfortran_MPI_Allgather_9
.Lfortran_MPI_Allgather_12:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allgather_11
FAST_END(fortran_MPI_Allgather)
