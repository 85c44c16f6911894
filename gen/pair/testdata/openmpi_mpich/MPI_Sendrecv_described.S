FAST_PATH(described_MPI_Sendrecv)
	movq	48(%rsp), %rax
	cmpq	wi4go_described_constants+16(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_1
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Ldescribed_MPI_Sendrecv_2
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %eax
.Ldescribed_MPI_Sendrecv_2:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* source */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Ldescribed_MPI_Sendrecv_3
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rax,8), %eax
.Ldescribed_MPI_Sendrecv_3:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* source */
	orl	16(%rsp), %eax
	js	.Ldescribed_MPI_Sendrecv_4
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_6
.Ldescribed_MPI_Sendrecv_5:
	/* recvbuf */
	IS_ARRAY_gfortran	%r9, .Ldescribed_MPI_Sendrecv_8
.Ldescribed_MPI_Sendrecv_7:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Sendrecv_9
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Sendrecv_9:
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	movq	(%r9), %r9
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Sendrecv_11
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .Ldescribed_MPI_Sendrecv_13, .Ldescribed_MPI_Sendrecv_12
.Ldescribed_MPI_Sendrecv_10:
	/* ierror */
	movq	128(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Sendrecv_14
	movl	%eax, (%rcx)
.Ldescribed_MPI_Sendrecv_14:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.Ldescribed_MPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$1
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Ldescribed_MPI_Sendrecv_15
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %eax
.Ldescribed_MPI_Sendrecv_15:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* source */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	cmpl	$FORTRAN_CACHE_SMALL-1, %eax
	ja	.Ldescribed_MPI_Sendrecv_16
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rax,8), %eax
.Ldescribed_MPI_Sendrecv_16:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* source */
	orl	16(%rsp), %eax
	js	.Ldescribed_MPI_Sendrecv_17
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_19
.Ldescribed_MPI_Sendrecv_18:
	/* recvbuf */
	IS_ARRAY_gfortran	%r9, .Ldescribed_MPI_Sendrecv_21
.Ldescribed_MPI_Sendrecv_20:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Ldescribed_MPI_Sendrecv_22
	movl	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %edx
.Ldescribed_MPI_Sendrecv_22:
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	movq	(%r9), %r9
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Sendrecv_24
.Ldescribed_MPI_Sendrecv_23:
	/* ierror */
	movq	112(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Sendrecv_25
	movl	%eax, (%rcx)
.Ldescribed_MPI_Sendrecv_25:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Ldescribed_MPI_Sendrecv_4:
	.cfi_def_cfa_offset 80
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_6:
	.cfi_def_cfa_offset 80
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	jmp	.Ldescribed_MPI_Sendrecv_5
.Ldescribed_MPI_Sendrecv_8:
	.cfi_def_cfa_offset 80
	movq	(%r9), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	IS_ELEMENT_gfortran	%r9, .Ldescribed_MPI_Sendrecv_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	jmp	.Ldescribed_MPI_Sendrecv_7
.Ldescribed_MPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Ldescribed_MPI_Sendrecv_10
.Ldescribed_MPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Ldescribed_MPI_Sendrecv_10
.Ldescribed_MPI_Sendrecv_13:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .Ldescribed_MPI_Sendrecv_10, .Ldescribed_MPI_Sendrecv_12
.Ldescribed_MPI_Sendrecv_17:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_19:
	.cfi_def_cfa_offset 64
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_17
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_17
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_17
	jmp	.Ldescribed_MPI_Sendrecv_18
.Ldescribed_MPI_Sendrecv_21:
	.cfi_def_cfa_offset 64
	movq	(%r9), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_17
	IS_ELEMENT_gfortran	%r9, .Ldescribed_MPI_Sendrecv_17
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_17
	jmp	.Ldescribed_MPI_Sendrecv_20
.Ldescribed_MPI_Sendrecv_24:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Sendrecv_23
FAST_END(described_MPI_Sendrecv)
