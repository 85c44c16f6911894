FAST_PATH(described_MPI_Irecv)
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* datatype */
	movl	(%rdx), %r11d
	/* comm */
	orl	(%r9), %r11d
	/* source */
	orl	(%rcx), %r11d
	/* tag */
	orl	(%r8), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Ldescribed_MPI_Irecv_2
.Ldescribed_MPI_Irecv_1:
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* buf */
	IS_ARRAY_C	%rdi, .Ldescribed_MPI_Irecv_6
.Ldescribed_MPI_Irecv_5:
	/* buf */
	movq	(%rdi), %rdi
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
	/* source */
	movl	(%rcx), %ecx
	/* tag */
	movl	(%r8), %r8d
	/* comm */
	movl	(%r9), %r9d
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%r9,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Irecv(%rip)
	/* request */
	movq	8(%rsp), %rcx
	subq	PAIR(pool_bases)(%rip), %rcx
	cmpq	$-POOL_BYTES, %rcx
	adcq	%rax, %rax
	jne	.Ldescribed_MPI_Irecv_9
	movq	32(%rsp), %rdx
	movl	%ecx, (%rdx)
.Ldescribed_MPI_Irecv_7:
	/* ierror */
	movq	40(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Irecv_10
	movl	%eax, (%rcx)
.Ldescribed_MPI_Irecv_10:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.Ldescribed_MPI_Irecv_3:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(library_described_MPI_Irecv)(%rip)
.Ldescribed_MPI_Irecv_2:
	.cfi_def_cfa_offset 24
	/* datatype */
	movl	(%rdx), %r11d
	/* comm */
	orl	(%r9), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Ldescribed_MPI_Irecv_3
	/* source */
	movl	(%rcx), %r11d
	/* tag */
	orl	(%r8), %r11d
	testl	$1<<31, %r11d
	jne	.Ldescribed_MPI_Irecv_3
	jmp	.Ldescribed_MPI_Irecv_1
.Ldescribed_MPI_Irecv_4:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(library_described_MPI_Irecv)(%rip)
.Ldescribed_MPI_Irecv_6:
	.cfi_def_cfa_offset 32
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Irecv_4
	IS_ELEMENT_C	%rdi, .Ldescribed_MPI_Irecv_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Irecv_4
	jmp	.Ldescribed_MPI_Irecv_5
.Ldescribed_MPI_Irecv_8:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Irecv_7
.Ldescribed_MPI_Irecv_9:
	.cfi_def_cfa_offset 32
	shrq	%rax
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Irecv_8
	movq	8(%rsp), %rdi
	call	PAIR(request_number)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.Ldescribed_MPI_Irecv_7
FAST_END(described_MPI_Irecv)
