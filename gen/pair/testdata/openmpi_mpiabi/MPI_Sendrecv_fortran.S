FAST_PATH(fortran_MPI_Sendrecv)
	movq	48(%rsp), %rax
	cmpq	wi4go_fortran_constants+16(%rip), %rax
	je	.Lfortran_MPI_Sendrecv_1
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	88(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_4
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_3:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Sendrecv_7
	/* recvtag */
	movq	88(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* source */
	movq	88(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	movq	88(%rsp), %rax
	movl	(%rax), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_10
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_9:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Sendrecv_13
	/* recvcount */
	movq	88(%rsp), %rax
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
	/* sendtype */
	movl	(%rdx), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_16
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_15:
	testq	%rax, %rax
	js	.Lfortran_MPI_Sendrecv_14
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_20
.Lfortran_MPI_Sendrecv_19:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	%rax, %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_22
.Lfortran_MPI_Sendrecv_21:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_24
	/* status */
	movq	136(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_26, .Lfortran_MPI_Sendrecv_25
.Lfortran_MPI_Sendrecv_23:
	/* ierror */
	movq	144(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Sendrecv_27
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_27:
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.Lfortran_MPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(known_numbers)(%rip), %r10
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_30
	movq	8*NUMBERS_KNOWN*0(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_29:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Sendrecv_33
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
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_36
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_35:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	cmpq	$0, (%rsp)
	jl	.Lfortran_MPI_Sendrecv_2
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
	js	.Lfortran_MPI_Sendrecv_7
	/* sendtype */
	movl	(%rdx), %eax
	cmpl	$NUMBERS_KNOWN-1, %eax
	ja	.Lfortran_MPI_Sendrecv_40
	movq	8*NUMBERS_KNOWN*1(%r10,%rax,8), %rax
.Lfortran_MPI_Sendrecv_39:
	testq	%rax, %rax
	js	.Lfortran_MPI_Sendrecv_7
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_44
.Lfortran_MPI_Sendrecv_43:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	%rax, %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_46
.Lfortran_MPI_Sendrecv_45:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_48
.Lfortran_MPI_Sendrecv_47:
	/* ierror */
	movq	112(%rsp), %rcx
	testq	%rcx, %rcx
	je	.Lfortran_MPI_Sendrecv_49
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_49:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Lfortran_MPI_Sendrecv_2:
	.cfi_def_cfa_offset 56
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_4:
	.cfi_def_cfa_offset 56
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_5
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_6
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_3
.Lfortran_MPI_Sendrecv_6:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_5:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_2
.Lfortran_MPI_Sendrecv_7:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_8:
	.cfi_def_cfa_offset 80
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_11
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_12
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_9
.Lfortran_MPI_Sendrecv_12:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_11:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_8
.Lfortran_MPI_Sendrecv_13:
	.cfi_def_cfa_offset 88
	addq	$80, %rsp
	.cfi_adjust_cfa_offset -80
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_14:
	.cfi_def_cfa_offset 96
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_16:
	.cfi_def_cfa_offset 96
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_17
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_18
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_15
.Lfortran_MPI_Sendrecv_18:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_17:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_14
.Lfortran_MPI_Sendrecv_20:
	.cfi_def_cfa_offset 96
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_19
.Lfortran_MPI_Sendrecv_22:
	.cfi_def_cfa_offset 96
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_21
.Lfortran_MPI_Sendrecv_24:
	.cfi_def_cfa_offset 96
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	136(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Sendrecv_23
.Lfortran_MPI_Sendrecv_25:
	.cfi_def_cfa_offset 96
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Sendrecv_23
.Lfortran_MPI_Sendrecv_26:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_23, .Lfortran_MPI_Sendrecv_25
.Lfortran_MPI_Sendrecv_28:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_30:
	.cfi_def_cfa_offset 24
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_31
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*0(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*0(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_32
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_29
.Lfortran_MPI_Sendrecv_32:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_31:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_28
.Lfortran_MPI_Sendrecv_33:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_34:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmp	PAIR(frequent_MPI_Sendrecv)
.Lfortran_MPI_Sendrecv_36:
	.cfi_def_cfa_offset 48
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_37
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_38
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_35
.Lfortran_MPI_Sendrecv_38:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_37:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_34
.Lfortran_MPI_Sendrecv_40:
	.cfi_def_cfa_offset 64
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	movl	%eax, %ecx
	shrl	$20, %ecx
	xorl	%eax, %ecx
	andl	$NUMBERS_HASHED-1, %ecx
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_41
	pushq	NUMBERS_HANDLES+8*NUMBERS_HASHED*1(%r10,%rcx,8)
	.cfi_adjust_cfa_offset 8
	cmpl	%eax, NUMBERS_OF_HANDLES+4*NUMBERS_HASHED*1(%r10,%rcx,4)
	jne	.Lfortran_MPI_Sendrecv_42
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_39
.Lfortran_MPI_Sendrecv_42:
	.cfi_adjust_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
.Lfortran_MPI_Sendrecv_41:
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	jmp	.Lfortran_MPI_Sendrecv_7
.Lfortran_MPI_Sendrecv_44:
	.cfi_def_cfa_offset 64
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_43
.Lfortran_MPI_Sendrecv_46:
	.cfi_def_cfa_offset 64
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_45
.Lfortran_MPI_Sendrecv_48:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Sendrecv_47
FAST_END(fortran_MPI_Sendrecv)
