FAST_PATH(MPI_Recv)
	cmpq	$0, 8(%rsp)
	je	.LMPI_Recv_1
	/* source */
	testl	%ecx, %ecx
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
	jle	.LMPI_Recv_5
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Recv_6
	movl	8(%r9), %r9d
.LMPI_Recv_5:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Recv_7
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Recv_8
	movl	8(%rdx), %edx
.LMPI_Recv_7:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_10
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	8, %rsp, 0, %rdx, .LMPI_Recv_12, .LMPI_Recv_11
.LMPI_Recv_9:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Recv_1:
	.cfi_def_cfa_offset 8
	/* source */
	testl	%ecx, %ecx
	js	.LMPI_Recv_14
.LMPI_Recv_13:
	/* status */
	pushq	$1
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Recv_15
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Recv_16
	movl	8(%r9), %r9d
.LMPI_Recv_15:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Recv_17
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Recv_18
	movl	8(%rdx), %edx
.LMPI_Recv_17:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_20
.LMPI_Recv_19:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Recv_4:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Recv_4
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Recv_2
.LMPI_Recv_6:
	.cfi_def_cfa_offset 48
	xorl	%r9d, %r9d
	jmp	.LMPI_Recv_5
.LMPI_Recv_8:
	.cfi_def_cfa_offset 48
	xorl	%edx, %edx
	jmp	.LMPI_Recv_7
.LMPI_Recv_10:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	8(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Recv_9
.LMPI_Recv_11:
	.cfi_def_cfa_offset 48
	leaq	8(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Recv_9
.LMPI_Recv_12:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	8, %rsp, 0, %rdx, .LMPI_Recv_9, .LMPI_Recv_11
.LMPI_Recv_14:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Recv_4
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Recv_13
.LMPI_Recv_16:
	.cfi_def_cfa_offset 16
	xorl	%r9d, %r9d
	jmp	.LMPI_Recv_15
.LMPI_Recv_18:
	.cfi_def_cfa_offset 16
	xorl	%edx, %edx
	jmp	.LMPI_Recv_17
.LMPI_Recv_20:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Recv)
