FAST_PATH(MPI_Isend)
	/* dest */
	movl	%ecx, %eax
	/* tag */
	orl	%r8d, %eax
	js	.LMPI_Isend_2
	/* request */
	pushq	8(%rsp)
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %r9
	ja	.LMPI_Isend_3
	movq	NUMBERS_COMM(%r10,%r9,8), %r9
.LMPI_Isend_3:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Isend_4
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Isend_4:
	call	*wi4go_R+8*SLOT_MPI_Isend(%rip)
	testl	%eax, %eax
	jne	.LMPI_Isend_6
.LMPI_Isend_5:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Isend_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_6:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Isend)
