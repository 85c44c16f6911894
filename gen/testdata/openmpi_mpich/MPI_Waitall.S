SHORT_WAY(MPI_Waitall)
	leal	-2(%rdi), %ecx
	cmpl	$30, %ecx
	ja	.LMPI_Waitall_1
	testq	%rsi, %rsi
	je	.LMPI_Waitall_1
	cmpq	$0, %rdx
	jne	.LMPI_Waitall_2
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	subq	$136, %rsp
	.cfi_adjust_cfa_offset 136
.LMPI_Waitall_3:
	REQUESTS_A2R	"0(%rsi,%rcx,8)", "0(%rsp,%rcx,4)", .LMPI_Waitall_4
	subl	$2, %ecx
	jns	.LMPI_Waitall_3
	jp	.LMPI_Waitall_5
	movq	%rsp, %rsi
	movl	$1, %edx
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Waitall_6
	movq	144(%rsp), %rsi
	REQUESTS_ENDED_BEGIN
	movq	136(%rsp), %rcx
.LMPI_Waitall_7:
	REQUESTS_ENDED	%rsi, %rcx, "0(%rsp,%rcx,4)", .LMPI_Waitall_6
	subl	$2, %ecx
	jns	.LMPI_Waitall_7
	jp	.LMPI_Waitall_8
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitall_2:
	.cfi_def_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$776, %rsp
	.cfi_adjust_cfa_offset 776
	STATUSES_UNSET_BEGIN 128(%rsp)
.LMPI_Waitall_9:
	STATUSES_UNSET
	REQUESTS_A2R	"0(%rsi,%rcx,8)", "0(%rsp,%rcx,4)", .LMPI_Waitall_10
	subl	$2, %ecx
	jns	.LMPI_Waitall_9
	jp	.LMPI_Waitall_11
	movq	%rsp, %rsi
	leaq	128(%rsp), %rdx
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Waitall_12
	movq	800(%rsp), %rsi
	REQUEST_ENDED_BEGIN
	movq	776(%rsp), %rdx
	movl	784(%rsp), %ecx
	leaq	128(%rsp), %r8
.LMPI_Waitall_13:
	REQUEST_ENDED	"-8(%rsi,%rcx,8)", "-4(%rsp,%rcx,4)", .LMPI_Waitall_12
	STATUS_R2A	0, %r8, %rdx, .LMPI_Waitall_16, .LMPI_Waitall_15, .LMPI_Waitall_12
.LMPI_Waitall_14:
	addq	$20, %r8
	addq	$24, %rdx
	decl	%ecx
	jne	.LMPI_Waitall_13
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	ret
.LMPI_Waitall_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Waitall(%rip)
.LMPI_Waitall_4:
	.cfi_def_cfa_offset 160
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	jmpq	*PAIR(whole)+8*SLOT_MPI_Waitall(%rip)
.LMPI_Waitall_5:
	.cfi_def_cfa_offset 160
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_3
.LMPI_Waitall_6:
	.cfi_def_cfa_offset 160
	movl	%eax, %r9d
	movq	136(%rsp), %rdi
	addl	$2, %edi
	movq	144(%rsp), %rsi
	movl	$0, %edx
	movl	$1, %r8d
	movq	%rsp, %rcx
	call	PAIR(requests_finish)
	addq	$152, %rsp
	.cfi_adjust_cfa_offset -152
	ret
.LMPI_Waitall_8:
	.cfi_def_cfa_offset 160
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_7
.LMPI_Waitall_10:
	.cfi_def_cfa_offset 816
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	jmpq	*PAIR(whole)+8*SLOT_MPI_Waitall(%rip)
.LMPI_Waitall_11:
	.cfi_def_cfa_offset 816
	xorl	%ecx, %ecx
	jmp	.LMPI_Waitall_9
.LMPI_Waitall_12:
	.cfi_def_cfa_offset 816
	movl	%eax, %r9d
	movq	792(%rsp), %rdi
	addl	$2, %edi
	movq	800(%rsp), %rsi
	movq	776(%rsp), %rdx
	leaq	128(%rsp), %r8
	movq	%rsp, %rcx
	call	PAIR(requests_finish)
	addq	$808, %rsp
	.cfi_adjust_cfa_offset -808
	ret
.LMPI_Waitall_16:
	.cfi_def_cfa_offset 816
	STATUS_NEGATIVE	0, %r8, %rdx, .LMPI_Waitall_15, .LMPI_Waitall_14, .LMPI_Waitall_12
SHORT_END(MPI_Waitall)
