FAST_PATH(MPI_Iprobe)
	cmpq	$0, %r8
	je	.LMPI_Iprobe_1
	/* source */
	testl	%edi, %edi
	js	.LMPI_Iprobe_3
.LMPI_Iprobe_2:
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_5
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_6
	movl	8(%rdx), %edx
.LMPI_Iprobe_5:
	/* status */
	leaq	0(%rsp), %r8
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_8
	movq	24(%rsp), %rdx
	cmpl	$0, (%rdx)
	je	.LMPI_Iprobe_7
	/* status */
	movq	32(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .LMPI_Iprobe_10, .LMPI_Iprobe_9
.LMPI_Iprobe_7:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Iprobe_1:
	.cfi_def_cfa_offset 8
	/* source */
	testl	%edi, %edi
	js	.LMPI_Iprobe_12
.LMPI_Iprobe_11:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_13
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_14
	movl	8(%rdx), %edx
.LMPI_Iprobe_13:
	/* status */
	movl	$1, %r8d
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_16
.LMPI_Iprobe_15:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Iprobe_4:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Iprobe+8(%rip)
.LMPI_Iprobe_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %edi
	jl	.LMPI_Iprobe_4
	xorl	$RANK_FLIP, %edi
	jmp	.LMPI_Iprobe_2
.LMPI_Iprobe_6:
	.cfi_def_cfa_offset 48
	xorl	%edx, %edx
	jmp	.LMPI_Iprobe_5
.LMPI_Iprobe_8:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	32(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_9:
	.cfi_def_cfa_offset 48
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_10:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .LMPI_Iprobe_7, .LMPI_Iprobe_9
.LMPI_Iprobe_12:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %edi
	jl	.LMPI_Iprobe_4
	xorl	$RANK_FLIP, %edi
	jmp	.LMPI_Iprobe_11
.LMPI_Iprobe_14:
	.cfi_def_cfa_offset 16
	xorl	%edx, %edx
	jmp	.LMPI_Iprobe_13
.LMPI_Iprobe_16:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Iprobe)
