SHORT_WAY(MPI_Sendrecv)
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_2
.LMPI_Sendrecv_1:
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	movl	72(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_6
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpl	%edx, 72(%rsp)
	jne	.LMPI_Sendrecv_10
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_11
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_9:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_18
	/* status */
	movq	120(%rsp), %rdx
	cmpq	$1, %rdx
	je	.LMPI_Sendrecv_17
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_21, .LMPI_Sendrecv_20, .LMPI_Sendrecv_19
.LMPI_Sendrecv_17:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_2:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_3
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_3
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_4
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_4:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_5
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_5:
	jmp	.LMPI_Sendrecv_1
.LMPI_Sendrecv_6:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_7
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_7:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_8
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_8:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_12
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_12:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_13
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_13:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 72
	addq	$64, %rsp
	.cfi_adjust_cfa_offset -64
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_15
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_15:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_16
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_16:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_10:
	.cfi_def_cfa_offset 64
	movl	72(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_11
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_14
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_9
.LMPI_Sendrecv_18:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_19:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_17
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_20, .LMPI_Sendrecv_17, .LMPI_Sendrecv_19
SHORT_END(MPI_Sendrecv)
