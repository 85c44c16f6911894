FAST_PATH(MPI_Waitany)
	testq	%rsi, %rsi
	je	.LMPI_Waitany_1
	testq	%rdx, %rdx
	je	.LMPI_Waitany_1
	leal	-1(%rdi), %eax
	cmpl	$31, %eax
	ja	.LMPI_Waitany_1
	cmpq	$0, %rcx
	jne	.LMPI_Waitany_2
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$128, %rsp
	.cfi_adjust_cfa_offset 128
	movl	%edi, %eax
.LMPI_Waitany_3:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitany_5
.LMPI_Waitany_4:
	decl	%eax
	jne	.LMPI_Waitany_3
	movl	$-32766, (%rdx)
	movq	%rsp, %rsi
	movl	$1, %ecx
	call	*wi4go_R+8*SLOT_MPI_Waitany(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitany_7
	movq	128(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	cmpl	136(%rsp), %ecx
	jae	.LMPI_Waitany_10
	movq	144(%rsp), %rsi
	REQUEST_SET_NULL	"(%rsi,%rcx,8)", "(%rsp,%rcx,4)", .LMPI_Waitany_10
.LMPI_Waitany_10:
.LMPI_Waitany_9:
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitany_2:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$152, %rsp
	.cfi_adjust_cfa_offset 152
	movl	%edi, %eax
	STATUS_UNSET	128(%rsp)
	STATUS_EMPTY	128(%rsp)
.LMPI_Waitany_11:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitany_13
.LMPI_Waitany_12:
	decl	%eax
	jne	.LMPI_Waitany_11
	movl	$-32766, (%rdx)
	movq	%rsp, %rsi
	leaq	128(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Waitany(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitany_15
	movq	160(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	cmpl	168(%rsp), %ecx
	jae	.LMPI_Waitany_18
	movq	176(%rsp), %rsi
	REQUEST_SET_NULL	"(%rsi,%rcx,8)", "(%rsp,%rcx,4)", .LMPI_Waitany_18
.LMPI_Waitany_18:
	movq	152(%rsp), %rdx
	STATUS_R2A	128, %rsp, 0, %rdx, .LMPI_Waitany_20, .LMPI_Waitany_19
.LMPI_Waitany_17:
	addq	$184, %rsp
	.cfi_adjust_cfa_offset -184
	ret
.LMPI_Waitany_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_6:
	.cfi_def_cfa_offset 160
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_5:
	.cfi_def_cfa_offset 160
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitany_4, .LMPI_Waitany_6
.LMPI_Waitany_7:
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
	call	PAIR(finish_MPI_Waitany)
	addq	$168, %rsp
	.cfi_adjust_cfa_offset -168
	ret
.LMPI_Waitany_8:
	.cfi_def_cfa_offset 160
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitany_14:
	.cfi_def_cfa_offset 192
	addq	$184, %rsp
	.cfi_adjust_cfa_offset -184
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_13:
	.cfi_def_cfa_offset 192
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-4(%rsp,%rax,4)", .LMPI_Waitany_12, .LMPI_Waitany_14
.LMPI_Waitany_15:
	.cfi_def_cfa_offset 192
	movl	%eax, %r9d
	movl	168(%rsp), %edi
	movq	176(%rsp), %rsi
	movq	152(%rsp), %rdx
	leaq	128(%rsp), %r8
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	168(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitany)
	addq	$200, %rsp
	.cfi_adjust_cfa_offset -200
	ret
.LMPI_Waitany_16:
	.cfi_def_cfa_offset 192
	addq	$184, %rsp
	.cfi_adjust_cfa_offset -184
	ret
.LMPI_Waitany_19:
	.cfi_def_cfa_offset 192
	leaq	128(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_of_any)
	xorl	%eax, %eax
	jmp	.LMPI_Waitany_17
.LMPI_Waitany_20:
	.cfi_def_cfa_offset 192
	STATUS_OF_ANY	128, %rsp, 0, %rdx, .LMPI_Waitany_17, .LMPI_Waitany_19
FAST_END(MPI_Waitany)
