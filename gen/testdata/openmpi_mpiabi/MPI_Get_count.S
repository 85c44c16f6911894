SHORT_WAY(MPI_Get_count)
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_A2R	%rdi, 0(%rsp), .LMPI_Get_count_1
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rsi
	jle	.LMPI_Get_count_4
	cmpl	$MAGIC_DATATYPE, (%rsi)
	jne	.LMPI_Get_count_3
	movq	8(%rsi), %rsi
.LMPI_Get_count_2:
	/* status */
	leaq	0(%rsp), %rdi
	call	*wi4go_R+8*SLOT_MPI_Get_count(%rip)
	testl	%eax, %eax
	jne	.LMPI_Get_count_6
.LMPI_Get_count_5:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Get_count_1:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmpq	*PAIR(whole)+8*SLOT_MPI_Get_count(%rip)
.LMPI_Get_count_3:
	.cfi_def_cfa_offset 48
	movl	$0x200, %esi
	jmp	.LMPI_Get_count_2
.LMPI_Get_count_4:
	.cfi_def_cfa_offset 48
	btrq	$63, %rsi
	jnc	.LMPI_Get_count_3
	jmp	.LMPI_Get_count_2
.LMPI_Get_count_6:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmp	PAIR(error)
SHORT_END(MPI_Get_count)
