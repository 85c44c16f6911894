FAST_PATH(MPI_Test_cancelled)
	/* status */
	cmpq	$1, %rdi
	jbe	.LMPI_Test_cancelled_1
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_PLAIN	%rdi, .LMPI_Test_cancelled_2
	STATUS_A2R	%rdi, 0(%rsp)
	/* status */
	leaq	0(%rsp), %rdi
	call	*wi4go_R+8*SLOT_MPI_Test_cancelled(%rip)
	testl	%eax, %eax
	jne	.LMPI_Test_cancelled_4
.LMPI_Test_cancelled_3:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Test_cancelled_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Test_cancelled+8(%rip)
.LMPI_Test_cancelled_2:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(translations)+16*SLOT_MPI_Test_cancelled+8(%rip)
.LMPI_Test_cancelled_4:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
FAST_END(MPI_Test_cancelled)
