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
	subq	$256, %rsp
	.cfi_adjust_cfa_offset 256
	movl	%edi, %eax
.LMPI_Waitsome_3:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_5
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
	REQUEST_SET_NULL	"-8(%rsi,%r10,8)", "-8(%rsp,%r10,8)", .LMPI_Waitsome_11
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
	subq	$1288, %rsp
	.cfi_adjust_cfa_offset 1288
	movl	%edi, %eax
	leaq	256(%rsp), %r10
.LMPI_Waitsome_12:
	STATUS_UNSET	0(%r10)
	STATUS_EMPTY	0(%r10)
	STATUS_ERROR_UNSET	0(%r10)
	addq	$32, %r10
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_14
.LMPI_Waitsome_13:
	decl	%eax
	jne	.LMPI_Waitsome_12
	movl	$0, (%rdx)
	movq	%rsp, %rsi
	leaq	256(%rsp), %r8
	call	*wi4go_R+8*SLOT_MPI_Waitsome(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitsome_16
	movq	1296(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	testl	%ecx, %ecx
	jle	.LMPI_Waitsome_17
	movq	1312(%rsp), %rsi
	movl	1304(%rsp), %r10d
.LMPI_Waitsome_19:
	REQUEST_SET_NULL	"-8(%rsi,%r10,8)", "-8(%rsp,%r10,8)", .LMPI_Waitsome_20
.LMPI_Waitsome_20:
	decl	%r10d
	jne	.LMPI_Waitsome_19
	movq	1288(%rsp), %rdx
	leaq	256(%rsp), %r8
.LMPI_Waitsome_21:
	STATUS_R2A	0, %r8, 0, %rdx, .LMPI_Waitsome_23, .LMPI_Waitsome_16
.LMPI_Waitsome_22:
	STATUS_ERROR_COPY	0(%r8), 0, %rdx
	addq	$32, %r8
	addq	$24, %rdx
	decl	%ecx
	jne	.LMPI_Waitsome_21
	addq	$1320, %rsp
	.cfi_adjust_cfa_offset -1320
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
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_4, .LMPI_Waitsome_6
.LMPI_Waitsome_7:
	.cfi_def_cfa_offset 288
	movl	%eax, %r9d
	movl	264(%rsp), %edi
	movq	272(%rsp), %rsi
	movl	$0, %edx
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
	.cfi_def_cfa_offset 1328
	addq	$1320, %rsp
	.cfi_adjust_cfa_offset -1320
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitsome+8(%rip)
.LMPI_Waitsome_14:
	.cfi_def_cfa_offset 1328
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitsome_13, .LMPI_Waitsome_15
.LMPI_Waitsome_16:
	.cfi_def_cfa_offset 1328
	movl	%eax, %r9d
	movl	1304(%rsp), %edi
	movq	1312(%rsp), %rsi
	movq	1288(%rsp), %rdx
	leaq	256(%rsp), %r8
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	1304(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitsome)
	addq	$1336, %rsp
	.cfi_adjust_cfa_offset -1336
	ret
.LMPI_Waitsome_17:
	.cfi_def_cfa_offset 1328
	addq	$1320, %rsp
	.cfi_adjust_cfa_offset -1320
	ret
.LMPI_Waitsome_23:
	.cfi_def_cfa_offset 1328
	STATUS_NEGATIVE	0, %r8, 0, %rdx, .LMPI_Waitsome_22, .LMPI_Waitsome_16
FAST_END(MPI_Waitsome)
