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
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %r9
	ja	.LMPI_Recv_9
	movq	NUMBERS_COMM(%r10,%r9,8), %r9
.LMPI_Recv_9:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Recv_10
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Recv_10:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_12
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	8, %rsp, 0, %rdx, .LMPI_Recv_14, .LMPI_Recv_13
.LMPI_Recv_11:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Recv_1:
	.cfi_def_cfa_offset 8
	/* source */
	movl	%ecx, %eax
	/* tag */
	orl	%r8d, %eax
	js	.LMPI_Recv_16
.LMPI_Recv_15:
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %r9
	ja	.LMPI_Recv_21
	movq	NUMBERS_COMM(%r10,%r9,8), %r9
.LMPI_Recv_21:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Recv_22
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Recv_22:
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_24
.LMPI_Recv_23:
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
	cmpl	$-2, %r8d
	jne	.LMPI_Recv_8
	movl	$-1, %r8d
	jmp	.LMPI_Recv_2
.LMPI_Recv_4:
	testl	%ecx, %ecx
	jns	.LMPI_Recv_5
	jmp	.LMPI_Recv_7
.LMPI_Recv_12:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	8(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Recv_11
.LMPI_Recv_13:
	.cfi_def_cfa_offset 48
	leaq	8(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Recv_11
.LMPI_Recv_14:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	8, %rsp, 0, %rdx, .LMPI_Recv_11, .LMPI_Recv_13
.LMPI_Recv_20:
	.cfi_def_cfa_offset 8
	jmp	.LMPI_Recv_7
.LMPI_Recv_16:
	.cfi_def_cfa_offset 8
	cmpl	$-1, %ecx
	jne	.LMPI_Recv_17
	cmpl	$0, %r8d
	jns	.LMPI_Recv_15
.LMPI_Recv_18:
	cmpl	$-2, %r8d
	jne	.LMPI_Recv_20
	movl	$-1, %r8d
	jmp	.LMPI_Recv_15
.LMPI_Recv_17:
	testl	%ecx, %ecx
	jns	.LMPI_Recv_18
	jmp	.LMPI_Recv_7
.LMPI_Recv_24:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Recv)
