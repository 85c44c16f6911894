FAST_PATH(fortran_MPI_Probe)
	cmpq	wi4go_fortran_constants+16(%rip), %rcx
	je	.Lfortran_MPI_Probe_1
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	subq	$40, %rsp
	.cfi_adjust_cfa_offset 40
	STATUS_UNSET	0(%rsp)
	/* source */
	movl	(%rdi), %eax
	/* tag */
	orl	(%rsi), %eax
	js	.Lfortran_MPI_Probe_2
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Probe_2
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8), %rdx
	/* status */
	leaq	0(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_4
	/* status */
	movq	48(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_6, .Lfortran_MPI_Probe_5
.Lfortran_MPI_Probe_3:
	/* ierror */
	movq	40(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Lfortran_MPI_Probe_1:
	.cfi_def_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	/* source */
	movl	(%rdi), %eax
	/* tag */
	orl	(%rsi), %eax
	js	.Lfortran_MPI_Probe_7
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, FORTRAN_CACHE_HANDLES+0*FORTRAN_CACHE_PLACES(%r10,%r11,4)
	jne	.Lfortran_MPI_Probe_7
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movq	FORTRAN_CACHE_OBJECTS+0*FORTRAN_CACHE_PLACES(%r10,%r11,8), %rdx
	/* status */
	movl	$0, %ecx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_9
.Lfortran_MPI_Probe_8:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Probe_2:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_4:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	48(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Probe_3
.Lfortran_MPI_Probe_5:
	.cfi_def_cfa_offset 64
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Probe_3
.Lfortran_MPI_Probe_6:
	.cfi_def_cfa_offset 64
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_3, .Lfortran_MPI_Probe_5
.Lfortran_MPI_Probe_7:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_9:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Probe_8
FAST_END(fortran_MPI_Probe)
