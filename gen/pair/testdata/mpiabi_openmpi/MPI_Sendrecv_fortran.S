FAST_PATH(fortran_MPI_Sendrecv)
	movq	48(%rsp), %rax
	cmpq	wi4go_fortran_constants+16(%rip), %rax
	je	.Lfortran_MPI_Sendrecv_1
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* sendtype */
	movl	(%rdx), %r11d
	movq	40(%rsp), %rax
	/* recvtype */
	orl	(%rax), %r11d
	movq	64(%rsp), %rax
	/* comm */
	orl	(%rax), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Sendrecv_2
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	pushq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8)
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
	pushq	8*FORTRAN_CACHE_SMALL*1(%r10,%rax,8)
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* sendtag */
	orl	(%r8), %eax
	/* source */
	orl	16(%rsp), %eax
	/* recvtag */
	orl	24(%rsp), %eax
	js	.Lfortran_MPI_Sendrecv_3
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_5
.Lfortran_MPI_Sendrecv_4:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_7
.Lfortran_MPI_Sendrecv_6:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_9
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_11, .Lfortran_MPI_Sendrecv_10
.Lfortran_MPI_Sendrecv_8:
	/* ierror */
	movq	128(%rsp), %rcx
	jrcxz	.Lfortran_MPI_Sendrecv_12
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_12:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.Lfortran_MPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movl	(%rdx), %r11d
	movq	24(%rsp), %rax
	/* recvtype */
	orl	(%rax), %r11d
	movq	48(%rsp), %rax
	/* comm */
	orl	(%rax), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Sendrecv_13
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	pushq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8)
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
	pushq	8*FORTRAN_CACHE_SMALL*1(%r10,%rax,8)
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* sendtag */
	orl	(%r8), %eax
	/* source */
	orl	16(%rsp), %eax
	/* recvtag */
	orl	24(%rsp), %eax
	js	.Lfortran_MPI_Sendrecv_14
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_16
.Lfortran_MPI_Sendrecv_15:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*1(%r10,%rdx,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_18
.Lfortran_MPI_Sendrecv_17:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_20
.Lfortran_MPI_Sendrecv_19:
	/* ierror */
	movq	112(%rsp), %rcx
	jrcxz	.Lfortran_MPI_Sendrecv_21
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_21:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Lfortran_MPI_Sendrecv_2:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(direct_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_3:
	.cfi_def_cfa_offset 80
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	jmp	PAIR(direct_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_5:
	.cfi_def_cfa_offset 80
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_4
.Lfortran_MPI_Sendrecv_7:
	.cfi_def_cfa_offset 80
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_6
.Lfortran_MPI_Sendrecv_9:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Sendrecv_8
.Lfortran_MPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Sendrecv_8
.Lfortran_MPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_8, .Lfortran_MPI_Sendrecv_10
.Lfortran_MPI_Sendrecv_13:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_14:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(direct_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_16:
	.cfi_def_cfa_offset 64
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_15
.Lfortran_MPI_Sendrecv_18:
	.cfi_def_cfa_offset 64
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_17
.Lfortran_MPI_Sendrecv_20:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Sendrecv_19
FAST_END(fortran_MPI_Sendrecv)
