FAST_PATH(MPI_Ibarrier)
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rdi
	ja	.LMPI_Ibarrier_1
	movq	NUMBERS_COMM(%r10,%rdi,8), %rdi
.LMPI_Ibarrier_1:
	call	*wi4go_R+8*SLOT_MPI_Ibarrier(%rip)
	testl	%eax, %eax
	jne	.LMPI_Ibarrier_3
	/* request */
	movq	0(%rsp), %rdx
	movq	PAIR(R_MPI_REQUEST_NULL)(%rip), %rcx
	cmpq	%rcx, (%rdx)
	je	.LMPI_Ibarrier_4
.LMPI_Ibarrier_2:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Ibarrier_3:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
.LMPI_Ibarrier_4:
	.cfi_def_cfa_offset 16
	movq	$0x180, (%rdx)
	jmp	.LMPI_Ibarrier_2
FAST_END(MPI_Ibarrier)
