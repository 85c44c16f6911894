FAST_PATH(MPI_Comm_rank)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%di, %eax
	cmpl	%edi, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Comm_rank_1
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %rdi
	call	*wi4go_R+8*SLOT_MPI_Comm_rank(%rip)
	testl	%eax, %eax
	jne	.LMPI_Comm_rank_3
.LMPI_Comm_rank_2:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Comm_rank_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Comm_rank+8(%rip)
.LMPI_Comm_rank_3:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Comm_rank)
