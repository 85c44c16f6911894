SHORT_WAY(MPI_Sendrecv)
	cmpq	$1, 48(%rsp)
	je	.LMPI_Sendrecv_1
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_3
.LMPI_Sendrecv_2:
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
	jne	.LMPI_Sendrecv_7
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
	jne	.LMPI_Sendrecv_11
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_12
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_10:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_19
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, %rdx, .LMPI_Sendrecv_22, .LMPI_Sendrecv_21, .LMPI_Sendrecv_20
.LMPI_Sendrecv_18:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_24
.LMPI_Sendrecv_23:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	leaq	PAIR(tables)(%rip), %r10
	movl	56(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_27
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpl	%edx, 56(%rsp)
	jne	.LMPI_Sendrecv_31
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_32
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_30:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$1, %fs:(%r11)
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	movq	wi4go_in_w@gottpoff(%rip), %r11
	movl	$0, %fs:(%r11)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_39
.LMPI_Sendrecv_38:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_4:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_4
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_4
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_5
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_5:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_6
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_6:
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_8
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_8:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_9
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_9:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_13
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_13:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_14
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_14:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_15:
	.cfi_def_cfa_offset 72
	addq	$64, %rsp
	.cfi_adjust_cfa_offset -64
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_16
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_16:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_17
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_17:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 64
	movl	72(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_12
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_15
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_19:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_18
.LMPI_Sendrecv_20:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_18
.LMPI_Sendrecv_22:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, %rdx, .LMPI_Sendrecv_21, .LMPI_Sendrecv_18, .LMPI_Sendrecv_20
.LMPI_Sendrecv_24:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_4
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_4
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_25
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_25:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_26
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_26:
	jmp	.LMPI_Sendrecv_23
.LMPI_Sendrecv_27:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_28
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_28:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_29
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_29:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_32:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_33
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_33:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_34
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_34:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 56
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_36
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_36:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_37
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_37:
	jmpq	*PAIR(whole)+8*SLOT_MPI_Sendrecv(%rip)
.LMPI_Sendrecv_31:
	.cfi_def_cfa_offset 48
	movl	56(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_32
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_35
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_30
.LMPI_Sendrecv_39:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
SHORT_END(MPI_Sendrecv)
