FAST_PATH(MPI_Allreduce)
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Allreduce_3
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Allreduce_2
	movq	8(%r9), %r9
.LMPI_Allreduce_1:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rcx
	jle	.LMPI_Allreduce_6
	cmpl	$MAGIC_DATATYPE, (%rcx)
	jne	.LMPI_Allreduce_5
	movq	8(%rcx), %rcx
.LMPI_Allreduce_4:
	/* op */
	cmpq	$LOWEST_ADDRESS-1, %r8
	jle	.LMPI_Allreduce_9
	cmpl	$MAGIC_OP, (%r8)
	jne	.LMPI_Allreduce_8
	movq	8(%r8), %r8
.LMPI_Allreduce_7:
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.LMPI_Allreduce_11
.LMPI_Allreduce_10:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Allreduce_2:
	.cfi_def_cfa_offset 16
	movl	$0x100, %r9d
	jmp	.LMPI_Allreduce_1
.LMPI_Allreduce_3:
	.cfi_def_cfa_offset 16
	btrq	$63, %r9
	jnc	.LMPI_Allreduce_2
	jmp	.LMPI_Allreduce_1
.LMPI_Allreduce_5:
	.cfi_def_cfa_offset 16
	movl	$0x200, %ecx
	jmp	.LMPI_Allreduce_4
.LMPI_Allreduce_6:
	.cfi_def_cfa_offset 16
	btrq	$63, %rcx
	jnc	.LMPI_Allreduce_5
	jmp	.LMPI_Allreduce_4
.LMPI_Allreduce_8:
	.cfi_def_cfa_offset 16
	movl	$0x20, %r8d
	jmp	.LMPI_Allreduce_7
.LMPI_Allreduce_9:
	.cfi_def_cfa_offset 16
	btrq	$63, %r8
	jnc	.LMPI_Allreduce_8
	jmp	.LMPI_Allreduce_7
.LMPI_Allreduce_11:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Allreduce)
