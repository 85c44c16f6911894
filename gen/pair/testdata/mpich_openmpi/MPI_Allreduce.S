FAST_PATH(MPI_Allreduce)
	/* sendbuf */
	cmpq	$-1, %rdi
	je	.LMPI_Allreduce_1
	/* recvbuf */
	cmpq	$-1, %rsi
	je	.LMPI_Allreduce_1
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* datatype */
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%cx, %eax
	cmpl	%ecx, TABLE_DATATYPE+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Allreduce_2
	/* op */
	movzwl	%r8w, %eax
	cmpl	%r8d, TABLE_OP+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Allreduce_2
	/* comm */
	movzwl	%r9w, %eax
	cmpl	%r9d, TABLE_COMM+HT_HANDLES(%r10,%rax,4)
	jne	.LMPI_Allreduce_2
	movq	TABLE_COMM+HT_OBJECTS(%r10,%rax,8), %r9
	movzwl	%cx, %ecx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rcx,8), %rcx
	movzwl	%r8w, %r8d
	movq	TABLE_OP+HT_OBJECTS(%r10,%r8,8), %r8
	call	*wi4go_R+8*SLOT_MPI_Allreduce(%rip)
	testl	%eax, %eax
	jne	.LMPI_Allreduce_4
.LMPI_Allreduce_3:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.LMPI_Allreduce_1:
	.cfi_def_cfa_offset 8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Allreduce+8(%rip)
.LMPI_Allreduce_2:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(translations)+16*SLOT_MPI_Allreduce+8(%rip)
.LMPI_Allreduce_4:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(error)
FAST_END(MPI_Allreduce)
