SHORT_WAY(MPI_Sendrecv)
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_1
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_2
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_2:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 72(%rsp)
	jne	.LMPI_Sendrecv_4
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_7
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_7:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_3:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_9
	/* status */
	movq	120(%rsp), %rdx
	cmpq	$0, %rdx
	je	.LMPI_Sendrecv_8
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_12, .LMPI_Sendrecv_11, .LMPI_Sendrecv_10
.LMPI_Sendrecv_8:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_4:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_5
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_5:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_6
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_6:
	jmp	.LMPI_Sendrecv_3
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_8
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_11, .LMPI_Sendrecv_8, .LMPI_Sendrecv_10
SHORT_END(MPI_Sendrecv)
