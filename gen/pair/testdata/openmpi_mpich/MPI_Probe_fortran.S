FAST_PATH(fortran_MPI_Probe)
	cmpq	wi4go_fortran_constants+16(%rip), %rcx
	je	.Lfortran_MPI_Probe_1
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* source */
	cmpl	$0, (%rdi)
	jl	.Lfortran_MPI_Probe_2
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Lfortran_MPI_Probe_3
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rdx,8), %edx
.Lfortran_MPI_Probe_3:
	/* status */
	leaq	0(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_5
	/* status */
	movq	32(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_7, .Lfortran_MPI_Probe_6
.Lfortran_MPI_Probe_4:
	/* ierror */
	movq	24(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	ret
.Lfortran_MPI_Probe_1:
	.cfi_def_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	/* source */
	cmpl	$0, (%rdi)
	jl	.Lfortran_MPI_Probe_8
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movl	(%rdx), %edx
	leaq	PAIR(fortran_cache)(%rip), %r10
	cmpl	$FORTRAN_CACHE_SMALL-1, %edx
	ja	.Lfortran_MPI_Probe_9
	movl	8*FORTRAN_CACHE_SMALL*0(%r10,%rdx,8), %edx
.Lfortran_MPI_Probe_9:
	/* status */
	movl	$1, %ecx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_11
.Lfortran_MPI_Probe_10:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Probe_2:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_5:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	32(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Probe_4
.Lfortran_MPI_Probe_6:
	.cfi_def_cfa_offset 48
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Probe_4
.Lfortran_MPI_Probe_7:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_4, .Lfortran_MPI_Probe_6
.Lfortran_MPI_Probe_8:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_11:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Probe_10
FAST_END(fortran_MPI_Probe)
