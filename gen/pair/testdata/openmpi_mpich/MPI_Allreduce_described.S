FAST_PATH(described_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Allreduce_12
.Ldescribed_MPI_Allreduce_11:
	/* recvbuf */
	IS_ARRAY_gfortran	%rsi, .Ldescribed_MPI_Allreduce_14
.Ldescribed_MPI_Allreduce_13:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %ecx
	ja	.Ldescribed_MPI_Allreduce_15
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %ecx
.Ldescribed_MPI_Allreduce_15:
	/* op */
	movl	(%r8), %r8d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r8d
	ja	.Ldescribed_MPI_Allreduce_16
	movl	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8d
.Ldescribed_MPI_Allreduce_16:
	/* comm */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Ldescribed_MPI_Allreduce_17
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9d
.Ldescribed_MPI_Allreduce_17:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allreduce_19
.Ldescribed_MPI_Allreduce_18:
	/* ierror */
	movq	16(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allreduce_20
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allreduce_20:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allreduce_2:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Allreduce)(%rip)
.Ldescribed_MPI_Allreduce_4:
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	IS_ELEMENT_gfortran	%rsi, .Ldescribed_MPI_Allreduce_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	jmp	.Ldescribed_MPI_Allreduce_3
.Ldescribed_MPI_Allreduce_9:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_8
.Ldescribed_MPI_Allreduce_1:
	.cfi_def_cfa_offset 16
	/* recvbuf */
	IS_ARRAY_gfortran	%rsi, .Ldescribed_MPI_Allreduce_4
.Ldescribed_MPI_Allreduce_3:
	/* sendbuf */
	movq	$-1, %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %ecx
	ja	.Ldescribed_MPI_Allreduce_5
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %ecx
.Ldescribed_MPI_Allreduce_5:
	/* op */
	movl	(%r8), %r8d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r8d
	ja	.Ldescribed_MPI_Allreduce_6
	movl	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8d
.Ldescribed_MPI_Allreduce_6:
	/* comm */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Ldescribed_MPI_Allreduce_7
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9d
.Ldescribed_MPI_Allreduce_7:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allreduce_9
.Ldescribed_MPI_Allreduce_8:
	/* ierror */
	movq	16(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allreduce_10
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allreduce_10:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allreduce_12:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Allreduce_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	jmp	.Ldescribed_MPI_Allreduce_11
.Ldescribed_MPI_Allreduce_14:
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	IS_ELEMENT_gfortran	%rsi, .Ldescribed_MPI_Allreduce_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	jmp	.Ldescribed_MPI_Allreduce_13
.Ldescribed_MPI_Allreduce_19:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_18
FAST_END(described_MPI_Allreduce)
