FAST_PATH(fortran_MPI_Allgather)
	/* comm */
	movq	8(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Allgather_1
	pushq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Allgather_2
	/* recvtype */
	movl	(%r9), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+4*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Allgather_2
	/* sendbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rdi
	je	.Lfortran_MPI_Allgather_4
.Lfortran_MPI_Allgather_3:
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Allgather_6
.Lfortran_MPI_Allgather_5:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movzwl	(%rdx), %edx
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%rdx,8), %rdx
	/* recvbuf */
	cmpq	wi4go_fortran_constants+8(%rip), %rcx
	je	.Lfortran_MPI_Allgather_8
.Lfortran_MPI_Allgather_7:
	cmpq	wi4go_fortran_constants+0(%rip), %rcx
	je	.Lfortran_MPI_Allgather_10
.Lfortran_MPI_Allgather_9:
	/* recvcount */
	movl	(%r8), %r8d
	/* recvtype */
	movq	FORTRAN_CACHE_OBJECTS+8*FORTRAN_CACHE_PLACES(%r10,%r11,8), %r9
	call	*wi4go_R+8*SLOT_MPI_Allgather(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Allgather_12
.Lfortran_MPI_Allgather_11:
	/* ierror */
	movq	24(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Allgather_1:
	.cfi_def_cfa_offset 8
	jmp	PAIR(direct_MPI_Allgather)
.Lfortran_MPI_Allgather_2:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Allgather)
.Lfortran_MPI_Allgather_4:
	.cfi_def_cfa_offset 16
	movq	$1, %rdi
	jmp	.Lfortran_MPI_Allgather_3
.Lfortran_MPI_Allgather_6:
	.cfi_def_cfa_offset 16
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Allgather_5
.Lfortran_MPI_Allgather_8:
	.cfi_def_cfa_offset 16
	movq	$1, %rcx
	jmp	.Lfortran_MPI_Allgather_7
.Lfortran_MPI_Allgather_10:
	.cfi_def_cfa_offset 16
	movq	$0, %rcx
	jmp	.Lfortran_MPI_Allgather_9
.Lfortran_MPI_Allgather_12:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Allgather_11
FAST_END(fortran_MPI_Allgather)
