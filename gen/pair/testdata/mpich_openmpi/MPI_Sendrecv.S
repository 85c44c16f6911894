FAST_PATH(MPI_Sendrecv)
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
	jne	.LMPI_Sendrecv_17
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
	jne	.LMPI_Sendrecv_21
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_22
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_20:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_29
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_31, .LMPI_Sendrecv_30
.LMPI_Sendrecv_28:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.LMPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	/* dest */
	movl	%ecx, %eax
	/* source */
	orl	24(%rsp), %eax
	js	.LMPI_Sendrecv_33
.LMPI_Sendrecv_32:
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
	jne	.LMPI_Sendrecv_44
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
	jne	.LMPI_Sendrecv_48
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_49
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_47:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_56
.LMPI_Sendrecv_55:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.LMPI_Sendrecv_5:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_8:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_9:
	.cfi_def_cfa_offset 72
	addq	$64, %rsp
	.cfi_adjust_cfa_offset -64
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_7:
	.cfi_def_cfa_offset 64
	movl	72(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_8
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_9
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_6
.LMPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_10
.LMPI_Sendrecv_13:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_10, .LMPI_Sendrecv_12
.LMPI_Sendrecv_14:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_3:
	.cfi_def_cfa_offset 8
	cmpl	$-2, 24(%rsp)
	jne	.LMPI_Sendrecv_4
	testl	%ecx, %ecx
	js	.LMPI_Sendrecv_4
	.cfi_def_cfa_offset 8
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
	jne	.LMPI_Sendrecv_5
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpl	%edx, 72(%rsp)
	jne	.LMPI_Sendrecv_7
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_8
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_6:
	/* recvcount */
	pushq	72(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_11
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .LMPI_Sendrecv_13, .LMPI_Sendrecv_12
.LMPI_Sendrecv_10:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_4:
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_14
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_14
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_15
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_15:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_16
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_16:
	jmp	.LMPI_Sendrecv_2
.LMPI_Sendrecv_17:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_18
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_18:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_19
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_19:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_22:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_23
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_23:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_24
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_24:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_25:
	.cfi_def_cfa_offset 72
	addq	$64, %rsp
	.cfi_adjust_cfa_offset -64
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_26
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_26:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_27
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_27:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_21:
	.cfi_def_cfa_offset 64
	movl	72(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_22
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_25
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_20
.LMPI_Sendrecv_29:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_30:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Sendrecv_28
.LMPI_Sendrecv_31:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .LMPI_Sendrecv_28, .LMPI_Sendrecv_30
.LMPI_Sendrecv_35:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_38:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_39:
	.cfi_def_cfa_offset 56
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_37:
	.cfi_def_cfa_offset 48
	movl	56(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_38
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_39
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_36
.LMPI_Sendrecv_41:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
.LMPI_Sendrecv_33:
	.cfi_def_cfa_offset 8
	cmpl	$-2, 24(%rsp)
	jne	.LMPI_Sendrecv_34
	testl	%ecx, %ecx
	js	.LMPI_Sendrecv_34
	.cfi_def_cfa_offset 8
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
	jne	.LMPI_Sendrecv_35
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	/* source */
	pushq	$-1
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	cmpl	%edx, 56(%rsp)
	jne	.LMPI_Sendrecv_37
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_38
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
.LMPI_Sendrecv_36:
	/* recvcount */
	pushq	56(%rsp)
	.cfi_adjust_cfa_offset 8
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Sendrecv_41
.LMPI_Sendrecv_40:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
	.cfi_def_cfa_offset 8
.LMPI_Sendrecv_34:
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Sendrecv_14
	cmpl	$LOWEST_RANK, 24(%rsp)
	jl	.LMPI_Sendrecv_14
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_42
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_42:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_43
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_43:
	jmp	.LMPI_Sendrecv_32
.LMPI_Sendrecv_44:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_45
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_45:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_46
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_46:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_49:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_50
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_50:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_51
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_51:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_52:
	.cfi_def_cfa_offset 56
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	cmpl	$0, %ecx
	jns	.LMPI_Sendrecv_53
	xorl	$RANK_FLIP, %ecx
.LMPI_Sendrecv_53:
	cmpl	$0, 24(%rsp)
	jns	.LMPI_Sendrecv_54
	xorl	$RANK_FLIP, 24(%rsp)
.LMPI_Sendrecv_54:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Sendrecv+8(%rip)
.LMPI_Sendrecv_48:
	.cfi_def_cfa_offset 48
	movl	56(%rsp), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Sendrecv_49
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Sendrecv_52
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rdx
	jmp	.LMPI_Sendrecv_47
.LMPI_Sendrecv_56:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(error)
FAST_END(MPI_Sendrecv)
