FAST_PATH(MPI_Recv)
	cmpq	$1, 8(%rsp)
	je	.LMPI_Recv_1
	/* source */
	testl	%ecx, %ecx
	js	.LMPI_Recv_3
.LMPI_Recv_2:
	subq	$32, %rsp
	.cfi_adjust_cfa_offset 32
	STATUS_UNSET	0(%rsp)
	/* datatype */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Recv_5
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movzwl	%r9w, %eax
	cmpl	%r9d, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Recv_7
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %r9
	movzwl	%dx, %edx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rdx,8), %rdx
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_10
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	8, %rsp, 0, %rdx, .LMPI_Recv_12, .LMPI_Recv_11
.LMPI_Recv_9:
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.LMPI_Recv_1:
	.cfi_def_cfa_offset 8
	/* source */
	testl	%ecx, %ecx
	js	.LMPI_Recv_14
.LMPI_Recv_13:
	/* datatype */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Recv_15
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movzwl	%r9w, %eax
	cmpl	%r9d, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Recv_17
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %r9
	movzwl	%dx, %edx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rdx,8), %rdx
	call	*wi4go_R+8*SLOT_MPI_Recv(%rip)
	testl	%eax, %eax
	jne	.LMPI_Recv_20
.LMPI_Recv_19:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Recv_4:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Recv_4
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Recv_2
.LMPI_Recv_5:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	cmpl	$0, %ecx
	jns	.LMPI_Recv_6
	xorl	$RANK_FLIP, %ecx
.LMPI_Recv_6:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_7:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	cmpl	$0, %ecx
	jns	.LMPI_Recv_8
	xorl	$RANK_FLIP, %ecx
.LMPI_Recv_8:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_10:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	8(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.LMPI_Recv_9
.LMPI_Recv_11:
	.cfi_def_cfa_offset 48
	leaq	8(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.LMPI_Recv_9
.LMPI_Recv_12:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	8, %rsp, 0, %rdx, .LMPI_Recv_9, .LMPI_Recv_11
.LMPI_Recv_14:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Recv_4
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Recv_13
.LMPI_Recv_15:
	.cfi_def_cfa_offset 8
	cmpl	$0, %ecx
	jns	.LMPI_Recv_16
	xorl	$RANK_FLIP, %ecx
.LMPI_Recv_16:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_17:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	cmpl	$0, %ecx
	jns	.LMPI_Recv_18
	xorl	$RANK_FLIP, %ecx
.LMPI_Recv_18:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Recv+8(%rip)
.LMPI_Recv_20:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Recv)
