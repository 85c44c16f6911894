FAST_PATH(fortran_MPI_Waitall)
	cmpl	$2, (%rdi)
	jne	.Lfortran_MPI_Waitall_1
	cmpq	$0, PAIR(tracked_requests)+CHAINS_COUNT(%rip)
	jne	.Lfortran_MPI_Waitall_1
	cmpq	wi4go_fortran_constants+24(%rip), %rdx
	jne	.Lfortran_MPI_Waitall_2
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	FORTRAN_REQUESTS_A2R	%rsi, 0(%rsp), .Lfortran_MPI_Waitall_4
	movl	$2, %edi
	movq	%rsp, %rsi
	movl	$0, %edx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Waitall_5
	movq	24(%rsp), %rsi
	FORTRAN_REQUESTS_ENDED	%rsi, 0(%rsp), 384, .Lfortran_MPI_Waitall_5
.Lfortran_MPI_Waitall_3:
	/* ierror */
	movq	32(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.Lfortran_MPI_Waitall_2:
	.cfi_def_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	subq	$64, %rsp
	.cfi_adjust_cfa_offset 64
	FORTRAN_REQUESTS_A2R	%rsi, 0(%rsp), .Lfortran_MPI_Waitall_7
	STATUSES_UNSET_BEGIN 16(%rsp)
	STATUSES_UNSET
	movl	$2, %edi
	movq	%rsp, %rsi
	leaq	16(%rsp), %rdx
	call	*wi4go_R+8*SLOT_MPI_Waitall(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Waitall_8
	movq	72(%rsp), %rsi
	FORTRAN_REQUESTS_ENDED	%rsi, 0(%rsp), 384, .Lfortran_MPI_Waitall_8
	movq	64(%rsp), %rdx
	STATUS_SUCCESS	0, %rdx
	STATUS_R2A	16, %rsp, 0, %rdx, .Lfortran_MPI_Waitall_10, .Lfortran_MPI_Waitall_8, 1
.Lfortran_MPI_Waitall_9:
	STATUS_SUCCESS	32, %rdx
	STATUS_R2A	40, %rsp, 32, %rdx, .Lfortran_MPI_Waitall_12, .Lfortran_MPI_Waitall_8, 1
.Lfortran_MPI_Waitall_11:
.Lfortran_MPI_Waitall_6:
	/* ierror */
	movq	80(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	ret
.Lfortran_MPI_Waitall_1:
	.cfi_def_cfa_offset 8
	jmp	PAIR(direct_MPI_Waitall)
.Lfortran_MPI_Waitall_4:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmp	PAIR(direct_MPI_Waitall)
.Lfortran_MPI_Waitall_5:
	.cfi_def_cfa_offset 48
	movl	%eax, %r9d
	movl	$2, %edi
	movq	24(%rsp), %rsi
	movl	$0, %edx
	movl	$0, %r8d
	movq	%rsp, %rcx
	call	PAIR(fortran_finish_MPI_Waitall)
	jmp	.Lfortran_MPI_Waitall_3
.Lfortran_MPI_Waitall_7:
	.cfi_def_cfa_offset 96
	addq	$88, %rsp
	.cfi_adjust_cfa_offset -88
	jmp	PAIR(direct_MPI_Waitall)
.Lfortran_MPI_Waitall_8:
	.cfi_def_cfa_offset 96
	movl	%eax, %r9d
	movl	$2, %edi
	movq	72(%rsp), %rsi
	movq	64(%rsp), %rdx
	leaq	16(%rsp), %r8
	movq	%rsp, %rcx
	call	PAIR(fortran_finish_MPI_Waitall)
	jmp	.Lfortran_MPI_Waitall_6
.Lfortran_MPI_Waitall_10:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	16, %rsp, 0, %rdx, .Lfortran_MPI_Waitall_9, .Lfortran_MPI_Waitall_8, 1
.Lfortran_MPI_Waitall_12:
	.cfi_def_cfa_offset 96
	STATUS_NEGATIVE	40, %rsp, 32, %rdx, .Lfortran_MPI_Waitall_11, .Lfortran_MPI_Waitall_8, 1
FAST_END(fortran_MPI_Waitall)
