FAST_PATH(MPI_Type_free)
	/* datatype */
	testq	%rdi, %rdi
	je	.LMPI_Type_free_1
	leaq	PAIR(tables)(%rip), %r10
	movl	(%rdi), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.LMPI_Type_free_1
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	leaq	8(%rsp), %rdi
	call	*wi4go_R+8*SLOT_MPI_Type_free(%rip)
	testl	%eax, %eax
	jne	.LMPI_Type_free_3
	/* datatype */
	movq	8(%rsp), %rsi
	cmpq	PAIR(R_MPI_DATATYPE_NULL)(%rip), %rsi
	jne	.LMPI_Type_free_2
	movq	16(%rsp), %rdx
	movl	(%rdx), %esi
	movl	$0xc000000, (%rdx)
	leaq	PAIR(tables)(%rip), %r10
	HT_RELEASE	TABLE_DATATYPE, .LMPI_Type_free_5, .LMPI_Type_free_6
.LMPI_Type_free_4:
.LMPI_Type_free_2:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Type_free_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Type_free+8(%rip)
.LMPI_Type_free_3:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Type_free_7:
	.cfi_def_cfa_offset 32
	HT_OTHER	TABLE_DATATYPE, ht_release, .LMPI_Type_free_5, .LMPI_Type_free_6
	jmp	.LMPI_Type_free_4
FAST_END(MPI_Type_free)
