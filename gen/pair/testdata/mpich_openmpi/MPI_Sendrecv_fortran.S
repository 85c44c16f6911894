FAST_PATH(fortran_MPI_Sendrecv)
	movq	48(%rsp), %rax
	cmpq	wi4go_fortran_constants+16(%rip), %rax
	je	.Lfortran_MPI_Sendrecv_1
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	STATUS_UNSET	0(%rsp)
	/* status */
	pushq	%rsp
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_2
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* source */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_3
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	72(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* source */
	orl	16(%rsp), %eax
	js	.Lfortran_MPI_Sendrecv_4
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_4
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_6
.Lfortran_MPI_Sendrecv_5:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_8
.Lfortran_MPI_Sendrecv_7:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_10
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_12, .Lfortran_MPI_Sendrecv_11
.Lfortran_MPI_Sendrecv_9:
	/* ierror */
	movq	128(%rsp), %rcx
	jrcxz	.Lfortran_MPI_Sendrecv_13
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_13:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.Lfortran_MPI_Sendrecv_1:
	.cfi_def_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	/* status */
	pushq	$0
	.cfi_adjust_cfa_offset 8
	/* comm */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	leaq	PAIR(tables)(%rip), %r10
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_COMM+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_14
	pushq	TABLE_COMM+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvtag */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* source */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* recvtype */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_15
	pushq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8)
	.cfi_adjust_cfa_offset 8
	/* recvcount */
	movq	56(%rsp), %rax
	movl	(%rax), %eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	/* dest */
	movl	(%rcx), %eax
	/* source */
	orl	16(%rsp), %eax
	js	.Lfortran_MPI_Sendrecv_3
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Lfortran_MPI_Sendrecv_3
	/* sendbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %rdi
	je	.Lfortran_MPI_Sendrecv_17
.Lfortran_MPI_Sendrecv_16:
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	cmpq	wi4go_fortran_constants+0(%rip), %r9
	je	.Lfortran_MPI_Sendrecv_19
.Lfortran_MPI_Sendrecv_18:
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Lfortran_MPI_Sendrecv_21
.Lfortran_MPI_Sendrecv_20:
	/* ierror */
	movq	112(%rsp), %rcx
	jrcxz	.Lfortran_MPI_Sendrecv_22
	movl	%eax, (%rcx)
.Lfortran_MPI_Sendrecv_22:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Lfortran_MPI_Sendrecv_2:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	jmpq	*PAIR(library_MPI_Sendrecv)(%rip)
.Lfortran_MPI_Sendrecv_3:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmpq	*PAIR(library_MPI_Sendrecv)(%rip)
.Lfortran_MPI_Sendrecv_4:
	.cfi_def_cfa_offset 80
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	jmpq	*PAIR(library_MPI_Sendrecv)(%rip)
.Lfortran_MPI_Sendrecv_6:
	.cfi_def_cfa_offset 80
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_5
.Lfortran_MPI_Sendrecv_8:
	.cfi_def_cfa_offset 80
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_7
.Lfortran_MPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Lfortran_MPI_Sendrecv_9
.Lfortran_MPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Lfortran_MPI_Sendrecv_9
.Lfortran_MPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .Lfortran_MPI_Sendrecv_9, .Lfortran_MPI_Sendrecv_11
.Lfortran_MPI_Sendrecv_14:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(library_MPI_Sendrecv)(%rip)
.Lfortran_MPI_Sendrecv_15:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmpq	*PAIR(library_MPI_Sendrecv)(%rip)
.Lfortran_MPI_Sendrecv_17:
	.cfi_def_cfa_offset 64
	movq	$0, %rdi
	jmp	.Lfortran_MPI_Sendrecv_16
.Lfortran_MPI_Sendrecv_19:
	.cfi_def_cfa_offset 64
	movq	$0, %r9
	jmp	.Lfortran_MPI_Sendrecv_18
.Lfortran_MPI_Sendrecv_21:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Lfortran_MPI_Sendrecv_20
FAST_END(fortran_MPI_Sendrecv)
