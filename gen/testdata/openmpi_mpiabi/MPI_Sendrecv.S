SHORT_WAY(MPI_Sendrecv)
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
	js	.LMPI_Sendrecv_2
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_5
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_4
	movq	8(%rax), %rax
.LMPI_Sendrecv_3:
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
	jne	.LMPI_Sendrecv_7
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_16
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_15
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_14:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_6:
	/* recvcount */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_18
	/* status */
	movq	136(%rsp), %rdx
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_21, .LMPI_Sendrecv_20, .LMPI_Sendrecv_19
.LMPI_Sendrecv_17:
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
	js	.LMPI_Sendrecv_2
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_24
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_23
	movq	8(%rax), %rax
.LMPI_Sendrecv_22:
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
	jne	.LMPI_Sendrecv_26
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_35
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_34
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_33:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_25:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_37
.LMPI_Sendrecv_36:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_4:
	.cfi_def_cfa_offset 56
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_3
.LMPI_Sendrecv_5:
	.cfi_def_cfa_offset 56
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_4
	jmp	.LMPI_Sendrecv_3
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 80
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_9
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 88
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_11
.LMPI_Sendrecv_13:
	.cfi_def_cfa_offset 88
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_12
	jmp	.LMPI_Sendrecv_11
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 80
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_10
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_9
	movq	8(%rax), %rax
.LMPI_Sendrecv_8:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_13
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_12
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_11:
	jmp	.LMPI_Sendrecv_6
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 80
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_14
.LMPI_Sendrecv_16:
	.cfi_def_cfa_offset 80
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_15
	jmp	.LMPI_Sendrecv_14
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 96
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	136(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_19:
	.cfi_def_cfa_offset 96
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_20, .LMPI_Sendrecv_17, .LMPI_Sendrecv_19
.LMPI_Sendrecv_23:
	.cfi_def_cfa_offset 24
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_22
.LMPI_Sendrecv_24:
	.cfi_def_cfa_offset 24
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_23
	jmp	.LMPI_Sendrecv_22
.LMPI_Sendrecv_28:
	.cfi_def_cfa_offset 48
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_27
.LMPI_Sendrecv_29:
	.cfi_def_cfa_offset 48
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_28
	jmp	.LMPI_Sendrecv_27
.LMPI_Sendrecv_31:
	.cfi_def_cfa_offset 56
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_30
.LMPI_Sendrecv_32:
	.cfi_def_cfa_offset 56
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_31
	jmp	.LMPI_Sendrecv_30
.LMPI_Sendrecv_26:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_29
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_28
	movq	8(%rax), %rax
.LMPI_Sendrecv_27:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_32
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_31
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_30:
	jmp	.LMPI_Sendrecv_25
.LMPI_Sendrecv_34:
	.cfi_def_cfa_offset 48
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_33
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 48
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_34
	jmp	.LMPI_Sendrecv_33
.LMPI_Sendrecv_37:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
SHORT_END(MPI_Sendrecv)
