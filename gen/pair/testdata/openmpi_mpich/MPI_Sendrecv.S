FAST_PATH(MPI_Sendrecv)
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
	jle	.LMPI_Sendrecv_25
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_26
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_24:
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_28
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_34
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_35
	movl	8(%rdx), %edx
.LMPI_Sendrecv_34:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_27:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_37
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_39, .LMPI_Sendrecv_38
.LMPI_Sendrecv_36:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_41
.LMPI_Sendrecv_40:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$1
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_60
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_61
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_59:
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_63
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_69
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_70
	movl	8(%rdx), %edx
.LMPI_Sendrecv_69:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_62:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_72
.LMPI_Sendrecv_71:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_6:
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_5
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 40
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_5
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 64
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 64
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 72
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_13
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_11
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_12
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_10:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_13
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_14
	movl	8(%rdx), %edx
.LMPI_Sendrecv_13:
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_16:
	.cfi_def_cfa_offset 64
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_15
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_19:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_17, .LMPI_Sendrecv_19
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_4
	testl	%ecx, %ecx
	js	.LMPI_Sendrecv_4
	.cfi_def_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_6
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_7
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_5:
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-2
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_9
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_15
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_16
	movl	8(%rdx), %edx
.LMPI_Sendrecv_15:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_8:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_18
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_20, .LMPI_Sendrecv_19
.LMPI_Sendrecv_17:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_4:
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_21
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_21
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_22
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_22:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_23
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_23:
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_25:
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_24
.LMPI_Sendrecv_26:
	.cfi_def_cfa_offset 40
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_24
.LMPI_Sendrecv_30:
	.cfi_def_cfa_offset 64
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_29
.LMPI_Sendrecv_31:
	.cfi_def_cfa_offset 64
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_29
.LMPI_Sendrecv_33:
	.cfi_def_cfa_offset 72
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_32
.LMPI_Sendrecv_28:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_30
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_31
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_29:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_32
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_33
	movl	8(%rdx), %edx
.LMPI_Sendrecv_32:
	jmp	.LMPI_Sendrecv_27
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 64
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_34
.LMPI_Sendrecv_37:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_36
.LMPI_Sendrecv_38:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_36
.LMPI_Sendrecv_39:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_36, .LMPI_Sendrecv_38
.LMPI_Sendrecv_44:
	.cfi_def_cfa_offset 24
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_43
.LMPI_Sendrecv_45:
	.cfi_def_cfa_offset 24
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_43
.LMPI_Sendrecv_49:
	.cfi_def_cfa_offset 48
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_48
.LMPI_Sendrecv_50:
	.cfi_def_cfa_offset 48
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_48
.LMPI_Sendrecv_52:
	.cfi_def_cfa_offset 56
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_51
.LMPI_Sendrecv_47:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_49
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_50
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_48:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_51
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_52
	movl	8(%rdx), %edx
.LMPI_Sendrecv_51:
	jmp	.LMPI_Sendrecv_46
.LMPI_Sendrecv_54:
	.cfi_def_cfa_offset 48
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_53
.LMPI_Sendrecv_56:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
.LMPI_Sendrecv_41:
	.cfi_def_cfa_offset 8
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_42
	testl	%ecx, %ecx
	js	.LMPI_Sendrecv_42
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$1
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_44
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_45
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_43:
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-2
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_47
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_53
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_54
	movl	8(%rdx), %edx
.LMPI_Sendrecv_53:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_46:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_56
.LMPI_Sendrecv_55:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_42:
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_21
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_21
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_57
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_57:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_58
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_58:
	jmp	.LMPI_Sendrecv_40
.LMPI_Sendrecv_60:
	.cfi_def_cfa_offset 24
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_59
.LMPI_Sendrecv_61:
	.cfi_def_cfa_offset 24
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_59
.LMPI_Sendrecv_65:
	.cfi_def_cfa_offset 48
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_64
.LMPI_Sendrecv_66:
	.cfi_def_cfa_offset 48
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_64
.LMPI_Sendrecv_68:
	.cfi_def_cfa_offset 56
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_67
.LMPI_Sendrecv_63:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_65
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_66
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_64:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_67
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_68
	movl	8(%rdx), %edx
.LMPI_Sendrecv_67:
	jmp	.LMPI_Sendrecv_62
.LMPI_Sendrecv_70:
	.cfi_def_cfa_offset 48
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_69
.LMPI_Sendrecv_72:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
FAST_END(MPI_Sendrecv)
