FAST_PATH(MPI_Ibarrier)
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdi
	jle	.LMPI_Ibarrier_1
	cmpl	$MAGIC_COMM, (%rdi)
	jne	.LMPI_Ibarrier_2
	movl	8(%rdi), %edi
.LMPI_Ibarrier_1:
	call	*wi4go_R+8*SLOT_MPI_Ibarrier(%rip)
	testl	%eax, %eax
	jne	.LMPI_Ibarrier_4
	/* request */
	movq	0(%rsp), %rdx
	cmpl	$0x2c000000, (%rdx)
	je	.LMPI_Ibarrier_5
	movl	$TAG_UPPER, 4(%rdx)
.LMPI_Ibarrier_3:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Ibarrier_2:
	.cfi_def_cfa_offset 16
	xorl	%edi, %edi
	jmp	.LMPI_Ibarrier_1
.LMPI_Ibarrier_4:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
.LMPI_Ibarrier_5:
	.cfi_def_cfa_offset 16
	movq	ompi_request_null@GOTPCREL(%rip), %rcx
	movq	%rcx, (%rdx)
	jmp	.LMPI_Ibarrier_3
FAST_END(MPI_Ibarrier)
