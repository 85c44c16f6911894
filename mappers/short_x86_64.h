/*
 * What the generated short ways (gen/short.go) are made of on x86-64: how they
 * begin and end, and the conversions of statuses and of arrays of requests.
 * What these do not convert, C does: short.h.
 *
 * A conversion changes %r8 to %r10, %xmm0 and %xmm1 at most; %eax is 0 after a
 * call that went well and stays so.
 */
#include "landing.h"
#include "layout.h"
#include "ht_layout.h"
#include "ht_x86_64.h"

#define SHORT_WAY(name) \
	short_way PAIR(name)
#define SHORT_END(name) \
	.cfi_endproc ; \
	.size PAIR(name), .-PAIR(name)

.macro short_way name
	.text
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
.endm

#if A_IS_openmpi && R_IS_mpich

.macro STATUS_UNSET at
	movl	$SOURCE_UNSET, 8+\at
.endm

/* Statuses for two requests: MPICH does not write those of sends, but for the
   bit of a cancelled one. */
.macro STATUSES_UNSET_BEGIN at
	movups	3f(%rip), %xmm1
	leaq	\at, %r8
	.section .rodata.short, "a", %progbits
	.p2align 4
3:	.long	0, 0, SOURCE_UNSET, 0
	.text
.endm
.macro STATUSES_UNSET
	movups	%xmm1, (%r8)
	movups	%xmm1, 20(%r8)
	addq	$40, %r8
.endm

/* From the runtime's status at offset(r) to the program's at (a). A source
   below 0 goes to negative (STATUS_NEGATIVE below, which comes back to go_on or
   goes to done); a count beyond 32 bits or a cancelled request to special. */
.macro STATUS_R2A offset, r, a, negative, go_on, special
	movq	8+\offset(\r), %r9	/* source and tag */
	testl	%r9d, %r9d
	js	\negative
\go_on:
	cmpl	$0, 4+\offset(\r)
	jne	\special
	movq	%r9, (\a)
	movl	\offset(\r), %r10d
	movl	$0, 12(\a)
	movq	%r10, 16(\a)
.endm
.macro STATUS_NEGATIVE offset, r, a, go_on, done, special
	cmpl	$SOURCE_UNSET, %r9d
	je	3f
	cmpl	$LOWEST_RANK, %r9d
	jb	\special
	xorq	$RANK_FLIP, %r9
	jmp	\go_on
3:	cmpl	$0, 4+\offset(\r)
	jne	\special
	movl	\offset(\r), %r10d
	movl	$0, 12(\a)
	movq	%r10, 16(\a)
	jmp	\done
.endm

/* Two of the program's handles to two of the runtime's; to other unless both
   have the tag, their sign. */
.macro REQUESTS_A2R from, to, other
	movups	\from, %xmm0
	pshufd	$0xd8, %xmm0, %xmm0	/* both lower halves, both upper ones */
	movmskps %xmm0, %eax
	cmpl	$12, %eax
	jb	\other
	movq	%xmm0, \to
.endm

/* Two requests are over; to other unless the runtime says so of both. */
.macro REQUESTS_ENDED_BEGIN
	movq	A_REQUEST_NULL@GOTPCREL(%rip), %r11
	movabsq	$R_REQUEST_NULL<<32|R_REQUEST_NULL, %rdi
.endm
.macro REQUESTS_ENDED requests, index, r, other
	cmpq	%rdi, \r
	jne	\other
	movq	%r11, (\requests,\index,8)
	movq	%r11, 8(\requests,\index,8)
.endm

/* The same of one. */
.macro REQUEST_ENDED_BEGIN
	movq	A_REQUEST_NULL@GOTPCREL(%rip), %r11
.endm
.macro REQUEST_ENDED a, r, other
	cmpl	$R_REQUEST_NULL, \r
	jne	\other
	movq	%r11, \a
.endm

#elif A_IS_mpich && R_IS_openmpi

.macro STATUS_UNSET at
	movl	$SOURCE_UNSET, \at
.endm

/* Open MPI writes every status. */
.macro STATUSES_UNSET_BEGIN at
.endm
.macro STATUSES_UNSET
.endm

.macro STATUS_R2A offset, r, a, negative, go_on, special
	movl	12+\offset(\r), %r9d	/* cancelled */
	orl	20+\offset(\r), %r9d	/* the count's upper half */
	jne	\special
	cmpl	$0, \offset(\r)
	jl	\negative
	movq	16+\offset(\r), %xmm0
	movhps	\offset(\r), %xmm0	/* source and tag */
	movups	%xmm0, (\a)
.endm
.macro STATUS_NEGATIVE offset, r, a, go_on, done, special
	movq	\offset(\r), %r9
	cmpl	$LOWEST_RANK, %r9d
	jb	\special
	xorq	$RANK_FLIP, %r9
	movq	16+\offset(\r), %r10
	movq	%r9, 8(\a)
	movq	%r10, (\a)
	jmp	\done
.endm

/* Near requests are those with the sign, and the distance comes from twice the
   handle in 64 bits: shifted, its upper half leaves the four bits that every
   near one begins with, which near_two takes off again. The empty request is
   not on that line. */
.macro REQUESTS_A2R from, to, other
	movq	\from, %xmm0
	movmskps %xmm0, %eax
	cmpl	$3, %eax
	jne	\other
	punpckldq %xmm0, %xmm0
	movaps	PAIR(near_empties)(%rip), %xmm1
	pcmpeqd	%xmm0, %xmm1
	pand	PAIR(near_distance)(%rip), %xmm1
	psrlq	$28, %xmm0
	paddq	PAIR(near_two)(%rip), %xmm0
	paddq	%xmm1, %xmm0
	movups	%xmm0, \to
.endm

/* A near request is over when it completes, whatever the runtime leaves. */
.macro REQUESTS_ENDED_BEGIN
	movabsq	$A_REQUEST_NULL<<32|A_REQUEST_NULL, %rdi
.endm
.macro REQUESTS_ENDED requests, index, r, other
	movq	%rdi, (\requests,\index,4)
.endm
.macro REQUEST_ENDED_BEGIN
.endm
.macro REQUEST_ENDED a, r, other
	movl	$A_REQUEST_NULL, \a
.endm

#endif
