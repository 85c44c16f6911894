FAST_PATH(MPI_Start)
	/* request */
	testq	%rdi, %rdi
	je	.LMPI_Start_1
	REQUEST_A2R	(%rdi), .LMPI_Start_1
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Start(%rip)
	testl	%eax, %eax
	jne	.LMPI_Start_3
.LMPI_Start_2:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Start_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Start+8(%rip)
.LMPI_Start_3:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Start)
