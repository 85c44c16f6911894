FAST_PATH(described_MPI_Bcast)
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	/* root */
	cmpl	$0, (%rcx)
	jl	.Ldescribed_MPI_Bcast_1
	/* buffer */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Bcast_3
.Ldescribed_MPI_Bcast_2:
	/* buffer */
	movq	(%rdi), %rdi
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Bcast_4
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Bcast_4:
	/* root */
	movl	(%rcx), %ecx
	/* comm */
	movl	(%r8), %r8d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r8d
	ja	.Ldescribed_MPI_Bcast_5
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r8,8), %r8d
.Ldescribed_MPI_Bcast_5:
	call	*wi4go_R+8*SLOT_MPI_Bcast(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Bcast_7
.Ldescribed_MPI_Bcast_6:
	/* ierror */
	movq	0(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Bcast_8
	movl	%eax, (%rcx)
.Ldescribed_MPI_Bcast_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Bcast_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Bcast)(%rip)
.Ldescribed_MPI_Bcast_3:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Bcast_1
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Bcast_1
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Bcast_1
	jmp	.Ldescribed_MPI_Bcast_2
.Ldescribed_MPI_Bcast_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Bcast_6
FAST_END(described_MPI_Bcast)
