FAST_PATH(described_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Allreduce_9
.Ldescribed_MPI_Allreduce_8:
	/* recvbuf */
	IS_ARRAY_gfortran	%rsi, .Ldescribed_MPI_Allreduce_11
.Ldescribed_MPI_Allreduce_10:
	/* datatype */
	movl	(%rcx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* op */
	movl	(%r8), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+8*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* comm */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* sendbuf */
	movq	(%rdi), %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
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
	jne	.Ldescribed_MPI_Allreduce_13
.Ldescribed_MPI_Allreduce_12:
	/* ierror */
	movq	16(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allreduce_14
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allreduce_14:
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
.Ldescribed_MPI_Allreduce_6:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_5
.Ldescribed_MPI_Allreduce_1:
	.cfi_def_cfa_offset 16
	/* recvbuf */
	IS_ARRAY_gfortran	%rsi, .Ldescribed_MPI_Allreduce_4
.Ldescribed_MPI_Allreduce_3:
	/* datatype */
	movl	(%rcx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* op */
	movl	(%r8), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+8*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* comm */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Allreduce_2
	/* sendbuf */
	movq	$1, %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
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
	jne	.Ldescribed_MPI_Allreduce_6
.Ldescribed_MPI_Allreduce_5:
	/* ierror */
	movq	16(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Allreduce_7
	movl	%eax, (%rcx)
.Ldescribed_MPI_Allreduce_7:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Ldescribed_MPI_Allreduce_9:
	.cfi_def_cfa_offset 16
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Allreduce_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	jmp	.Ldescribed_MPI_Allreduce_8
.Ldescribed_MPI_Allreduce_11:
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	IS_ELEMENT_gfortran	%rsi, .Ldescribed_MPI_Allreduce_2
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_2
	jmp	.Ldescribed_MPI_Allreduce_10
.Ldescribed_MPI_Allreduce_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_12
FAST_END(described_MPI_Allreduce)
