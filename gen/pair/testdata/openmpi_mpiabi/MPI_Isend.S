FAST_PATH(MPI_Isend)
	/* dest */
	movl	%ecx, %eax
	/* tag */
	orl	%r8d, %eax
	js	.LMPI_Isend_2
	/* request */
	pushq	8(%rsp)
	.cfi_adjust_cfa_offset 8
	/* comm */
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	.LMPI_Isend_5
	cmpl	$MAGIC_COMM, (%r9)
	jne	.LMPI_Isend_4
	movq	8(%r9), %r9
.LMPI_Isend_3:
	/* datatype */
	cmpq	$LOWEST_ADDRESS-1, %rdx
	jle	.LMPI_Isend_8
	cmpl	$MAGIC_DATATYPE, (%rdx)
	jne	.LMPI_Isend_7
	movq	8(%rdx), %rdx
.LMPI_Isend_6:
	call	*wi4go_R+8*SLOT_MPI_Isend(%rip)
	testl	%eax, %eax
	jne	.LMPI_Isend_10
	/* request */
	movq	16(%rsp), %rdx
	orl	$TAG_UPPER, 4(%rdx)
.LMPI_Isend_9:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Isend_2:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Isend+8(%rip)
.LMPI_Isend_4:
	.cfi_def_cfa_offset 16
	movl	$0x100, %r9d
	jmp	.LMPI_Isend_3
.LMPI_Isend_5:
	.cfi_def_cfa_offset 16
	btrq	$63, %r9
	jnc	.LMPI_Isend_4
	jmp	.LMPI_Isend_3
.LMPI_Isend_7:
	.cfi_def_cfa_offset 16
	movl	$0x200, %edx
	jmp	.LMPI_Isend_6
.LMPI_Isend_8:
	.cfi_def_cfa_offset 16
	btrq	$63, %rdx
	jnc	.LMPI_Isend_7
	jmp	.LMPI_Isend_6
.LMPI_Isend_10:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Isend)
