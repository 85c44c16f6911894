FAST_PATH(fortran_MPI_Bcast)
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	/* root */
	cmpl	$0, (%rcx)
	jl	.Lfortran_MPI_Bcast_1
	/* datatype */
	movl	(%rdx), %eax
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Bcast_1
	/* comm */
	movl	(%r8), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Bcast_1
	/* buffer */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Bcast_3
.Lfortran_MPI_Bcast_2:
	/* count */
	movl	(%rsi), %esi
	/* datatype */
	movzwl	(%rdx), %edx
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%rdx,8), %rdx
	/* root */
	movl	(%rcx), %ecx
	/* comm */
	movq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8), %r8
	call	*wi4go_R+8*SLOT_MPI_Bcast(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Bcast_5
.Lfortran_MPI_Bcast_4:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Bcast_1:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmpq	*PAIR(library_MPI_Bcast)(%rip)
.Lfortran_MPI_Bcast_3:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Bcast_2
.Lfortran_MPI_Bcast_5:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Bcast_4
FAST_END(fortran_MPI_Bcast)
