FAST_PATH(fortran_MPI_Bcast)
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	/* root */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Bcast_1
	/* buffer */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Bcast_3
.Lfortran_MPI_Bcast_2:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Lfortran_MPI_Bcast_4
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Lfortran_MPI_Bcast_4:
	/* root */
	movl	(%rcx), %ecx
	/* comm */
	movl	(%r8), %r8d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r8d
	ja	.Lfortran_MPI_Bcast_5
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r8,8), %r8d
.Lfortran_MPI_Bcast_5:
	call	*wi4go_R+8*SLOT_MPI_Bcast(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Bcast_7
.Lfortran_MPI_Bcast_6:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Bcast_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Bcast)
.Lfortran_MPI_Bcast_3:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Bcast_2
.Lfortran_MPI_Bcast_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Bcast_6
FAST_END(fortran_MPI_Bcast)
