FAST_PATH(MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %r9
	ja	.LMPI_Allreduce_1
	movq	NUMBERS_COMM(%r10,%r9,8), %r9
.LMPI_Allreduce_1:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rcx
	ja	.LMPI_Allreduce_2
	movq	NUMBERS_DATATYPE(%r10,%rcx,8), %rcx
.LMPI_Allreduce_2:
	/* op */
	cmpq	$LOWEST_ADDRESS-1, %r8
	ja	.LMPI_Allreduce_3
	movq	NUMBERS_OP(%r10,%r8,8), %r8
.LMPI_Allreduce_3:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.LMPI_Allreduce_5
.LMPI_Allreduce_4:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Allreduce_5:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Allreduce)
