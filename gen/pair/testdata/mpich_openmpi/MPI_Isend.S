FAST_PATH(MPI_Isend)
	/* request */
	cmpq	$0, 8(%rsp)
	je	.LMPI_Isend_1
	/* dest */
	testl	%ecx, %ecx
	js	.LMPI_Isend_3
.LMPI_Isend_2:
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	/* datatype */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%dx, %eax
	cmpl	%edx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Isend_4
	/* request */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movzwl	%r9w, %eax
	cmpl	%r9d, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Isend_6
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %r9
	movzwl	%dx, %edx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rdx,8), %rdx
	call	*wi4go_R+8*SLOT_MPI_Isend(%rip)
	/* request */
	movq	8(%rsp), %rcx
	cmpq	PAIR(pool_empty)(%rip), %rcx
	je	.LMPI_Isend_11
	subq	PAIR(pool_bases)(%rip), %rcx
	cmpq	$-POOL_BYTES, %rcx
	adcq	%rax, %rax
	jne	.LMPI_Isend_10
	movq	32(%rsp), %rdx
	movl	%ecx, (%rdx)
.LMPI_Isend_8:
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
.LMPI_Isend_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_3:
	.cfi_def_cfa_offset 8
	cmpl	$LOWEST_RANK, %ecx
	jl	.LMPI_Isend_1
	xorl	$RANK_FLIP, %ecx
	jmp	.LMPI_Isend_2
.LMPI_Isend_4:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	cmpl	$0, %ecx
	jns	.LMPI_Isend_5
	xorl	$RANK_FLIP, %ecx
.LMPI_Isend_5:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_6:
	.cfi_def_cfa_offset 32
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	cmpl	$0, %ecx
	jns	.LMPI_Isend_7
	xorl	$RANK_FLIP, %ecx
.LMPI_Isend_7:
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_9:
	.cfi_def_cfa_offset 32
	movl	%eax, %edi
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	jmp	PAIR(error)
.LMPI_Isend_10:
	.cfi_def_cfa_offset 32
	shrq	%rax
	testl	%eax, %eax
	jne	.LMPI_Isend_9
	movq	8(%rsp), %rdi
	call	PAIR(request_r2a_slow)
	movq	32(%rsp), %rdx
	movl	%eax, (%rdx)
	xorl	%eax, %eax
	jmp	.LMPI_Isend_8
.LMPI_Isend_11:
	.cfi_def_cfa_offset 32
	testl	%eax, %eax
	jne	.LMPI_Isend_9
	movq	32(%rsp), %rdx
	movl	$POOL_EMPTY, (%rdx)
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
FAST_END(MPI_Isend)
