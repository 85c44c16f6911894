FAST_PATH(MPI_Waitsome)
	testq	%rsi, %rsi
	je	.LMPI_Waitsome_1
	testq	%rdx, %rdx
	je	.LMPI_Waitsome_1
	leal	-1(%rdi), %eax
	cmpl	$31, %eax
	ja	.LMPI_Waitsome_1
	cmpq	$0, %r8
	jne	.LMPI_Waitsome_2
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$128, %rsp
	.cfi_adjust_cfa_offset 128
	movl	%edi, %eax
.LMPI_Waitsome_3:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitsome_5
.LMPI_Waitsome_4:
	decl	%eax
	jne	.LMPI_Waitsome_3
	movl	$0, (%rdx)
	movq	%rsp, %rsi
	movl	$1, %r8d
	call	*wi4go_R+8*SLOT_MPI_Waitsome(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitsome_7
	movq	128(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	testl	%ecx, %ecx
	jle	.LMPI_Waitsome_8
	movq	144(%rsp), %rsi
	movl	136(%rsp), %r10d
.LMPI_Waitsome_10:
	REQUEST_SET_NULL	"-8(%rsi,%r10,8)", "-4(%rsp,%r10,4)", .LMPI_Waitsome_11
.LMPI_Waitsome_11:
	decl	%r10d
	jne	.LMPI_Waitsome_10
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitsome_2:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	subq	$776, %rsp
	.cfi_adjust_cfa_offset 776
	movl	%edi, %eax
	leaq	128(%rsp), %r10
.LMPI_Waitsome_12:
	STATUS_UNSET	0(%r10)
	STATUS_EMPTY	0(%r10)
	STATUS_ERROR_UNSET	0(%r10)
	addq	$20, %r10
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitsome_14
.LMPI_Waitsome_13:
	decl	%eax
	jne	.LMPI_Waitsome_12
	movl	$0, (%rdx)
	movq	%rsp, %rsi
	leaq	128(%rsp), %r8
	call	*wi4go_R+8*SLOT_MPI_Waitsome(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitsome_16
	movq	784(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	testl	%ecx, %ecx
	jle	.LMPI_Waitsome_17
	movq	800(%rsp), %rsi
	movl	792(%rsp), %r10d
.LMPI_Waitsome_19:
	REQUEST_SET_NULL	"-8(%rsi,%r10,8)", "-4(%rsp,%r10,4)", .LMPI_Waitsome_20
.LMPI_Waitsome_20:
	decl	%r10d
	jne	.LMPI_Waitsome_19
	movq	776(%rsp), %rdx
	leaq	128(%rsp), %r8
.LMPI_Waitsome_21:
	STATUS_R2A	0, %r8, 0, %rdx, .LMPI_Waitsome_23, .LMPI_Waitsome_16
.LMPI_Waitsome_22:
	STATUS_ERROR_COPY	0(%r8), 0, %rdx
	addq	$20, %r8
	addq	$24, %rdx
	decl	%ecx
	jne	.LMPI_Waitsome_21
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	ret
.LMPI_Waitsome_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_6:
	.cfi_def_cfa_offset 160
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_5:
	.cfi_def_cfa_offset 160
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitsome_4, .LMPI_Waitsome_6
.LMPI_Waitsome_7:
	.cfi_def_cfa_offset 160
	movl	%eax, %r9d
	movl	136(%rsp), %edi
	movq	144(%rsp), %rsi
	movl	$0, %edx
	movl	$1, %r8d
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	136(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitsome)
	addq	$168, %rsp
	.cfi_adjust_cfa_offset -168
	ret
.LMPI_Waitsome_8:
	.cfi_def_cfa_offset 160
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitsome_15:
	.cfi_def_cfa_offset 816
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_14:
	.cfi_def_cfa_offset 816
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitsome_13, .LMPI_Waitsome_15
.LMPI_Waitsome_16:
	.cfi_def_cfa_offset 816
	movl	%eax, %r9d
	movl	792(%rsp), %edi
	movq	800(%rsp), %rsi
	movq	776(%rsp), %rdx
	leaq	128(%rsp), %r8
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	792(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitsome)
	addq	$824, %rsp
	.cfi_adjust_cfa_offset -824
	ret
.LMPI_Waitsome_17:
	.cfi_def_cfa_offset 816
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	ret
.LMPI_Waitsome_23:
	.cfi_def_cfa_offset 816
	STATUS_NEGATIVE	0, %r8, 0, %rdx, .LMPI_Waitsome_22, .LMPI_Waitsome_16
FAST_END(MPI_Waitsome)
