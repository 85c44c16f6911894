FAST_PATH(MPI_Waitsome)
	testq	%rsi, %rsi
	je	.LMPI_Waitsome_1
	testq	%rdx, %rdx
	je	.LMPI_Waitsome_1
	leal	-1(%rdi), %eax
	cmpl	$31, %eax
	ja	.LMPI_Waitsome_1
	cmpq	$1, %r8
	jb	.LMPI_Waitsome_1
	jne	.LMPI_Waitsome_2
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$256, %rsp
	.cfi_adjust_cfa_offset 256
	movl	%edi, %eax
.LMPI_Waitsome_3:
	REQUEST_ELEMENT_A2R	"-4(%rsi,%rax,4)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_5
.LMPI_Waitsome_4:
	decl	%eax
	jne	.LMPI_Waitsome_3
	movl	$0, (%rdx)
	movq	%rsp, %rsi
	movl	$0, %r8d
	call	*wi4go_R+8*SLOT_MPI_Waitsome(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitsome_7
	movq	256(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	testl	%ecx, %ecx
	jle	.LMPI_Waitsome_8
	movq	272(%rsp), %rsi
	movl	264(%rsp), %r10d
.LMPI_Waitsome_10:
	REQUEST_SET_NULL	"-4(%rsi,%r10,4)", "-8(%rsp,%r10,8)", .LMPI_Waitsome_11
.LMPI_Waitsome_11:
	decl	%r10d
	jne	.LMPI_Waitsome_10
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
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
	subq	$1032, %rsp
	.cfi_adjust_cfa_offset 1032
	movl	%edi, %eax
	leaq	256(%rsp), %r10
.LMPI_Waitsome_12:
	STATUS_UNSET	0(%r10)
	STATUS_EMPTY	0(%r10)
	STATUS_ERROR_UNSET	0(%r10)
	addq	$24, %r10
	REQUEST_ELEMENT_A2R	"-4(%rsi,%rax,4)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_14
.LMPI_Waitsome_13:
	decl	%eax
	jne	.LMPI_Waitsome_12
	movl	$0, (%rdx)
	movq	%rsp, %rsi
	leaq	256(%rsp), %r8
	call	*wi4go_R+8*SLOT_MPI_Waitsome(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitsome_16
	movq	1040(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	testl	%ecx, %ecx
	jle	.LMPI_Waitsome_17
	movq	1056(%rsp), %rsi
	movl	1048(%rsp), %r10d
.LMPI_Waitsome_19:
	REQUEST_SET_NULL	"-4(%rsi,%r10,4)", "-8(%rsp,%r10,8)", .LMPI_Waitsome_20
.LMPI_Waitsome_20:
	decl	%r10d
	jne	.LMPI_Waitsome_19
	movq	1032(%rsp), %rdx
	leaq	256(%rsp), %r8
.LMPI_Waitsome_21:
	STATUS_R2A	0, %r8, 0, %rdx, .LMPI_Waitsome_23, .LMPI_Waitsome_16
.LMPI_Waitsome_22:
	STATUS_ERROR_COPY	0(%r8), 0, %rdx
	addq	$24, %r8
	addq	$20, %rdx
	decl	%ecx
	jne	.LMPI_Waitsome_21
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	ret
.LMPI_Waitsome_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_6:
	.cfi_def_cfa_offset 288
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_5:
	.cfi_def_cfa_offset 288
	REQUEST_NULL_A2R	"-4(%rsi,%rax,4)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_4, .LMPI_Waitsome_6
.LMPI_Waitsome_7:
	.cfi_def_cfa_offset 288
	movl	%eax, %r9d
	movl	264(%rsp), %edi
	movq	272(%rsp), %rsi
	movl	$1, %edx
	movl	$0, %r8d
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	264(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitsome)
	addq	$296, %rsp
	.cfi_adjust_cfa_offset -296
	ret
.LMPI_Waitsome_8:
	.cfi_def_cfa_offset 288
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	ret
.LMPI_Waitsome_15:
	.cfi_def_cfa_offset 1072
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_14:
	.cfi_def_cfa_offset 1072
	REQUEST_NULL_A2R	"-4(%rsi,%rax,4)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_13, .LMPI_Waitsome_15
.LMPI_Waitsome_16:
	.cfi_def_cfa_offset 1072
	movl	%eax, %r9d
	movl	1048(%rsp), %edi
	movq	1056(%rsp), %rsi
	movq	1032(%rsp), %rdx
	leaq	256(%rsp), %r8
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	1048(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitsome)
	addq	$1080, %rsp
	.cfi_adjust_cfa_offset -1080
	ret
.LMPI_Waitsome_17:
	.cfi_def_cfa_offset 1072
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	ret
.LMPI_Waitsome_23:
	.cfi_def_cfa_offset 1072
	STATUS_NEGATIVE	0, %r8, 0, %rdx, .LMPI_Waitsome_22, .LMPI_Waitsome_16
FAST_END(MPI_Waitsome)
