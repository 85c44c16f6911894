FAST_PATH(MPI_Testall)
	testq	%rsi, %rsi
	je	.LMPI_Testall_2
	cmpl	$2, %edi
	jne	.LMPI_Testall_2
	cmpq	$0, %rcx
	jne	.LMPI_Testall_3
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	REQUESTS_A2R	0(%rsi), 0(%rsp), .LMPI_Testall_4
	movq	%rsp, %rsi
	movl	$0, %ecx
	call	*wi4go_R+8*SLOT_MPI_Testall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Testall_5
	movq	24(%rsp), %rcx
	cmpl	$0, (%rcx)
	je	.LMPI_Testall_6
	movq	32(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	REQUESTS_ENDED	0(%rsi), 0(%rsp), .LMPI_Testall_5
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Testall_3:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$64, %rsp
	.cfi_adjust_cfa_offset 64
	STATUSES_UNSET_BEGIN 16(%rsp)
	STATUSES_UNSET
	STATUS_ERROR_UNSET	16(%rsp)
	STATUS_ERROR_UNSET	40(%rsp)
	REQUESTS_A2R	0(%rsi), 0(%rsp), .LMPI_Testall_7
	movq	%rsp, %rsi
	leaq	16(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Testall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Testall_8
	movq	72(%rsp), %rcx
	cmpl	$0, (%rcx)
	je	.LMPI_Testall_9
	movq	80(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	REQUESTS_ENDED	0(%rsi), 0(%rsp), .LMPI_Testall_8
	movq	64(%rsp), %rdx
	STATUS_R2A	16, %rsp, 0, %rdx, .LMPI_Testall_11, .LMPI_Testall_8, 0
.LMPI_Testall_10:
	STATUS_ERROR_COPY	16(%rsp), 0, %rdx
	STATUS_R2A	40, %rsp, 32, %rdx, .LMPI_Testall_13, .LMPI_Testall_8, 0
.LMPI_Testall_12:
	STATUS_ERROR_COPY	40(%rsp), 32, %rdx
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.LMPI_Testall_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Testall+8(%rip)
.LMPI_Testall_4:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmpq	*PAIR(translations)+16*SLOT_MPI_Testall+8(%rip)
.LMPI_Testall_5:
	.cfi_def_cfa_offset 48
	movl	%eax, %r9d
	movl	$2, %edi
	movq	32(%rsp), %rsi
	movl	$0, %edx
	movl	$0, %r8d
	movq	%rsp, %rcx
	pushq	24(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Testall)
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Testall_6:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Testall_7:
	.cfi_def_cfa_offset 96
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	jmpq	*PAIR(translations)+16*SLOT_MPI_Testall+8(%rip)
.LMPI_Testall_8:
	.cfi_def_cfa_offset 96
	movl	%eax, %r9d
	movl	$2, %edi
	movq	80(%rsp), %rsi
	movq	64(%rsp), %rdx
	leaq	16(%rsp), %r8
	movq	%rsp, %rcx
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Testall)
	addq	$104, %rsp
	.cfi_adjust_cfa_offset -104
	ret
.LMPI_Testall_9:
	.cfi_def_cfa_offset 96
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.LMPI_Testall_11:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	16, %rsp, 0, %rdx, .LMPI_Testall_10, .LMPI_Testall_8, 0
.LMPI_Testall_13:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	40, %rsp, 32, %rdx, .LMPI_Testall_12, .LMPI_Testall_8, 0
FAST_END(MPI_Testall)
