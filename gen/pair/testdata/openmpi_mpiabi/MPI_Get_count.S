FAST_PATH(MPI_Get_count)
	/* status */
	cmpq	$1, %rdi
	jbe	.LMPI_Get_count_1
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	STATUS_COUNT_FITS	%rdi, .LMPI_Get_count_2
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rsi
	jle	.LMPI_Get_count_5
	cmpl	$MAGIC_DATATYPE, (%rsi)
	jne	.LMPI_Get_count_4
	movq	8(%rsi), %rsi
.LMPI_Get_count_3:
	/* status */
	addq	$A_COUNT-R_COUNT, %rdi
	call	*wi4go_R+8*SLOT_MPI_Get_count(%rip)
	testl	%eax, %eax
	jne	.LMPI_Get_count_7
.LMPI_Get_count_6:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Get_count_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Get_count+8(%rip)
.LMPI_Get_count_2:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Get_count+8(%rip)
.LMPI_Get_count_4:
	.cfi_def_cfa_offset 16
	movl	$0x200, %esi
	jmp	.LMPI_Get_count_3
.LMPI_Get_count_5:
	.cfi_def_cfa_offset 16
	btrq	$63, %rsi
	jnc	.LMPI_Get_count_4
	jmp	.LMPI_Get_count_3
.LMPI_Get_count_7:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Get_count)
