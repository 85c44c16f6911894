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
	/* comm */
	movl	(%rdx), %r11d
	/* source */
	orl	(%rdi), %r11d
	/* tag */
	orl	(%rsi), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Probe_3
.Lfortran_MPI_Probe_2:
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %rax
	cmpq	PAIR(R_MPI_COMM_NULL)(%rip), %rax
	je	.Lfortran_MPI_Probe_4
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%rdx,8), %rdx
	/* status */
	leaq	0(%rsp), %rcx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_6
	/* status */
	movq	32(%rsp), %rdx
	STATUS_R2A	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_8, .Lfortran_MPI_Probe_7
.Lfortran_MPI_Probe_5:
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
	/* comm */
	movl	(%rdx), %r11d
	/* source */
	orl	(%rdi), %r11d
	/* tag */
	orl	(%rsi), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Probe_10
.Lfortran_MPI_Probe_9:
	/* comm */
	movl	(%rdx), %eax
	leaq	PAIR(fortran_cache)(%rip), %r10
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%rax,8), %rax
	cmpq	PAIR(R_MPI_COMM_NULL)(%rip), %rax
	je	.Lfortran_MPI_Probe_11
	/* source */
	movl	(%rdi), %edi
	/* tag */
	movl	(%rsi), %esi
	/* comm */
	movl	(%rdx), %edx
	movq	8*FORTRAN_CACHE_SMALL*0(%r10,%rdx,8), %rdx
	/* status */
	movl	$0, %ecx
	call	*wi4go_R+8*SLOT_MPI_Probe(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Probe_13
.Lfortran_MPI_Probe_12:
	/* ierror */
	movq	0(%rsp), %rcx
	movl	%eax, (%rcx)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
.Lfortran_MPI_Probe_4:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_3:
	.cfi_def_cfa_offset 48
	/* comm */
	movl	(%rdx), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Probe_4
	/* source */
	movl	(%rdi), %r11d
	/* tag */
	orl	(%rsi), %r11d
	testl	$1<<31, %r11d
	jne	.Lfortran_MPI_Probe_4
	jmp	.Lfortran_MPI_Probe_2
.Lfortran_MPI_Probe_6:
	.cfi_def_cfa_offset 48
	movl	%eax, %edi
	leaq	0(%rsp), %rsi
	movq	32(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Probe_5
.Lfortran_MPI_Probe_7:
	.cfi_def_cfa_offset 48
	leaq	0(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Probe_5
.Lfortran_MPI_Probe_8:
	.cfi_def_cfa_offset 48
	STATUS_NEGATIVE	0, %rsp, 0, %rdx, .Lfortran_MPI_Probe_5, .Lfortran_MPI_Probe_7
.Lfortran_MPI_Probe_11:
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	PAIR(direct_MPI_Probe)
.Lfortran_MPI_Probe_10:
	.cfi_def_cfa_offset 16
	/* comm */
	movl	(%rdx), %r11d
	testl	$-FORTRAN_CACHE_SMALL, %r11d
	jne	.Lfortran_MPI_Probe_11
	/* source */
	movl	(%rdi), %r11d
	/* tag */
	orl	(%rsi), %r11d
	testl	$1<<31, %r11d
	jne	.Lfortran_MPI_Probe_11
	jmp	.Lfortran_MPI_Probe_9
.Lfortran_MPI_Probe_13:
	.cfi_def_cfa_offset 16
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Probe_12
FAST_END(fortran_MPI_Probe)
