FAST_PATH(described_MPI_Allgather)
	/* comm */
	movq	8(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Ldescribed_MPI_Allgather_1
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %eax
.Ldescribed_MPI_Allgather_1:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Allgather_12
.Ldescribed_MPI_Allgather_11:
	/* recvbuf */
	IS_ARRAY_gfortran	%rcx, .Ldescribed_MPI_Allgather_14
.Ldescribed_MPI_Allgather_13:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Allgather_15
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Allgather_15:
	/* recvbuf */
	movq	(%rcx), %rcx
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Ldescribed_MPI_Allgather_16
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%r9,8), %r9d
.Ldescribed_MPI_Allgather_16:
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allgather_18
.Ldescribed_MPI_Allgather_17:
	/* ierror */
	movq	24(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allgather_19
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allgather_19:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allgather_3:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Allgather)(%rip)
.Ldescribed_MPI_Allgather_5:
	.cfi_def_cfa_offset 16
	movq	(%rcx), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	IS_ELEMENT_gfortran	%rcx, .Ldescribed_MPI_Allgather_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	jmp	.Ldescribed_MPI_Allgather_4
.Ldescribed_MPI_Allgather_9:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allgather_8
.Ldescribed_MPI_Allgather_2:
	.cfi_def_cfa_offset 16
	/* recvbuf */
	IS_ARRAY_gfortran	%rcx, .Ldescribed_MPI_Allgather_5
.Ldescribed_MPI_Allgather_4:
	/* sendbuf */
	movq	$-1, %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Allgather_6
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Allgather_6:
	/* recvbuf */
	movq	(%rcx), %rcx
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movl	(%r9), %r9d
	cmpl	$FORTRAN_CACHE_SMALL-1, %r9d
	ja	.Ldescribed_MPI_Allgather_7
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%r9,8), %r9d
.Ldescribed_MPI_Allgather_7:
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allgather_9
.Ldescribed_MPI_Allgather_8:
	/* ierror */
	movq	24(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allgather_10
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allgather_10:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allgather_12:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allgather_2
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Allgather_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	jmp	.Ldescribed_MPI_Allgather_11
.Ldescribed_MPI_Allgather_14:
	.cfi_def_cfa_offset 16
	movq	(%rcx), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	IS_ELEMENT_gfortran	%rcx, .Ldescribed_MPI_Allgather_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	jmp	.Ldescribed_MPI_Allgather_13
.Ldescribed_MPI_Allgather_18:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allgather_17
FAST_END(described_MPI_Allgather)
