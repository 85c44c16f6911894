FAST_PATH(MPI_Recv)
	cmpq	$0, 8(%rsp)
	je	.LMPI_Recv_1
	/* source */
	movl	%ecx, %eax
	/* tag */
	orl	%r8d, %eax
	js	.LMPI_Recv_3
.LMPI_Recv_2:
	subq	$32, %rsp
	.cfi_adjust_cfa_offset 32
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Recv_11
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Recv_10
	movq	8(%r9), %r9
.LMPI_Recv_9:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Recv_14
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Recv_13
	movq	8(%rdx), %rdx
.LMPI_Recv_12:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_16
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	8, %rsp, 0, %rdx, .LMPI_Recv_18, .LMPI_Recv_17
.LMPI_Recv_15:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Recv_1:
	.cfi_def_cfa_offset 8
	/* source */
	movl	%ecx, %eax
	/* tag */
	orl	%r8d, %eax
	js	.LMPI_Recv_20
.LMPI_Recv_19:
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Recv_27
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Recv_26
	movq	8(%r9), %r9
.LMPI_Recv_25:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Recv_30
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Recv_29
	movq	8(%rdx), %rdx
.LMPI_Recv_28:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_32
.LMPI_Recv_31:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Recv_7:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_8:
	.cfi_def_cfa_offset 8
	jmp	.LMPI_Recv_7
.LMPI_Recv_3:
	.cfi_def_cfa_offset 8
	cmpl	$-1, %ecx
	jne	.LMPI_Recv_4
	cmpl	$0, %r8d
	jns	.LMPI_Recv_2
.LMPI_Recv_5:
	cmpl	$-1, %r8d
	jne	.LMPI_Recv_8
	movl	$-2, %r8d
	jmp	.LMPI_Recv_2
.LMPI_Recv_4:
	testl	%ecx, %ecx
	jns	.LMPI_Recv_5
	jmp	.LMPI_Recv_7
.LMPI_Recv_10:
	.cfi_def_cfa_offset 48
	movl	$0x100, %r9d
	jmp	.LMPI_Recv_9
.LMPI_Recv_11:
	.cfi_def_cfa_offset 48
	btrq	$63, %r9
	jnc	.LMPI_Recv_10
	jmp	.LMPI_Recv_9
.LMPI_Recv_13:
	.cfi_def_cfa_offset 48
	movl	$0x200, %edx
	jmp	.LMPI_Recv_12
.LMPI_Recv_14:
	.cfi_def_cfa_offset 48
	btrq	$63, %rdx
	jnc	.LMPI_Recv_13
	jmp	.LMPI_Recv_12
.LMPI_Recv_16:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	8(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Recv_15
.LMPI_Recv_17:
	.cfi_def_cfa_offset 48
	leaq	8(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Recv_15
.LMPI_Recv_18:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	8, %rsp, 0, %rdx, .LMPI_Recv_15, .LMPI_Recv_17
.LMPI_Recv_24:
	.cfi_def_cfa_offset 8
	jmp	.LMPI_Recv_7
.LMPI_Recv_20:
	.cfi_def_cfa_offset 8
	cmpl	$-1, %ecx
	jne	.LMPI_Recv_21
	cmpl	$0, %r8d
	jns	.LMPI_Recv_19
.LMPI_Recv_22:
	cmpl	$-1, %r8d
	jne	.LMPI_Recv_24
	movl	$-2, %r8d
	jmp	.LMPI_Recv_19
.LMPI_Recv_21:
	testl	%ecx, %ecx
	jns	.LMPI_Recv_22
	jmp	.LMPI_Recv_7
.LMPI_Recv_26:
	.cfi_def_cfa_offset 16
	movl	$0x100, %r9d
	jmp	.LMPI_Recv_25
.LMPI_Recv_27:
	.cfi_def_cfa_offset 16
	btrq	$63, %r9
	jnc	.LMPI_Recv_26
	jmp	.LMPI_Recv_25
.LMPI_Recv_29:
	.cfi_def_cfa_offset 16
	movl	$0x200, %edx
	jmp	.LMPI_Recv_28
.LMPI_Recv_30:
	.cfi_def_cfa_offset 16
	btrq	$63, %rdx
	jnc	.LMPI_Recv_29
	jmp	.LMPI_Recv_28
.LMPI_Recv_32:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Recv)
