FAST_PATH(MPI_Comm_rank)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdi
	jle	.LMPI_Comm_rank_1
	cmpl	$MAGIC_COMM, (%rdi)
	jne	.LMPI_Comm_rank_2
	movl	8(%rdi), %edi
.LMPI_Comm_rank_1:
	call	*wi4go_R+8*SLOT_MPI_Comm_rank(%rip)
	testl	%eax, %eax
	jne	.LMPI_Comm_rank_4
.LMPI_Comm_rank_3:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Comm_rank_2:
	.cfi_def_cfa_offset 16
	xorl	%edi, %edi
	jmp	.LMPI_Comm_rank_1
.LMPI_Comm_rank_4:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Comm_rank)
