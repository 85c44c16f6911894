FAST_PATH(MPI_Sendrecv)
	cmpq	$0, 48(%rsp)
	je	.LMPI_Sendrecv_1
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_3
.LMPI_Sendrecv_2:
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_18
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_18:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_20
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_23
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_23:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_19:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_25
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_27, .LMPI_Sendrecv_26
.LMPI_Sendrecv_24:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_29
.LMPI_Sendrecv_28:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_41
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_41:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_43
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_46
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_46:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_42:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_48
.LMPI_Sendrecv_47:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_11
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_11:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_12
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_12:
	jmp	.LMPI_Sendrecv_9
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_14
.LMPI_Sendrecv_16:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_14
.LMPI_Sendrecv_17:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_14, .LMPI_Sendrecv_16
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	movl	%ecx, %eax
	orl	%r8d, %eax
	js	.LMPI_Sendrecv_7
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_4
	cmpl	$-2, 32(%rsp)
	jne	.LMPI_Sendrecv_6
	.cfi_def_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_8
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_8:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_10
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_13
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_13:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_9:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_15
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_17, .LMPI_Sendrecv_16
.LMPI_Sendrecv_14:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_6:
	cmpl	$0, 32(%rsp)
	jl	.LMPI_Sendrecv_7
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_4:
	cmpl	$0, 24(%rsp)
	jl	.LMPI_Sendrecv_7
	cmpl	$-2, 32(%rsp)
	jne	.LMPI_Sendrecv_7
	movl	$-1, 32(%rsp)
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_21
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_21:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_22
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_22:
	jmp	.LMPI_Sendrecv_19
.LMPI_Sendrecv_25:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_24
.LMPI_Sendrecv_26:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_24
.LMPI_Sendrecv_27:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_24, .LMPI_Sendrecv_26
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_36
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_36:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_37
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_37:
	jmp	.LMPI_Sendrecv_34
.LMPI_Sendrecv_40:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
.LMPI_Sendrecv_29:
	.cfi_def_cfa_offset 8
	movl	%ecx, %eax
	orl	%r8d, %eax
	js	.LMPI_Sendrecv_7
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_30
	cmpl	$-2, 32(%rsp)
	jne	.LMPI_Sendrecv_32
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_33
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_33:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_35
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_38
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_38:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_34:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_40
.LMPI_Sendrecv_39:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_32:
	cmpl	$0, 32(%rsp)
	jl	.LMPI_Sendrecv_7
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_30:
	cmpl	$0, 24(%rsp)
	jl	.LMPI_Sendrecv_7
	cmpl	$-2, 32(%rsp)
	jne	.LMPI_Sendrecv_7
	movl	$-1, 32(%rsp)
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_43:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_44
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_44:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_45
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_45:
	jmp	.LMPI_Sendrecv_42
.LMPI_Sendrecv_48:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
FAST_END(MPI_Sendrecv)
