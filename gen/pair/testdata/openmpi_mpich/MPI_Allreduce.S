FAST_PATH(MPI_Allreduce)
	/* sendbuf */
	cmpq	$1, %rdi
	je	.LMPI_Allreduce_1
	/* recvbuf */
	cmpq	$1, %rsi
	je	.LMPI_Allreduce_1
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Allreduce_2
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Allreduce_3
	movl	8(%r9), %r9d
.LMPI_Allreduce_2:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rcx
	jle	.LMPI_Allreduce_4
	cmpl	$MAGIC_DATATYPE, (%rcx)
	jne	.LMPI_Allreduce_5
	movl	8(%rcx), %ecx
.LMPI_Allreduce_4:
	/* op */
	cmpq	$LOWEST_ADDRESS-1, %r8
	jle	.LMPI_Allreduce_6
	cmpl	$MAGIC_OP, (%r8)
	jne	.LMPI_Allreduce_7
	movl	8(%r8), %r8d
.LMPI_Allreduce_6:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.LMPI_Allreduce_9
.LMPI_Allreduce_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Allreduce_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Allreduce+8(%rip)
.LMPI_Allreduce_3:
	.cfi_def_cfa_offset 16
	xorl	%r9d, %r9d
	jmp	.LMPI_Allreduce_2
.LMPI_Allreduce_5:
	.cfi_def_cfa_offset 16
	xorl	%ecx, %ecx
	jmp	.LMPI_Allreduce_4
.LMPI_Allreduce_7:
	.cfi_def_cfa_offset 16
	xorl	%r8d, %r8d
	jmp	.LMPI_Allreduce_6
.LMPI_Allreduce_9:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Allreduce)
