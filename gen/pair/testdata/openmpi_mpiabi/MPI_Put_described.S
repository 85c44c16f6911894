FAST_PATH(described_MPI_Put)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* win */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+12*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Put_1
	pushq	FORTRAN_CACHE_OBJECTS+24*FORTRAN_CACHE_PLACES(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* target_datatype */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Put_2
	pushq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* target_rank */
	cmpl	$0, (%rcx)
	jl	.Ldescribed_MPI_Put_3
	/* origin_addr */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Put_5
.Ldescribed_MPI_Put_4:
	/* origin_datatype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Put_3
	/* origin_addr */
	movq	(%rdi), %rdi
	/* origin_count */
	movl	(%rsi), %esi
	/* origin_datatype */
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%r11,8), %rdx
	/* target_rank */
	movl	(%rcx), %ecx
	/* target_disp */
	movq	(%r8), %r8
	/* target_count */
	movl	(%r9), %r9d
	call	*wi4go_R+8*SLOT_MPI_Put(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Put_7
.Ldescribed_MPI_Put_6:
	/* ierror */
	movq	48(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Put_8
	movl	%eax, (%rcx)
.Ldescribed_MPI_Put_8:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Ldescribed_MPI_Put_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Put)(%rip)
.Ldescribed_MPI_Put_2:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(library_described_MPI_Put)(%rip)
.Ldescribed_MPI_Put_3:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(library_described_MPI_Put)(%rip)
.Ldescribed_MPI_Put_5:
	.cfi_def_cfa_offset 32
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Put_3
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Put_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Put_3
	jmp	.Ldescribed_MPI_Put_4
.Ldescribed_MPI_Put_7:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Put_6
FAST_END(described_MPI_Put)
