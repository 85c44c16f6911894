FAST_PATH(MPI_Iprobe)
	cmpq	$0, %r8
	je	.LMPI_Iprobe_1
	/* source */
	movl	%edi, %eax
	/* tag */
	orl	%esi, %eax
	js	.LMPI_Iprobe_3
.LMPI_Iprobe_2:
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_11
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_10
	movq	8(%rdx), %rdx
.LMPI_Iprobe_9:
	/* status */
	leaq	0(%rsp), %r8
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_13
	movq	40(%rsp), %rdx
	cmpl	$0, (%rdx)
	je	.LMPI_Iprobe_12
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .LMPI_Iprobe_15, .LMPI_Iprobe_14
.LMPI_Iprobe_12:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Iprobe_1:
	.cfi_def_cfa_offset 8
	/* source */
	movl	%edi, %eax
	/* tag */
	orl	%esi, %eax
	js	.LMPI_Iprobe_17
.LMPI_Iprobe_16:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_24
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_23
	movq	8(%rdx), %rdx
.LMPI_Iprobe_22:
	/* status */
	movl	$0, %r8d
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_26
.LMPI_Iprobe_25:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Iprobe_7:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Iprobe+8(%rip)
.LMPI_Iprobe_8:
	.cfi_def_cfa_offset 8
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_3:
	.cfi_def_cfa_offset 8
	cmpl	$-1, %edi
	jne	.LMPI_Iprobe_4
	cmpl	$0, %esi
	jns	.LMPI_Iprobe_2
.LMPI_Iprobe_5:
	cmpl	$-1, %esi
	jne	.LMPI_Iprobe_8
	movl	$-2, %esi
	jmp	.LMPI_Iprobe_2
.LMPI_Iprobe_4:
	testl	%edi, %edi
	jns	.LMPI_Iprobe_5
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_10:
	.cfi_def_cfa_offset 64
	movl	$0x100, %edx
	jmp	.LMPI_Iprobe_9
.LMPI_Iprobe_11:
	.cfi_def_cfa_offset 64
	btrq	$63, %rdx
	jnc	.LMPI_Iprobe_10
	jmp	.LMPI_Iprobe_9
.LMPI_Iprobe_13:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Iprobe_12
.LMPI_Iprobe_14:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Iprobe_12
.LMPI_Iprobe_15:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .LMPI_Iprobe_12, .LMPI_Iprobe_14
.LMPI_Iprobe_21:
	.cfi_def_cfa_offset 8
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_17:
	.cfi_def_cfa_offset 8
	cmpl	$-1, %edi
	jne	.LMPI_Iprobe_18
	cmpl	$0, %esi
	jns	.LMPI_Iprobe_16
.LMPI_Iprobe_19:
	cmpl	$-1, %esi
	jne	.LMPI_Iprobe_21
	movl	$-2, %esi
	jmp	.LMPI_Iprobe_16
.LMPI_Iprobe_18:
	testl	%edi, %edi
	jns	.LMPI_Iprobe_19
	jmp	.LMPI_Iprobe_7
.LMPI_Iprobe_23:
	.cfi_def_cfa_offset 16
	movl	$0x100, %edx
	jmp	.LMPI_Iprobe_22
.LMPI_Iprobe_24:
	.cfi_def_cfa_offset 16
	btrq	$63, %rdx
	jnc	.LMPI_Iprobe_23
	jmp	.LMPI_Iprobe_22
.LMPI_Iprobe_26:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Iprobe)
