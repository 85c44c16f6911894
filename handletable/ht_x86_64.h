/*
 * The common cases of ht_insert and ht_release in assembly, for fast paths that call no C
 * (mappers/fast_path_x86_64.h). They take the same steps as handletable.c, in 19 and 21
 * instructions, under the table's lock. In any other case they jump, with the arguments
 * unchanged: to other if another thread holds the lock, or to locked, with the lock held.
 * HT_OTHER defines both labels.
 *
 * table is the table's offset from the address in %r10. %rcx, %r8 and %r9 change.
 *
 * Gives: HT_INSERT, HT_RELEASE, HT_OTHER: macros of assembly.
 * Needs: ht_layout.h.
 */
#ifndef WI4GO_HT_X86_64_H
#define WI4GO_HT_X86_64_H
#include "ht_layout.h"

/* Takes the first reference to the object in %rsi and loads its new handle into %edi. The common
   case is an object with an empty bucket, and a free slot in the first chunk. */
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
	incl	\table+HT_LOCK(%r10)
.endm

/* Gives the last reference of the handle in %esi back. The common case is the first object of a
   bucket, in the first chunk. */
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
	incl	\table+HT_LOCK(%r10)
.endm

/* Releases the lock and calls function(table, %rsi) for the whole operation. Its result is then in
   %edi, and %eax is 0. */
.macro HT_OTHER table, function, other, locked
\locked:
	incl	\table+HT_LOCK(%r10)
\other:
	leaq	\table(%r10), %rdi
	call	\function
	movl	%eax, %edi
	xorl	%eax, %eax
.endm
#endif
