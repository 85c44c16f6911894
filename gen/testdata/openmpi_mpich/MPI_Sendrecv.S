SHORT_WAY(MPI_Sendrecv)
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_2
.LMPI_Sendrecv_1:
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_7
	cmpl	$MAGIC_COMM, (%rax)
	jne	.LMPI_Sendrecv_8
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_6:
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_10
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_16
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_17
	movl	8(%rdx), %edx
.LMPI_Sendrecv_16:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_9:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_19
	/* status */
	movq	120(%rsp), %rdx
	cmpq	$0, %rdx
	je	.LMPI_Sendrecv_18
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_22, .LMPI_Sendrecv_21, .LMPI_Sendrecv_20
.LMPI_Sendrecv_18:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_2:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_3
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_3
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_4
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_4:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_5
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_5:
	jmp	.LMPI_Sendrecv_1
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_6
.LMPI_Sendrecv_8:
	.cfi_def_cfa_offset 40
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_6
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 64
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_11
.LMPI_Sendrecv_13:
	.cfi_def_cfa_offset 64
	pushq	$0
	.cfi_adjust_cfa_offset 8
	jmp	.LMPI_Sendrecv_11
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 72
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_14
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	jle	.LMPI_Sendrecv_12
	cmpl	$MAGIC_DATATYPE, (%rax)
	jne	.LMPI_Sendrecv_13
	pushq	8(%rax)
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_11:
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Sendrecv_14
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Sendrecv_15
	movl	8(%rdx), %edx
.LMPI_Sendrecv_14:
	jmp	.LMPI_Sendrecv_9
.LMPI_Sendrecv_17:
	.cfi_def_cfa_offset 64
	xorl	%edx, %edx
	jmp	.LMPI_Sendrecv_16
.LMPI_Sendrecv_19:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_18
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_18
.LMPI_Sendrecv_22:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_21, .LMPI_Sendrecv_18, .LMPI_Sendrecv_20
SHORT_END(MPI_Sendrecv)
