FAST_PATH(MPI_Type_contiguous)
	/* newtype */
	testq	%rdx, %rdx
	je	.LMPI_Type_contiguous_1
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* oldtype */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%si, %eax
	cmpl	%esi, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Type_contiguous_2
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rax,8), %rsi
	/* newtype */
	leaq	0(%rsp), %rdx
	movq	$-1, 0(%rsp)
	call	*wi4go_R+8*SLOT_MPI_Type_contiguous(%rip)
	testl	%eax, %eax
	jne	.LMPI_Type_contiguous_4
	/* newtype */
	movq	0(%rsp), %rsi
	testq	%rsi, %rsi
	je	.LMPI_Type_contiguous_9
	leaq	PAIR(tables)(%rip), %r10
	HT_INSERT	TABLE_DATATYPE, .LMPI_Type_contiguous_7, .LMPI_Type_contiguous_8
.LMPI_Type_contiguous_6:
	movq	16(%rsp), %rdx
	movl	%edi, (%rdx)
.LMPI_Type_contiguous_3:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Type_contiguous_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Type_contiguous+8(%rip)
.LMPI_Type_contiguous_2:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmpq	*PAIR(translations)+16*SLOT_MPI_Type_contiguous+8(%rip)
.LMPI_Type_contiguous_4:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	movq	0(%rsp), %rsi
	cmpq	PAIR(R_MPI_DATATYPE_NULL)(%rip), %rsi
	jne	.LMPI_Type_contiguous_5
	movq	16(%rsp), %rdx
	movl	$0xc000000, (%rdx)
.LMPI_Type_contiguous_5:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Type_contiguous_9:
	.cfi_def_cfa_offset 32
	movq	16(%rsp), %rdx
	movl	$0xc000000, (%rdx)
	jmp	.LMPI_Type_contiguous_3
.LMPI_Type_contiguous_10:
	.cfi_def_cfa_offset 32
	HT_OTHER	TABLE_DATATYPE, PAIR(insert), .LMPI_Type_contiguous_7, .LMPI_Type_contiguous_8
	jmp	.LMPI_Type_contiguous_6
FAST_END(MPI_Type_contiguous)
