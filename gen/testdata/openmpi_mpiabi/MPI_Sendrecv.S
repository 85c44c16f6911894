SHORT_WAY(MPI_Sendrecv)
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_1
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_4
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_3
	movq	8(%rax), %rax
.LMPI_Sendrecv_2:
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
	jne	.LMPI_Sendrecv_6
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_15
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_14
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_13:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_5:
	/* recvcount */
	pushq	88(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_17
	/* status */
	movq	136(%rsp), %rdx
	cmpq	$0, %rdx
	je	.LMPI_Sendrecv_16
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_20, .LMPI_Sendrecv_19, .LMPI_Sendrecv_18
.LMPI_Sendrecv_16:
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 56
	movl	$0x100, %eax
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_4:
	.cfi_def_cfa_offset 56
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_3
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_8:
	.cfi_def_cfa_offset 80
	movl	$0x200, %eax
	jmp	.LMPI_Sendrecv_7
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 80
	btrq	$63, %rax
	jnc	.LMPI_Sendrecv_8
	jmp	.LMPI_Sendrecv_7
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 88
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 88
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_11
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_6:
	.cfi_def_cfa_offset 80
	movq	88(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_9
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_8
	movq	8(%rax), %rax
.LMPI_Sendrecv_7:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_12
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_11
	movq	8(%rdx), %rdx
.LMPI_Sendrecv_10:
	jmp	.LMPI_Sendrecv_5
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 80
	movl	$0x200, %edx
	jmp	.LMPI_Sendrecv_13
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 80
	btrq	$63, %rdx
	jnc	.LMPI_Sendrecv_14
	jmp	.LMPI_Sendrecv_13
.LMPI_Sendrecv_17:
	.cfi_def_cfa_offset 96
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	136(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_16
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 96
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_16
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_19, .LMPI_Sendrecv_16, .LMPI_Sendrecv_18
SHORT_END(MPI_Sendrecv)
