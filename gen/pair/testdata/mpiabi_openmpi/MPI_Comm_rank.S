FAST_PATH(MPI_Comm_rank)
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %rdi
	jbe	.LMPI_Comm_rank_1
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	call	*wi4go_R+8*SLOT_MPI_Comm_rank(%rip)
	testl	%eax, %eax
	jne	.LMPI_Comm_rank_6
.LMPI_Comm_rank_5:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Comm_rank_4:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
.LMPI_Comm_rank_1:
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	movq	NUMBERS_COMM(%r10,%rdi,8), %rdi
	call	*wi4go_R+8*SLOT_MPI_Comm_rank(%rip)
	testl	%eax, %eax
	jne	.LMPI_Comm_rank_4
.LMPI_Comm_rank_3:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Comm_rank_6:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Comm_rank)
