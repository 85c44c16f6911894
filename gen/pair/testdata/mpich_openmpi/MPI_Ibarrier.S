FAST_PATH(MPI_Ibarrier)
	/* request */
	cmpq	$0, %rsi
	je	.LMPI_Ibarrier_1
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%di, %eax
	cmpl	%edi, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Ibarrier_2
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %rdi
	/* request */
	leaq	0(%rsp), %rsi
	call	*wi4go_R+8*SLOT_MPI_Ibarrier(%rip)
	/* request */
	movq	0(%rsp), %rcx
	subq	PAIR(pool_bases)(%rip), %rcx
	cmpq	$-POOL_BYTES, %rcx
	adcq	%rax, %rax
	jne	.LMPI_Ibarrier_5
	movq	16(%rsp), %rdx
	movl	%ecx, (%rdx)
.LMPI_Ibarrier_3:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Ibarrier_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Ibarrier+8(%rip)
.LMPI_Ibarrier_2:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(translations)+16*SLOT_MPI_Ibarrier+8(%rip)
.LMPI_Ibarrier_4:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Ibarrier_5:
	.cfi_def_cfa_offset 32
	shrq	%rax
	testl	%eax, %eax
	jne	.LMPI_Ibarrier_4
	movq	0(%rsp), %rdi
	call	PAIR(request_r2a_slow)
	movq	16(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.LMPI_Ibarrier_3
FAST_END(MPI_Ibarrier)
