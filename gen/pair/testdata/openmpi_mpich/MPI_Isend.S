FAST_PATH(MPI_Isend)
	/* dest */
	testl	%ecx, %ecx
	js	.LMPI_Isend_2
.LMPI_Isend_1:
	/* request */
	pushq	8(%rsp)
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Isend_4
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Isend_5
	movl	8(%r9), %r9d
.LMPI_Isend_4:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Isend_6
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Isend_7
	movl	8(%rdx), %edx
.LMPI_Isend_6:
	call	*wi4go_R+8*SLOT_MPI_Isend(%rip)
	testl	%eax, %eax
	jne	.LMPI_Isend_9
	/* request */
	movq	16(%rsp), %rdx
	movl	$TAG_UPPER, 4(%rdx)
.LMPI_Isend_8:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Isend_3:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_2:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Isend_3
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Isend_1
.LMPI_Isend_5:
	.cfi_def_cfa_offset 16
	xorl	%r9d, %r9d
	jmp	.LMPI_Isend_4
.LMPI_Isend_7:
	.cfi_def_cfa_offset 16
	xorl	%edx, %edx
	jmp	.LMPI_Isend_6
.LMPI_Isend_9:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Isend)
