/*
 * The common cases of ht_insert and ht_release in assembly, for whoever calls
 * no C on its way (mappers/fast_x86_64.h): the same steps as in handletable.c,
 * in 19 and 21 instructions. Whatever is not the common case goes to other,
 * where HT_OTHER stands, with the arguments as they were.
 *
 * table is the table's offset from the address in %r10. %rcx, %r8 and %r9 change.
 *
 * Gives: HT_INSERT, HT_RELEASE, HT_OTHER: macros of assembly.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_HT_X86_64_H
#define WI4GO_HT_X86_64_H
#include "ht_layout.h"

/* %rsi: the object. Its handle goes to %edi. */
.macro HT_INSERT table, other, locked
	imull	$HT_HASH, %esi, %ecx
	shrl	$16, %ecx
	lock btsl $0, \table+HT_LOCK(%r10)
	jc	\other
	movl	\table+HT_FREE(%r10), %edi
	movzwl	%di, %r8d
	testl	%edi, %edi
	je	\locked
	cmpl	$0, \table+HT_HEADS(%r10,%rcx,4)
	jne	\locked
	movl	\table+HT_NEXT(%r10,%r8,4), %r9d
	movl	%r9d, \table+HT_FREE(%r10)
	movl	$0, \table+HT_NEXT(%r10,%r8,4)
	movl	%r8d, \table+HT_HEADS(%r10,%rcx,4)
	movq	%rsi, \table+HT_OBJECTS(%r10,%r8,8)
	movl	%edi, \table+HT_HANDLES(%r10,%r8,4)
	movl	$0, \table+HT_LOCK(%r10)
.endm

/* %esi: the handle. */
.macro HT_RELEASE table, other, locked
	movzwl	%si, %r8d
	lock btsl $0, \table+HT_LOCK(%r10)
	jc	\other
	imull	$HT_HASH, \table+HT_OBJECTS(%r10,%r8,8), %ecx
	shrl	$16, %ecx
	cmpl	%esi, \table+HT_HANDLES(%r10,%r8,4)
	jne	\locked
	cmpl	$0, \table+HT_FURTHER(%r10,%r8,4)
	jne	\locked
	cmpl	%r8d, \table+HT_HEADS(%r10,%rcx,4)
	jne	\locked
	movl	\table+HT_NEXT(%r10,%r8,4), %r9d
	movl	%r9d, \table+HT_HEADS(%r10,%rcx,4)
	movl	$0, \table+HT_HANDLES(%r10,%r8,4)
	movl	\table+HT_FREE(%r10), %r9d
	movl	%r9d, \table+HT_NEXT(%r10,%r8,4)
	addl	$HT_GENERATION, %esi
	andl	$0xffffffff^HT_KIND_MASK, %esi
	orl	\table+HT_KIND(%r10), %esi
	movl	%esi, \table+HT_FREE(%r10)
	movl	$0, \table+HT_LOCK(%r10)
.endm

/* Gives the lock back and lets function (table, %rsi) do it all, whose result
   is in %edi. */
.macro HT_OTHER table, function, other, locked
\locked:
	movl	$0, \table+HT_LOCK(%r10)
\other:
	leaq	\table(%r10), %rdi
	call	\function
	movl	%eax, %edi
	xorl	%eax, %eax
.endm
#endif
