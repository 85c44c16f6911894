FAST_PATH(MPI_Waitall)
	testq	%rsi, %rsi
	je	.LMPI_Waitall_2
	cmpl	$2, %edi
	jne	.LMPI_Waitall_1
	cmpq	$1, %rdx
	jne	.LMPI_Waitall_3
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	REQUESTS_A2R	0(%rsi), 0(%rsp), .LMPI_Waitall_4
	movq	%rsp, %rsi
	movl	$0, %edx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitall_5
	movq	16(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	REQUESTS_ENDED	0(%rsi), 0(%rsp), .LMPI_Waitall_5
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Waitall_3:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$72, %rsp
	.cfi_adjust_cfa_offset 72
	STATUSES_UNSET_BEGIN 16(%rsp)
	STATUSES_UNSET
	REQUESTS_A2R	0(%rsi), 0(%rsp), .LMPI_Waitall_6
	movq	%rsp, %rsi
	leaq	16(%rsp), %rdx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitall_7
	movq	80(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	REQUESTS_ENDED	0(%rsi), 0(%rsp), .LMPI_Waitall_7
	movq	72(%rsp), %rdx
	STATUS_SUCCESS	0, %rdx
	STATUS_R2A	16, %rsp, 0, %rdx, .LMPI_Waitall_9, .LMPI_Waitall_7, 1
.LMPI_Waitall_8:
	STATUS_SUCCESS	20, %rdx
	STATUS_R2A	40, %rsp, 20, %rdx, .LMPI_Waitall_11, .LMPI_Waitall_7, 1
.LMPI_Waitall_10:
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.LMPI_Waitall_1:
	.cfi_def_cfa_offset 8
	leal	-2(%rdi), %ecx
	cmpl	$30, %ecx
	ja	.LMPI_Waitall_2
	cmpq	$1, %rdx
	jne	.LMPI_Waitall_12
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$264, %rsp
	.cfi_adjust_cfa_offset 264
.LMPI_Waitall_13:
	REQUESTS_A2R	"0(%rsi,%rcx,4)", "0(%rsp,%rcx,8)", .LMPI_Waitall_14
	subl	$2, %ecx
	jns	.LMPI_Waitall_13
	jp	.LMPI_Waitall_15
	movq	%rsp, %rsi
	movl	$0, %edx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitall_16
	movq	272(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	movq	264(%rsp), %rcx
.LMPI_Waitall_17:
	REQUESTS_ENDED	"0(%rsi,%rcx,4)", "0(%rsp,%rcx,8)", .LMPI_Waitall_16
	subl	$2, %ecx
	jns	.LMPI_Waitall_17
	jp	.LMPI_Waitall_18
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	ret
.LMPI_Waitall_12:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$1032, %rsp
	.cfi_adjust_cfa_offset 1032
	STATUSES_UNSET_BEGIN 256(%rsp)
.LMPI_Waitall_19:
	STATUSES_UNSET
	REQUESTS_A2R	"0(%rsi,%rcx,4)", "0(%rsp,%rcx,8)", .LMPI_Waitall_20
	subl	$2, %ecx
	jns	.LMPI_Waitall_19
	jp	.LMPI_Waitall_21
	movq	%rsp, %rsi
	leaq	256(%rsp), %rdx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.LMPI_Waitall_22
	movq	1056(%rsp), %rsi
	REQUEST_ENDED_BEGIN
	movq	1032(%rsp), %rdx
	movl	1040(%rsp), %ecx
	leaq	256(%rsp), %r8
.LMPI_Waitall_23:
	REQUEST_ENDED	"-4(%rsi,%rcx,4)", "-8(%rsp,%rcx,8)", .LMPI_Waitall_22
	STATUS_SUCCESS	0, %rdx
	STATUS_R2A	0, %r8, 0, %rdx, .LMPI_Waitall_25, .LMPI_Waitall_22, 1
.LMPI_Waitall_24:
	addq	$24, %r8
	addq	$20, %rdx
	decl	%ecx
	jne	.LMPI_Waitall_23
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	ret
.LMPI_Waitall_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitall+8(%rip)
.LMPI_Waitall_4:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitall+8(%rip)
.LMPI_Waitall_5:
	.cfi_def_cfa_offset 32
	movl	%eax, %r9d
	movl	$2, %edi
	movq	16(%rsp), %rsi
	movl	$1, %edx
	movl	$0, %r8d
	movq	%rsp, %rcx
	call	PAIR(finish_MPI_Waitall)
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Waitall_6:
	.cfi_def_cfa_offset 96
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitall+8(%rip)
.LMPI_Waitall_7:
	.cfi_def_cfa_offset 96
	movl	%eax, %r9d
	movl	$2, %edi
	movq	80(%rsp), %rsi
	movq	72(%rsp), %rdx
	leaq	16(%rsp), %r8
	movq	%rsp, %rcx
	call	PAIR(finish_MPI_Waitall)
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.LMPI_Waitall_9:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	16, %rsp, 0, %rdx, .LMPI_Waitall_8, .LMPI_Waitall_7, 1
.LMPI_Waitall_11:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	40, %rsp, 20, %rdx, .LMPI_Waitall_10, .LMPI_Waitall_7, 1
.LMPI_Waitall_14:
	.cfi_def_cfa_offset 288
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitall+8(%rip)
.LMPI_Waitall_15:
	.cfi_def_cfa_offset 288
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_13
.LMPI_Waitall_16:
	.cfi_def_cfa_offset 288
	movl	%eax, %r9d
	movq	264(%rsp), %rdi
	addl	$2, %edi
	movq	272(%rsp), %rsi
	movl	$1, %edx
	movl	$0, %r8d
	movq	%rsp, %rcx
	call	PAIR(finish_MPI_Waitall)
	addq	$280, %rsp
	.cfi_adjust_cfa_offset -280
	ret
.LMPI_Waitall_18:
	.cfi_def_cfa_offset 288
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_17
.LMPI_Waitall_20:
	.cfi_def_cfa_offset 1072
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	jmpq	*PAIR(translations)+16*SLOT_MPI_Waitall+8(%rip)
.LMPI_Waitall_21:
	.cfi_def_cfa_offset 1072
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_19
.LMPI_Waitall_22:
	.cfi_def_cfa_offset 1072
	movl	%eax, %r9d
	movq	1048(%rsp), %rdi
	addl	$2, %edi
	movq	1056(%rsp), %rsi
	movq	1032(%rsp), %rdx
	leaq	256(%rsp), %r8
	movq	%rsp, %rcx
	call	PAIR(finish_MPI_Waitall)
	addq	$1064, %rsp
	.cfi_adjust_cfa_offset -1064
	ret
.LMPI_Waitall_25:
	.cfi_def_cfa_offset 1072
	STATUS_NEGATIVE	0, %r8, 0, %rdx, .LMPI_Waitall_24, .LMPI_Waitall_22, 1
FAST_END(MPI_Waitall)
