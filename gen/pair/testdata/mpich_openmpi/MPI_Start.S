FAST_PATH(MPI_Start)
	/* request */
	testq	%rdi, %rdi
	je	.LMPI_Start_1
	movl	(%rdi), %eax
	leaq	PAIR(tables)(%rip), %r10
	REQUEST_SLOT	.LMPI_Start_1
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* request */
	leaq	0(%rsp), %rdi
	call	*wi4go_R+8*SLOT_MPI_Start(%rip)
	testl	%eax, %eax
	jne	.LMPI_Start_3
	/* request */
	movq	0(%rsp), %rsi
	cmpq	8(%rsp), %rsi
	jne	.LMPI_Start_4
.LMPI_Start_2:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Start_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Start+8(%rip)
.LMPI_Start_3:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Start_4:
	.cfi_def_cfa_offset 32
	movq	16(%rsp), %rdi
	call	PAIR(request_restarted)
	xorl	%eax, %eax
	jmp	.LMPI_Start_2
FAST_END(MPI_Start)
