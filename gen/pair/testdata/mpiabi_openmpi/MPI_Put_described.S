FAST_PATH(described_MPI_Put)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* origin_datatype */
	movl	(%rdx), %r11d
	movq	16(%rsp), %rax
	/* target_datatype */
	orl	(%rax), %r11d
	movq	24(%rsp), %rax
	/* win */
	orl	(%rax), %r11d
	/* target_rank */
	orl	(%rcx), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Ldescribed_MPI_Put_2
.Ldescribed_MPI_Put_1:
	/* win */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	pushq	8*FORTRAN_CACHE_SMALL*10(%r10,%rax,8)
	.cfi_adjust_cfa_offset 8
	/* target_datatype */
	movq	24(%rsp), %rax
	movl	(%rax), %eax
	pushq	8*FORTRAN_CACHE_SMALL*1(%r10,%rax,8)
	.cfi_adjust_cfa_offset 8
	/* origin_addr */
	IS_ARRAY_C	%rdi, .Ldescribed_MPI_Put_6
.Ldescribed_MPI_Put_5:
	/* origin_addr */
	movq	(%rdi), %rdi
	/* origin_count */
	movl	(%rsi), %esi
	/* origin_datatype */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
	/* target_rank */
	movl	(%rcx), %ecx
	/* target_disp */
	movq	(%r8), %r8
	/* target_count */
	movl	(%r9), %r9d
	call	*wi4go_R+8*SLOT_MPI_Put(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Put_8
.Ldescribed_MPI_Put_7:
	/* ierror */
	movq	48(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Put_9
	movl	%eax, (%rcx)
.Ldescribed_MPI_Put_9:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Ldescribed_MPI_Put_3:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Put)(%rip)
.Ldescribed_MPI_Put_2:
	.cfi_def_cfa_offset 16
	/* origin_datatype */
	movl	(%rdx), %r11d
	movq	16(%rsp), %rax
	/* target_datatype */
	orl	(%rax), %r11d
	movq	24(%rsp), %rax
	/* win */
	orl	(%rax), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Ldescribed_MPI_Put_3
	/* target_rank */
	movl	(%rcx), %r11d
	testl	$1<<31, %r11d
	jne	.Ldescribed_MPI_Put_3
	jmp	.Ldescribed_MPI_Put_1
.Ldescribed_MPI_Put_4:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(library_described_MPI_Put)(%rip)
.Ldescribed_MPI_Put_6:
	.cfi_def_cfa_offset 32
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Put_4
	IS_ELEMENT_C	%rdi, .Ldescribed_MPI_Put_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Put_4
	jmp	.Ldescribed_MPI_Put_5
.Ldescribed_MPI_Put_8:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Put_7
FAST_END(described_MPI_Put)
