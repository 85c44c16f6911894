FAST_PATH(described_MPI_Bcast)
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	/* root */
	cmpl	$0, (%rcx)
	jl	.Ldescribed_MPI_Bcast_1
	/* buffer */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Bcast_3
.Ldescribed_MPI_Bcast_2:
	/* datatype */
	movl	(%rdx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Bcast_1
	/* comm */
	movl	(%r8), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Bcast_1
	/* buffer */
	movq	(%rdi), %rdi
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movzwl	(%rdx), %edx
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%rdx,8), %rdx
	/* root */
	movl	(%rcx), %ecx
	/* comm */
	movq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8), %r8
	call	*wi4go_R+8*SLOT_MPI_Bcast(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Bcast_5
.Ldescribed_MPI_Bcast_4:
	/* ierror */
	movq	0(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Bcast_6
	movl	%eax, (%rcx)
.Ldescribed_MPI_Bcast_6:
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
.Ldescribed_MPI_Bcast_5:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Bcast_4
FAST_END(described_MPI_Bcast)
