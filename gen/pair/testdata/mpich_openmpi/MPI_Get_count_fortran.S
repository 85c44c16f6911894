FAST_PATH(fortran_MPI_Get_count)
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	/* status */
	STATUS_COUNT_FITS	%rdi, .Lfortran_MPI_Get_count_1
	/* datatype */
	movl	(%rsi), %eax
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Get_count_1
	/* status */
	addq	$A_COUNT-R_COUNT, %rdi
	/* datatype */
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8), %rsi
	/* count */
	call	*wi4go_R+8*SLOT_MPI_Get_count(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Get_count_3
.Lfortran_MPI_Get_count_2:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Get_count_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_MPI_Get_count)(%rip)
.Lfortran_MPI_Get_count_3:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Get_count_2
FAST_END(fortran_MPI_Get_count)
