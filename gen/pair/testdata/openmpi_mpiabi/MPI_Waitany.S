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
	subq	$256, %rsp
	.cfi_adjust_cfa_offset 256
	movl	%edi, %eax
.LMPI_Waitany_3:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitany_5
.LMPI_Waitany_4:
	decl	%eax
	jne	.LMPI_Waitany_3
	movl	$-32766, (%rdx)
	movq	%rsp, %rsi
	movl	$0, %ecx
	call	*wi4go_R+8*SLOT_MPI_Waitany(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitany_7
	movq	256(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	cmpl	264(%rsp), %ecx
	jae	.LMPI_Waitany_10
	movq	272(%rsp), %rsi
	REQUEST_SET_NULL	"(%rsi,%rcx,8)", "(%rsp,%rcx,8)", .LMPI_Waitany_10
.LMPI_Waitany_10:
.LMPI_Waitany_9:
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
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
	subq	$296, %rsp
	.cfi_adjust_cfa_offset 296
	movl	%edi, %eax
	STATUS_UNSET	256(%rsp)
	STATUS_EMPTY	256(%rsp)
.LMPI_Waitany_11:
	REQUEST_ELEMENT_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitany_13
.LMPI_Waitany_12:
	decl	%eax
	jne	.LMPI_Waitany_11
	movl	$-32766, (%rdx)
	movq	%rsp, %rsi
	leaq	256(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Waitany(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitany_15
	movq	304(%rsp), %rdx
	movl	(%rdx), %ecx
	REQUEST_SET_NULL_BEGIN
	cmpl	312(%rsp), %ecx
	jae	.LMPI_Waitany_18
	movq	320(%rsp), %rsi
	REQUEST_SET_NULL	"(%rsi,%rcx,8)", "(%rsp,%rcx,8)", .LMPI_Waitany_18
.LMPI_Waitany_18:
	movq	296(%rsp), %rdx
	STATUS_R2A	256, %rsp, 0, %rdx, .LMPI_Waitany_20, .LMPI_Waitany_19
.LMPI_Waitany_17:
	addq	$328, %rsp
	.cfi_adjust_cfa_offset -328
	ret
.LMPI_Waitany_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_6:
	.cfi_def_cfa_offset 288
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_5:
	.cfi_def_cfa_offset 288
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitany_4, .LMPI_Waitany_6
.LMPI_Waitany_7:
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
	call	PAIR(finish_MPI_Waitany)
	addq	$296, %rsp
	.cfi_adjust_cfa_offset -296
	ret
.LMPI_Waitany_8:
	.cfi_def_cfa_offset 288
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	ret
.LMPI_Waitany_14:
	.cfi_def_cfa_offset 336
	addq	$328, %rsp
	.cfi_adjust_cfa_offset -328
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitany+8(%rip)
.LMPI_Waitany_13:
	.cfi_def_cfa_offset 336
	REQUEST_NULL_A2R	"-8(%rsi,%rax,8)", "-8(%rsp,%rax,8)", .LMPI_Waitany_12, .LMPI_Waitany_14
.LMPI_Waitany_15:
	.cfi_def_cfa_offset 336
	movl	%eax, %r9d
	movl	312(%rsp), %edi
	movq	320(%rsp), %rsi
	movq	296(%rsp), %rdx
	leaq	256(%rsp), %r8
	movq	%rsp, %rcx
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	312(%rsp)
	.cfi_adjust_cfa_offset 8
	call	PAIR(finish_MPI_Waitany)
	addq	$344, %rsp
	.cfi_adjust_cfa_offset -344
	ret
.LMPI_Waitany_16:
	.cfi_def_cfa_offset 336
	addq	$328, %rsp
	.cfi_adjust_cfa_offset -328
	ret
.LMPI_Waitany_19:
	.cfi_def_cfa_offset 336
	leaq	256(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_of_any)
	xorl	%eax, %eax
	jmp	.LMPI_Waitany_17
.LMPI_Waitany_20:
	.cfi_def_cfa_offset 336
	STATUS_OF_ANY	256, %rsp, 0, %rdx, .LMPI_Waitany_17, .LMPI_Waitany_19
FAST_END(MPI_Waitany)
