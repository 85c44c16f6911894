FAST_PATH(described_MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	movl	(%rcx), %r11d
	/* op */
	orl	(%r8), %r11d
	/* comm */
	orl	(%r9), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Ldescribed_MPI_Allreduce_1
	/* sendbuf */
	IS_ARRAY_C	%rdi, .Ldescribed_MPI_Allreduce_9
.Ldescribed_MPI_Allreduce_8:
	/* recvbuf */
	IS_ARRAY_C	%rsi, .Ldescribed_MPI_Allreduce_11
.Ldescribed_MPI_Allreduce_10:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %rcx
	/* op */
	movl	(%r8), %r8d
	movq	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8
	/* comm */
	movl	(%r9), %r9d
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9
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
.Ldescribed_MPI_Allreduce_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_described_MPI_Allreduce)(%rip)
.Ldescribed_MPI_Allreduce_4:
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	IS_ELEMENT_C	%rsi, .Ldescribed_MPI_Allreduce_1
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	jmp	.Ldescribed_MPI_Allreduce_3
.Ldescribed_MPI_Allreduce_6:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_5
.Ldescribed_MPI_Allreduce_2:
	.cfi_def_cfa_offset 16
	/* recvbuf */
	IS_ARRAY_C	%rsi, .Ldescribed_MPI_Allreduce_4
.Ldescribed_MPI_Allreduce_3:
	/* sendbuf */
	movq	$1, %rdi
	/* recvbuf */
	movq	(%rsi), %rsi
	/* count */
	movl	(%rdx), %edx
	/* datatype */
	movl	(%rcx), %ecx
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rcx,8), %rcx
	/* op */
	movl	(%r8), %r8d
	movq	8*FORTRAN_CACHE_SMALL*7(%r10,%r8,8), %r8
	/* comm */
	movl	(%r9), %r9d
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9
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
	je	.Ldescribed_MPI_Allreduce_2
	IS_ELEMENT_C	%rdi, .Ldescribed_MPI_Allreduce_1
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	jmp	.Ldescribed_MPI_Allreduce_8
.Ldescribed_MPI_Allreduce_11:
	.cfi_def_cfa_offset 16
	movq	(%rsi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	IS_ELEMENT_C	%rsi, .Ldescribed_MPI_Allreduce_1
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Allreduce_1
	jmp	.Ldescribed_MPI_Allreduce_10
.Ldescribed_MPI_Allreduce_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Allreduce_12
FAST_END(described_MPI_Allreduce)
