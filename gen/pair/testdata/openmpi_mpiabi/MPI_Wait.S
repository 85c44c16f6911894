FAST_PATH(MPI_Wait)
	cmpq	$0, %rsi
	je	.LMPI_Wait_1
	/* request */
	testq	%rdi, %rdi
	je	.LMPI_Wait_2
	REQUEST_A2R	(%rdi), .LMPI_Wait_4
.LMPI_Wait_3:
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	subq	$32, %rsp
	.cfi_adjust_cfa_offset 32
	STATUS_UNSET	0(%rsp)
	STATUS_EMPTY	0(%rsp)
	/* request */
	leaq	32(%rsp), %rdi
	/* status */
	leaq	0(%rsp), %rsi
	call	*wi4go_R+8*SLOT_MPI_Wait(%rip)
	/* request */
	cmpq	$0x180, 32(%rsp)
	jne	.LMPI_Wait_5
	movq	40(%rsp), %rdx
	movq	ompi_request_null@GOTPCREL(%rip), %rcx
	movq	%rcx, (%rdx)
.LMPI_Wait_5:
	testl	%eax, %eax
	jne	.LMPI_Wait_7
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .LMPI_Wait_9, .LMPI_Wait_8
.LMPI_Wait_6:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Wait_1:
	.cfi_def_cfa_offset 8
	/* request */
	testq	%rdi, %rdi
	je	.LMPI_Wait_2
	REQUEST_A2R	(%rdi), .LMPI_Wait_11
.LMPI_Wait_10:
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* request */
	leaq	8(%rsp), %rdi
	/* status */
	movl	$0, %esi
	call	*wi4go_R+8*SLOT_MPI_Wait(%rip)
	/* request */
	cmpq	$0x180, 8(%rsp)
	jne	.LMPI_Wait_12
	movq	16(%rsp), %rdx
	movq	ompi_request_null@GOTPCREL(%rip), %rcx
	movq	%rcx, (%rdx)
.LMPI_Wait_12:
	testl	%eax, %eax
	jne	.LMPI_Wait_14
.LMPI_Wait_13:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Wait_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Wait+8(%rip)
.LMPI_Wait_4:
	.cfi_def_cfa_offset 8
	movq	ompi_request_null@GOTPCREL(%rip), %rax
	cmpq	%rax, (%rdi)
	jne	.LMPI_Wait_2
	STATUS_OF_NULL	%rsi
	xorl	%eax, %eax
	ret
.LMPI_Wait_7:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Wait_6
.LMPI_Wait_8:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Wait_6
.LMPI_Wait_9:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .LMPI_Wait_6, .LMPI_Wait_8
.LMPI_Wait_11:
	.cfi_def_cfa_offset 8
	movq	ompi_request_null@GOTPCREL(%rip), %rax
	cmpq	%rax, (%rdi)
	jne	.LMPI_Wait_2
	xorl	%eax, %eax
	ret
.LMPI_Wait_14:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
FAST_END(MPI_Wait)
