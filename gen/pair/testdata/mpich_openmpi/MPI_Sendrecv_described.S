FAST_PATH(described_MPI_Sendrecv)
	movq	48(%rsp), %rax
	cmpq	wi4go_described_constants+16(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_1
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
	jne	.Ldescribed_MPI_Sendrecv_2
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
	jne	.Ldescribed_MPI_Sendrecv_3
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
	js	.Ldescribed_MPI_Sendrecv_4
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_6
.Ldescribed_MPI_Sendrecv_5:
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Sendrecv_4
	/* recvbuf */
	IS_ARRAY_gfortran	%r9, .Ldescribed_MPI_Sendrecv_8
.Ldescribed_MPI_Sendrecv_7:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	movq	(%r9), %r9
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Sendrecv_10
	/* status */
	movq	120(%rsp), %rdx
	STATUS_R2A	48, %rsp, 0, %rdx, .Ldescribed_MPI_Sendrecv_12, .Ldescribed_MPI_Sendrecv_11
.Ldescribed_MPI_Sendrecv_9:
	/* ierror */
	movq	128(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Sendrecv_13
	movl	%eax, (%rcx)
.Ldescribed_MPI_Sendrecv_13:
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
.Ldescribed_MPI_Sendrecv_1:
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
	jne	.Ldescribed_MPI_Sendrecv_14
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
	jne	.Ldescribed_MPI_Sendrecv_15
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
	js	.Ldescribed_MPI_Sendrecv_3
	/* sendbuf */
	IS_ARRAY_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_17
.Ldescribed_MPI_Sendrecv_16:
	/* sendtype */
	movl	(%rdx), %eax
	movzwl	%ax, %r11d
	cmpl	%eax, TABLE_DATATYPE+HT_HANDLES(%r10,%r11,4)
	jne	.Ldescribed_MPI_Sendrecv_3
	/* recvbuf */
	IS_ARRAY_gfortran	%r9, .Ldescribed_MPI_Sendrecv_19
.Ldescribed_MPI_Sendrecv_18:
	/* sendbuf */
	movq	(%rdi), %rdi
	/* sendcount */
	movl	(%rsi), %esi
	/* sendtype */
	movq	TABLE_DATATYPE+HT_OBJECTS(%r10,%r11,8), %rdx
	/* dest */
	movl	(%rcx), %ecx
	/* sendtag */
	movl	(%r8), %r8d
	/* recvbuf */
	movq	(%r9), %r9
	call	*wi4go_R+8*SLOT_MPI_Sendrecv(%rip)
	testl	%eax, %eax
	jne	.Ldescribed_MPI_Sendrecv_21
.Ldescribed_MPI_Sendrecv_20:
	/* ierror */
	movq	112(%rsp), %rcx
	jrcxz	.Ldescribed_MPI_Sendrecv_22
	movl	%eax, (%rcx)
.Ldescribed_MPI_Sendrecv_22:
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	ret
.Ldescribed_MPI_Sendrecv_2:
	.cfi_def_cfa_offset 40
	addq	$32, %rsp
	.cfi_adjust_cfa_offset -32
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_3:
	.cfi_def_cfa_offset 64
	addq	$56, %rsp
	.cfi_adjust_cfa_offset -56
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_4:
	.cfi_def_cfa_offset 80
	addq	$72, %rsp
	.cfi_adjust_cfa_offset -72
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_6:
	.cfi_def_cfa_offset 80
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	jmp	.Ldescribed_MPI_Sendrecv_5
.Ldescribed_MPI_Sendrecv_8:
	.cfi_def_cfa_offset 80
	movq	(%r9), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	IS_ELEMENT_gfortran	%r9, .Ldescribed_MPI_Sendrecv_4
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_4
	jmp	.Ldescribed_MPI_Sendrecv_7
.Ldescribed_MPI_Sendrecv_10:
	.cfi_def_cfa_offset 80
	movl	%eax, %edi
	leaq	48(%rsp), %rsi
	movq	120(%rsp), %rdx
	call	PAIR(status_failed)
	jmp	.Ldescribed_MPI_Sendrecv_9
.Ldescribed_MPI_Sendrecv_11:
	.cfi_def_cfa_offset 80
	leaq	48(%rsp), %rdi
	movq	%rdx, %rsi
	call	PAIR(status_special)
	xorl	%eax, %eax
	jmp	.Ldescribed_MPI_Sendrecv_9
.Ldescribed_MPI_Sendrecv_12:
	.cfi_def_cfa_offset 80
	STATUS_NEGATIVE	48, %rsp, 0, %rdx, .Ldescribed_MPI_Sendrecv_9, .Ldescribed_MPI_Sendrecv_11
.Ldescribed_MPI_Sendrecv_14:
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_15:
	.cfi_def_cfa_offset 48
	addq	$40, %rsp
	.cfi_adjust_cfa_offset -40
	jmpq	*PAIR(library_described_MPI_Sendrecv)(%rip)
.Ldescribed_MPI_Sendrecv_17:
	.cfi_def_cfa_offset 64
	movq	(%rdi), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_3
	IS_ELEMENT_gfortran	%rdi, .Ldescribed_MPI_Sendrecv_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_3
	jmp	.Ldescribed_MPI_Sendrecv_16
.Ldescribed_MPI_Sendrecv_19:
	.cfi_def_cfa_offset 64
	movq	(%r9), %rax
	cmpq	wi4go_described_constants+8(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_3
	IS_ELEMENT_gfortran	%r9, .Ldescribed_MPI_Sendrecv_3
	cmpq	wi4go_described_constants+0(%rip), %rax
	je	.Ldescribed_MPI_Sendrecv_3
	jmp	.Ldescribed_MPI_Sendrecv_18
.Ldescribed_MPI_Sendrecv_21:
	.cfi_def_cfa_offset 64
	movl	%eax, %edi
	call	PAIR(error)
	jmp	.Ldescribed_MPI_Sendrecv_20
FAST_END(described_MPI_Sendrecv)
