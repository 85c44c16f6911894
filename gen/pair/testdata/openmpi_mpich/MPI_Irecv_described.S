FAST_PATH(described_MPI_Irecv)
	/* request */
	pushq	8(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	cmpl	$0, (%rcx)
	jl	.Ldescribed_MPI_Irecv_1
	/* buf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Irecv_3
.Ldescribed_MPI_Irecv_2:
	/* buf */
	movq	(%rdi), %rdi
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Irecv_4
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Irecv_4:
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Ldescribed_MPI_Irecv_5
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9d
.Ldescribed_MPI_Irecv_5:
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Irecv_7
.Ldescribed_MPI_Irecv_6:
	/* ierror */
	movq	24(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Irecv_8
	movl	%eax, (%rcx)
.Ldescribed_MPI_Irecv_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Irecv_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Irecv)(%rip)
.Ldescribed_MPI_Irecv_3:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Irecv_1
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Irecv_1
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Irecv_1
	jmp	.Ldescribed_MPI_Irecv_2
.Ldescribed_MPI_Irecv_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Irecv_6
FAST_END(described_MPI_Irecv)
