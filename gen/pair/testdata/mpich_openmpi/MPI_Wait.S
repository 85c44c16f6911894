FAST_PATH(MPI_Wait)
	cmpq	$1, %rsi
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
	testl	%eax, %eax
	jne	.LMPI_Wait_14
	movq	40(%rsp), %rdx
	movl	$0x2c000000, (%rdx)
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .LMPI_Wait_17, .LMPI_Wait_16
.LMPI_Wait_13:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Wait_1:
	.cfi_def_cfa_offset 8
	/* request */
	testq	%rdi, %rdi
	je	.LMPI_Wait_2
	REQUEST_A2R	(%rdi), .LMPI_Wait_19
.LMPI_Wait_18:
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
	testl	%eax, %eax
	jne	.LMPI_Wait_27
	movq	16(%rsp), %rdx
	movl	$0x2c000000, (%rdx)
.LMPI_Wait_26:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Wait_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Wait+8(%rip)
.LMPI_Wait_8:
	.cfi_def_cfa_offset 64
	movq	40(%rsp), %rdi
	movl	%eax, %esi
	call	PAIR(request_ended)
	jmp	.LMPI_Wait_7
.LMPI_Wait_10:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Wait_9
.LMPI_Wait_11:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Wait_9
.LMPI_Wait_12:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .LMPI_Wait_9, .LMPI_Wait_11
.LMPI_Wait_6:
	.cfi_def_cfa_offset 8
	leaq	PAIR(tables)(%rip), %r10
	REQUEST_SLOT	.LMPI_Wait_2
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
	movq	PAIR(R_MPI_REQUEST_NULL)(%rip), %rcx
	cmpq	%rcx, 32(%rsp)
	je	.LMPI_Wait_8
.LMPI_Wait_7:
	testl	%eax, %eax
	jne	.LMPI_Wait_10
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .LMPI_Wait_12, .LMPI_Wait_11
.LMPI_Wait_9:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Wait_4:
	.cfi_def_cfa_offset 8
	cmpl	$POOL_EMPTY, %eax
	jne	.LMPI_Wait_5
	movq	PAIR(pool_empty)(%rip), %rax
	jmp	.LMPI_Wait_3
.LMPI_Wait_5:
	cmpl	$0x2c000000, (%rdi)
	jne	.LMPI_Wait_6
	STATUS_OF_NULL	%rsi
	xorl	%eax, %eax
	ret
.LMPI_Wait_14:
	.cfi_def_cfa_offset 64
	/* request */
	movq	PAIR(R_MPI_REQUEST_NULL)(%rip), %rcx
	cmpq	%rcx, 32(%rsp)
	jne	.LMPI_Wait_15
	movq	40(%rsp), %rdx
	movl	$0x2c000000, (%rdx)
.LMPI_Wait_15:
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Wait_13
.LMPI_Wait_16:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Wait_13
.LMPI_Wait_17:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .LMPI_Wait_13, .LMPI_Wait_16
.LMPI_Wait_23:
	.cfi_def_cfa_offset 32
	movq	16(%rsp), %rdi
	movl	%eax, %esi
	call	PAIR(request_ended)
	jmp	.LMPI_Wait_22
.LMPI_Wait_25:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Wait_21:
	.cfi_def_cfa_offset 8
	leaq	PAIR(tables)(%rip), %r10
	REQUEST_SLOT	.LMPI_Wait_2
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
	movq	PAIR(R_MPI_REQUEST_NULL)(%rip), %rcx
	cmpq	%rcx, 8(%rsp)
	je	.LMPI_Wait_23
.LMPI_Wait_22:
	testl	%eax, %eax
	jne	.LMPI_Wait_25
.LMPI_Wait_24:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Wait_19:
	.cfi_def_cfa_offset 8
	cmpl	$POOL_EMPTY, %eax
	jne	.LMPI_Wait_20
	movq	PAIR(pool_empty)(%rip), %rax
	jmp	.LMPI_Wait_18
.LMPI_Wait_20:
	cmpl	$0x2c000000, (%rdi)
	jne	.LMPI_Wait_21
	xorl	%eax, %eax
	ret
.LMPI_Wait_27:
	.cfi_def_cfa_offset 32
	/* request */
	movq	PAIR(R_MPI_REQUEST_NULL)(%rip), %rcx
	cmpq	%rcx, 8(%rsp)
	jne	.LMPI_Wait_28
	movq	16(%rsp), %rdx
	movl	$0x2c000000, (%rdx)
.LMPI_Wait_28:
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
FAST_END(MPI_Wait)
