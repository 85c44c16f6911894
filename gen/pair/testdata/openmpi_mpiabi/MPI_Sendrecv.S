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
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_28
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_27
	movq	8(%rax), %rax
.LMPI_Sendrecv_26:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 88(%rsp)
	jne	.LMPI_Sendrecv_30
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_39
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_38
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_37:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_29:
	/* recvcount */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_41
	/* status */
	movq	136(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_43, .LMPI_Sendrecv_42
.LMPI_Sendrecv_40:
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
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
	js	.LMPI_Sendrecv_45
.LMPI_Sendrecv_44:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_67
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_66
	movq	8(%rax), %rax
.LMPI_Sendrecv_65:
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
	jne	.LMPI_Sendrecv_69
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_78
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_77
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_76:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_68:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_80
.LMPI_Sendrecv_79:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 56
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 56
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_9
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 80
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_13
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 80
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_14
	jmp	.LMPI_Sendrecv_13
.LMPI_Sendrecv_17:
	.cfi_def_cfa_offset 88
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_16
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 88
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_17
	jmp	.LMPI_Sendrecv_16
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_15
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_14
	movq	8(%rax), %rax
.LMPI_Sendrecv_13:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_18
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_17
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_16:
	jmp	.LMPI_Sendrecv_11
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 80
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_19
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 80
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_20
	jmp	.LMPI_Sendrecv_19
.LMPI_Sendrecv_23:
	.cfi_def_cfa_offset 96
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	136(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_22
.LMPI_Sendrecv_24:
	.cfi_def_cfa_offset 96
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_22
.LMPI_Sendrecv_25:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_22, .LMPI_Sendrecv_24
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	movl	%ecx, %eax
	orl	%r8d, %eax
	js	.LMPI_Sendrecv_7
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_4
	cmpl	$-1, 32(%rsp)
	jne	.LMPI_Sendrecv_6
	.cfi_def_cfa_offset 8
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_10
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_9
	movq	8(%rax), %rax
.LMPI_Sendrecv_8:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	$-2
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 88(%rsp)
	jne	.LMPI_Sendrecv_12
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_21
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_20
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_19:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_11:
	/* recvcount */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_23
	/* status */
	movq	136(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_25, .LMPI_Sendrecv_24
.LMPI_Sendrecv_22:
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_6:
	cmpl	$0, 32(%rsp)
	jl	.LMPI_Sendrecv_7
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_4:
	cmpl	$0, 24(%rsp)
	jl	.LMPI_Sendrecv_7
	cmpl	$-1, 32(%rsp)
	jne	.LMPI_Sendrecv_7
	movl	$-2, 32(%rsp)
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_27:
	.cfi_def_cfa_offset 56
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_26
.LMPI_Sendrecv_28:
	.cfi_def_cfa_offset 56
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_27
	jmp	.LMPI_Sendrecv_26
.LMPI_Sendrecv_32:
	.cfi_def_cfa_offset 80
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_31
.LMPI_Sendrecv_33:
	.cfi_def_cfa_offset 80
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_32
	jmp	.LMPI_Sendrecv_31
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 88
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_34
.LMPI_Sendrecv_36:
	.cfi_def_cfa_offset 88
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_35
	jmp	.LMPI_Sendrecv_34
.LMPI_Sendrecv_30:
	.cfi_def_cfa_offset 80
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_33
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_32
	movq	8(%rax), %rax
.LMPI_Sendrecv_31:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_36
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_35
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_34:
	jmp	.LMPI_Sendrecv_29
.LMPI_Sendrecv_38:
	.cfi_def_cfa_offset 80
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_37
.LMPI_Sendrecv_39:
	.cfi_def_cfa_offset 80
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_38
	jmp	.LMPI_Sendrecv_37
.LMPI_Sendrecv_41:
	.cfi_def_cfa_offset 96
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	136(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_40
.LMPI_Sendrecv_42:
	.cfi_def_cfa_offset 96
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_40
.LMPI_Sendrecv_43:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_40, .LMPI_Sendrecv_42
.LMPI_Sendrecv_50:
	.cfi_def_cfa_offset 24
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_49
.LMPI_Sendrecv_51:
	.cfi_def_cfa_offset 24
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_50
	jmp	.LMPI_Sendrecv_49
.LMPI_Sendrecv_55:
	.cfi_def_cfa_offset 48
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_54
.LMPI_Sendrecv_56:
	.cfi_def_cfa_offset 48
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_55
	jmp	.LMPI_Sendrecv_54
.LMPI_Sendrecv_58:
	.cfi_def_cfa_offset 56
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_57
.LMPI_Sendrecv_59:
	.cfi_def_cfa_offset 56
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_58
	jmp	.LMPI_Sendrecv_57
.LMPI_Sendrecv_53:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_56
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_55
	movq	8(%rax), %rax
.LMPI_Sendrecv_54:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_59
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_58
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_57:
	jmp	.LMPI_Sendrecv_52
.LMPI_Sendrecv_61:
	.cfi_def_cfa_offset 48
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_60
.LMPI_Sendrecv_62:
	.cfi_def_cfa_offset 48
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_61
	jmp	.LMPI_Sendrecv_60
.LMPI_Sendrecv_64:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
.LMPI_Sendrecv_45:
	.cfi_def_cfa_offset 8
	movl	%ecx, %eax
	orl	%r8d, %eax
	js	.LMPI_Sendrecv_7
	cmpl	$-1, 24(%rsp)
	jne	.LMPI_Sendrecv_46
	cmpl	$-1, 32(%rsp)
	jne	.LMPI_Sendrecv_48
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_51
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_50
	movq	8(%rax), %rax
.LMPI_Sendrecv_49:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	$-2
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_53
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_62
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_61
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_60:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_52:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_64
.LMPI_Sendrecv_63:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_48:
	cmpl	$0, 32(%rsp)
	jl	.LMPI_Sendrecv_7
	jmp	.LMPI_Sendrecv_44
.LMPI_Sendrecv_46:
	cmpl	$0, 24(%rsp)
	jl	.LMPI_Sendrecv_7
	cmpl	$-1, 32(%rsp)
	jne	.LMPI_Sendrecv_7
	movl	$-2, 32(%rsp)
	jmp	.LMPI_Sendrecv_44
.LMPI_Sendrecv_66:
	.cfi_def_cfa_offset 24
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_65
.LMPI_Sendrecv_67:
	.cfi_def_cfa_offset 24
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_66
	jmp	.LMPI_Sendrecv_65
.LMPI_Sendrecv_71:
	.cfi_def_cfa_offset 48
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_70
.LMPI_Sendrecv_72:
	.cfi_def_cfa_offset 48
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_71
	jmp	.LMPI_Sendrecv_70
.LMPI_Sendrecv_74:
	.cfi_def_cfa_offset 56
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_73
.LMPI_Sendrecv_75:
	.cfi_def_cfa_offset 56
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_74
	jmp	.LMPI_Sendrecv_73
.LMPI_Sendrecv_69:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_72
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_71
	movq	8(%rax), %rax
.LMPI_Sendrecv_70:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_75
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_74
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_73:
	jmp	.LMPI_Sendrecv_68
.LMPI_Sendrecv_77:
	.cfi_def_cfa_offset 48
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_76
.LMPI_Sendrecv_78:
	.cfi_def_cfa_offset 48
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_77
	jmp	.LMPI_Sendrecv_76
.LMPI_Sendrecv_80:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
FAST_END(MPI_Sendrecv)
