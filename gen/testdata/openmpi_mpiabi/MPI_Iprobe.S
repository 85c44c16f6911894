SHORT_WAY(MPI_Iprobe)
	cmpq	$0, %r8
	je	.LMPI_Iprobe_1
	/* source */
	movl	%edi, %eax
	/* tag */
	orl	%esi, %eax
	js	.LMPI_Iprobe_2
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_5
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_4
	movq	8(%rdx), %rdx
.LMPI_Iprobe_3:
	/* status */
	leaq	0(%rsp), %r8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_7
	movq	40(%rsp), %rdx
	cmpl	$0, (%rdx)
	je	.LMPI_Iprobe_6
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, %rdx, .LMPI_Iprobe_10, .LMPI_Iprobe_9, .LMPI_Iprobe_8
.LMPI_Iprobe_6:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Iprobe_1:
	.cfi_def_cfa_offset 8
	/* source */
	movl	%edi, %eax
	/* tag */
	orl	%esi, %eax
	js	.LMPI_Iprobe_2
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Iprobe_13
	cmpl	$MAGIC_COMM, (%rdx)
	jne	.LMPI_Iprobe_12
	movq	8(%rdx), %rdx
.LMPI_Iprobe_11:
	/* status */
	movl	$0, %r8d
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Iprobe(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Iprobe_15
.LMPI_Iprobe_14:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Iprobe_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Iprobe(%rip)
.LMPI_Iprobe_4:
	.cfi_def_cfa_offset 64
	movl	$0x100, %edx
	jmp	.LMPI_Iprobe_3
.LMPI_Iprobe_5:
	.cfi_def_cfa_offset 64
	btrq	$63, %rdx
	jnc	.LMPI_Iprobe_4
	jmp	.LMPI_Iprobe_3
.LMPI_Iprobe_7:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Iprobe_6
.LMPI_Iprobe_8:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Iprobe_6
.LMPI_Iprobe_10:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, %rdx, .LMPI_Iprobe_9, .LMPI_Iprobe_6, .LMPI_Iprobe_8
.LMPI_Iprobe_12:
	.cfi_def_cfa_offset 16
	movl	$0x100, %edx
	jmp	.LMPI_Iprobe_11
.LMPI_Iprobe_13:
	.cfi_def_cfa_offset 16
	btrq	$63, %rdx
	jnc	.LMPI_Iprobe_12
	jmp	.LMPI_Iprobe_11
.LMPI_Iprobe_15:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
SHORT_END(MPI_Iprobe)
