FAST_PATH(fortran_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	movl	(%rcx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Allreduce_1
	/* op */
	movl	(%r8), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+8*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Allreduce_1
	/* comm */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
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
	movzwl	(%rcx), %ecx
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%rcx,8), %rcx
	/* op */
	movzwl	(%r8), %r8d
	movq	FORTRAN_CACHE_OBJECTS+16*FORTRAN_CACHE_PLACES(%r10,%r8,8), %r8
	/* comm */
	movq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8), %r9
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
