FAST_PATH(described_MPI_Allgather)
	/* comm */
	movq	8(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allgather_1
	pushq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Allgather_10
.Ldescribed_MPI_Allgather_9:
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allgather_3
	/* recvbuf */
	IS_ARRAY_gfortran	%rcx, .Ldescribed_MPI_Allgather_12
.Ldescribed_MPI_Allgather_11:
	/* recvtype */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allgather_3
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movzwl	(%rdx), %edx
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%rdx,8), %rdx
	/* recvbuf */
	movq	(%rcx), %rcx
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%r11,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allgather_14
.Ldescribed_MPI_Allgather_13:
	/* ierror */
	movq	24(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allgather_15
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allgather_15:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allgather_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(library_described_MPI_Allgather)(%rip)
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
.Ldescribed_MPI_Allgather_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allgather_6
.Ldescribed_MPI_Allgather_2:
	.cfi_def_cfa_offset 16
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allgather_3
	/* recvbuf */
	IS_ARRAY_gfortran	%rcx, .Ldescribed_MPI_Allgather_5
.Ldescribed_MPI_Allgather_4:
	/* recvtype */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allgather_3
	/* sendbuf */
	movq	$1, %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movzwl	(%rdx), %edx
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%rdx,8), %rdx
	/* recvbuf */
	movq	(%rcx), %rcx
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%r11,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Allgather_7
.Ldescribed_MPI_Allgather_6:
	/* ierror */
	movq	24(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allgather_8
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allgather_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allgather_10:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allgather_2
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Allgather_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	jmp	.Ldescribed_MPI_Allgather_9
.Ldescribed_MPI_Allgather_12:
	.cfi_def_cfa_offset 16
	movq	(%rcx), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	IS_ELEMENT_gfortran	%rcx, .Ldescribed_MPI_Allgather_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allgather_3
	jmp	.Ldescribed_MPI_Allgather_11
.Ldescribed_MPI_Allgather_14:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allgather_13
FAST_END(described_MPI_Allgather)
