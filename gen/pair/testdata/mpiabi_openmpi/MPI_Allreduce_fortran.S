FAST_PATH(fortran_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	movl	(%rcx), %r11d
	/* op */
	orl	(%r8), %r11d
	/* comm */
	orl	(%r9), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Allreduce_1
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
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %rcx
	/* op */
	movl	(%r8), %r8d
	movq	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8
	/* comm */
	movl	(%r9), %r9d
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allreduce_11
.Lfortran_MPI_Allreduce_10:
	/* ierror */
	movq	16(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allreduce_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Allreduce)
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
