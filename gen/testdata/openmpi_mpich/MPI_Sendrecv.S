SHORT_WAY(MPI_Sendrecv)
	cmpq	$0, 48(%rsp)
	je	.LMPI_Sendrecv_1
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
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
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_8
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_9
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_7:
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_11
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_17
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_18
	movl	8(%rdx), %edx
.LMPI_Sendrecv_17:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_10:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_20
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_23, .LMPI_Sendrecv_22, .LMPI_Sendrecv_21
.LMPI_Sendrecv_19:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_25
.LMPI_Sendrecv_24:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$1
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_29
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_30
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_28:
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_32
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_38
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_39
	movl	8(%rdx), %edx
.LMPI_Sendrecv_38:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_31:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_41
.LMPI_Sendrecv_40:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_4:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_4
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_4
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_5
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_5:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_6
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_6:
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_8:
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_7
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 40
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_7
.LMPI_Sendrecv_13:
	.cfi_def_cfa_offset 64
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_12
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 64
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_12
.LMPI_Sendrecv_16:
	.cfi_def_cfa_offset 72
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_15
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_13
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_14
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_12:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_15
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_16
	movl	8(%rdx), %edx
.LMPI_Sendrecv_15:
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 64
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_19
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_19
.LMPI_Sendrecv_23:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_22, .LMPI_Sendrecv_19, .LMPI_Sendrecv_21
.LMPI_Sendrecv_25:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_4
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_4
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_26
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_26:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_27
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_27:
	jmp	.LMPI_Sendrecv_24
.LMPI_Sendrecv_29:
	.cfi_def_cfa_offset 24
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_30:
	.cfi_def_cfa_offset 24
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_34:
	.cfi_def_cfa_offset 48
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_33
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 48
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_33
.LMPI_Sendrecv_37:
	.cfi_def_cfa_offset 56
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_36
.LMPI_Sendrecv_32:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_34
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_35
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_33:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_36
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_37
	movl	8(%rdx), %edx
.LMPI_Sendrecv_36:
	jmp	.LMPI_Sendrecv_31
.LMPI_Sendrecv_39:
	.cfi_def_cfa_offset 48
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_38
.LMPI_Sendrecv_41:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
SHORT_END(MPI_Sendrecv)
