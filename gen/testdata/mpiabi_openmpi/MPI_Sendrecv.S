SHORT_WAY(MPI_Sendrecv)
	cmpq	$0, 48(%rsp)
	je	.LMPI_Sendrecv_1
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_2
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
	ja	.LMPI_Sendrecv_3
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_3:
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
	jne	.LMPI_Sendrecv_5
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_8
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_8:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_4:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_10
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_13, .LMPI_Sendrecv_12, .LMPI_Sendrecv_11
.LMPI_Sendrecv_9:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* sendtag */
	orl	%r8d, %eax
	/* source */
	orl	24(%rsp), %eax
	/* recvtag */
	orl	32(%rsp), %eax
	js	.LMPI_Sendrecv_2
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	leaq	PAIR(tables)(%rip), %r10
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_14
	movq	NUMBERS_COMM(%r10,%rax,8), %rax
.LMPI_Sendrecv_14:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpq	%rdx, 56(%rsp)
	jne	.LMPI_Sendrecv_16
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_19
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_19:
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_15:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_21
.LMPI_Sendrecv_20:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_5:
	.cfi_def_cfa_offset 64
	movq	72(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_6
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_6:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_7
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_7:
	jmp	.LMPI_Sendrecv_4
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_9
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_9
.LMPI_Sendrecv_13:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_12, .LMPI_Sendrecv_9, .LMPI_Sendrecv_11
.LMPI_Sendrecv_16:
	.cfi_def_cfa_offset 48
	movq	56(%rsp), %rax
	cmpq	$LOWEST_ADDRESS-1, %rax
	ja	.LMPI_Sendrecv_17
	movq	NUMBERS_DATATYPE(%r10,%rax,8), %rax
.LMPI_Sendrecv_17:
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	ja	.LMPI_Sendrecv_18
	movq	NUMBERS_DATATYPE(%r10,%rdx,8), %rdx
.LMPI_Sendrecv_18:
	jmp	.LMPI_Sendrecv_15
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
SHORT_END(MPI_Sendrecv)
