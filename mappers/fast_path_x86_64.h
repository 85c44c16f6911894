/*
 * Macros of which the generated fast paths (gen/assembly/fast_path.go) consist on x86-64: the
 * beginning and the end of a function, and the conversions of statuses and of requests. A macro
 * that finds an unusual value jumps to a label that it gets as an argument (other, special),
 * from which C does the rest: before the call the fallback, after the call a function of
 * fast_path_ends.h.
 *
 * The fast paths of MPICH programs need SSE4.1; on a processor without it, C serves all calls.
 *
 * In names and arguments, A is the program's side and R the runtime's; `a` is a register with
 * the address of the program's status or request, `r` one for the runtime's, `own` and `offset`
 * are the distances from them in bytes, and `at`, `from` and `to` are operands in memory.
 *
 * Registers: unless a macro's comment names others, a conversion changes %r8 to %r10, %xmm0 and
 * %xmm1 at most. %xmm2 keeps its value over an array of statuses. %eax is 0 after a successful
 * call and stays 0.
 *
 * Gives: FAST_PATH, FAST_END, REQUEST_SLOT and the other macros of assembly.
 * Needs: slots.h, landing.h, layout.h, ht_layout.h, ht_x86_64.h, array_layout.h.
 */
#ifndef WI4GO_FAST_PATH_X86_64_H
#define WI4GO_FAST_PATH_X86_64_H
#include "slots.h"
#include "landing.h"
#include "layout.h"
#include "ht_layout.h"
#include "ht_x86_64.h"
#include "array_layout.h"

/* Begins and ends the function of a fast path, a hidden symbol of the pair. */
#define FAST_PATH(name) \
	fast_path PAIR(name)
#define FAST_END(name) \
	.cfi_endproc ; \
	.size PAIR(name), .-PAIR(name)

.macro fast_path name
	.text
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name, @function
\name:
	.cfi_startproc
	LANDING
.endm

/* ---- statuses ---- */

/* The pair's facts define the offsets of a status's source (A_SOURCE, R_SOURCE) and of its count
   (A_COUNT, R_COUNT). The tag and MPI_ERROR follow the source. The count has 64 bits which,
   except in the split encoding, include the cancelled flag as bit 32 (mpi_types.h). UNSET is
   the offset of the field that marks a status as not set (status.h): the source or, in the
   trailing encoding, the tag, which is next to the count. */
#if R_STATUS_TRAILING
#define UNSET (R_SOURCE + 4)
#else
#define UNSET R_SOURCE
#endif

/* Marks the runtime's status as not set. */
.macro STATUS_UNSET at
	movl	$SOURCE_UNSET, UNSET+\at
.endm

/* Clears the count as well. For a send, the runtime writes nothing but the cancelled flag, which
   shares a word with the count. */
.macro STATUS_EMPTY at
#if !R_STATUS_SPLIT
	movq	$0, R_COUNT+\at
#endif
.endm

/* Prepares the runtime's statuses from the address `at` on: BEGIN once, and then STATUSES_UNSET
   for every two of them. Open MPI writes each status, so nothing is needed. The MPICH family
   do not write the status of a send, except for the bit of a cancelled one. */
.macro STATUSES_UNSET_BEGIN at
#if R_STATUS_LEADING
	movups	3f(%rip), %xmm2
	leaq	\at, %r8
	.section .rodata.fast, "a", %progbits
	.p2align 4
3:	.long	0, 0, SOURCE_UNSET, 0
	.text
#elif R_STATUS_TRAILING
	movups	3f(%rip), %xmm2
	leaq	UNSET+\at, %r8
	.section .rodata.fast, "a", %progbits
	.p2align 4
3:	.long	SOURCE_UNSET, 0, 0, 0
	.text
#endif
.endm
.macro STATUSES_UNSET
#if R_STATUS_LEADING
	movups	%xmm2, (%r8)
	movups	%xmm2, R_STATUS_SIZE(%r8)
	addq	$2*R_STATUS_SIZE, %r8
#elif R_STATUS_TRAILING
	movups	%xmm2, (%r8)
	movups	%xmm2, R_STATUS_SIZE(%r8)
	addq	$2*R_STATUS_SIZE, %r8
#endif
.endm

/* Writes MPI_SUCCESS into MPI_ERROR of the program's status. MPI_ERROR follows source and tag
   in every family. In Open MPI's status the cancelled flag is next; it is cleared as well. */
.macro STATUS_SUCCESS own, a
#if A_STATUS_SPLIT
	movq	$0, 8+\own(\a)
#else
	movl	$0, 8+A_SOURCE+\own(\a)
#endif
.endm

/* Runtimes differ in whether they write MPI_SUCCESS into MPI_ERROR of each status, and the
   program's status follows the runtime's. STATUS_ERROR_UNSET, before the call, marks MPI_ERROR as
   not written; STATUS_ERROR_COPY, after the call, copies MPI_SUCCESS if the runtime has written it. */
.macro STATUS_ERROR_UNSET at
	movl	$SOURCE_UNSET, 8+R_SOURCE+\at
.endm
.macro STATUS_ERROR_COPY at, own, a
	cmpl	$0, 8+R_SOURCE+\at
	jne	3f
	movl	$0, 8+A_SOURCE+\own(\a)
3:
.endm

/* Jumps to other if the count of the program's status at (a) has more than 32 bits and the
   runtime's encoding stores the upper bits in another form. */
.macro STATUS_COUNT_FITS a, other
#if A_STATUS_SPLIT || R_STATUS_SPLIT
	cmpl	$0, 4+A_COUNT(\a)
	jne	\other
#endif
.endm

/* Does the same, and jumps to other if the request was cancelled. It changes %eax. */
.macro STATUS_PLAIN a, other
#if A_STATUS_SPLIT
	movl	12(\a), %eax
	orl	20(\a), %eax
	jne	\other
#else
	STATUS_COUNT_FITS \a, \other
#endif
.endm

/* Copies the fields of the program's status at (a) that queries read, the count and the
   cancelled flag, to the runtime's status. It changes %rax. */
.macro STATUS_A2R a, to
#if R_STATUS_SPLIT
	movl	$0, 12+\to
#endif
	movq	A_COUNT(\a), %rax
	movq	%rax, R_COUNT+\to
.endm

/* STATUS_R2A converts the runtime's status at offset(r) to the program's at own(a). A source
   below 0 is left to STATUS_NEGATIVE, at the label negative, and so is any other unusual value.
   For an MPICH program on Open MPI, a count of more than 32 bits or a cancelled request goes to
   special instead. STATUS_NEGATIVE converts the common statuses with a negative source and
   jumps to done; it leaves the others to C by a jump to special. well is 1 if STATUS_SUCCESS
   was applied to the program's status before. */
#if A_STATUS_LEADING && R_STATUS_SPLIT
.macro STATUS_R2A offset, r, own, a, negative, special, well=0
	movl	12+\offset(\r), %r9d	/* cancelled */
	orl	20+\offset(\r), %r9d	/* the count's upper half */
	jne	\special
	cmpl	$0, \offset(\r)
	jl	\negative
	movq	16+\offset(\r), %xmm0
	movhps	\offset(\r), %xmm0	/* source and tag */
	movups	%xmm0, \own(\a)
.endm
.macro STATUS_NEGATIVE offset, r, own, a, done, special, well=0
	movq	\offset(\r), %r9
	cmpl	$R_MPI_PROC_NULL, %r9d
	jne	\special	/* an empty status has its own MPI_ERROR */
	xorq	$RANK_FLIP, %r9
	movq	16+\offset(\r), %r10
	movq	%r9, 8+\own(\a)
	movq	%r10, \own(\a)
	jmp	\done
.endm

#else
/* Copies the count, and clears the cancelled flag unless STATUS_SUCCESS has. */
.macro STATUS_COUNT offset, r, own, a, well
	movq	R_COUNT+\offset(\r), %r10
#if A_STATUS_SPLIT
	.if \well == 0
	movl	$0, 12+\own(\a)
	.endif
#endif
	movq	%r10, A_COUNT+\own(\a)
.endm
.macro STATUS_R2A offset, r, own, a, negative, special, well=0
	movq	R_SOURCE+\offset(\r), %xmm0
	movmskps %xmm0, %r9d	/* the signs of source and tag */
#if R_STATUS_SPLIT
	orl	12+\offset(\r), %r9d	/* cancelled */
	orl	20+\offset(\r), %r9d	/* the count's upper half */
#elif A_STATUS_SPLIT
	orl	4+R_COUNT+\offset(\r), %r9d	/* cancelled, and the count's upper half */
#else
	testl	%r9d, %r9d
#endif
	jne	\negative
	movlps	%xmm0, A_SOURCE+\own(\a)
	STATUS_COUNT \offset, \r, \own, \a, \well
.endm
/* The common case is a send. It leaves the status unset or, in Open MPI, with MPI_PROC_NULL and
   MPI_ANY_TAG. Both of these are below 0, so one comparison of 64 bits checks them. */
.macro STATUS_NEGATIVE offset, r, own, a, done, special, well=0
#if R_STATUS_SPLIT
	cmpq	$R_MPI_PROC_NULL, \offset(\r)
	jne	\special
	movl	12+\offset(\r), %r9d
	orl	20+\offset(\r), %r9d
	jne	\special
	movl	$A_MPI_PROC_NULL, A_SOURCE+\own(\a)
	movl	$A_MPI_ANY_TAG, 4+A_SOURCE+\own(\a)
#else
	cmpl	$SOURCE_UNSET, UNSET+\offset(\r)
	jne	\special
#if A_STATUS_SPLIT
	cmpl	$0, 4+R_COUNT+\offset(\r)
	jne	\special
#endif
#endif
	STATUS_COUNT \offset, \r, \own, \a, \well
	jmp	\done
.endm
#endif

/* STATUS_OF_ANY is STATUS_NEGATIVE for a call that may complete no request: if the runtime has
   not set its status, the program's stays as it is. */
.macro STATUS_OF_ANY offset, r, own, a, done, special
#if R_STATUS_SPLIT
	STATUS_NEGATIVE	\offset, \r, \own, \a, \done, \special
#else
	cmpl	$SOURCE_UNSET, UNSET+\offset(\r)
	jne	\special
	jmp	\done
#endif
.endm

/* Writes the empty status (MPI-5.0, 3.7.3) to the program's at (a). */
.macro STATUS_OF_NULL a
#if A_STATUS_SPLIT
	movl	$A_MPI_ANY_SOURCE, (\a)
	movl	$A_MPI_ANY_TAG, 4(\a)
	movq	$0, 8(\a)
	movq	$0, 16(\a)
#elif A_STATUS_LEADING
	movq	$0, (\a)
	movl	$A_MPI_ANY_SOURCE, 8(\a)
	movl	$A_MPI_ANY_TAG, 12(\a)
	movl	$0, 16(\a)
#else
	movl	$A_MPI_ANY_SOURCE, (\a)
	movl	$A_MPI_ANY_TAG, 4(\a)
	movq	$0, 8(\a)
	movl	$0, 16(\a)
#endif
.endm

/* ---- arrays of requests ---- */

#if R_HANDLE_BITS == 64
/* Converts two numbers to two of the runtime's handles. Jumps to other unless both are numbers
   of pooled requests (request_pool.h), which are below 0. Their addresses are the number plus the
   base, except for the empty request, whose address is selected instead. */
.macro POOLED_A2R from, to, other
	pmovsxdq \from, %xmm1
	ptest	PAIR(pool_signs)(%rip), %xmm1
	jnc	\other
#if R_HANDLES_ARE_OBJECTS
	movaps	PAIR(pool_empty_numbers)(%rip), %xmm0
	pcmpeqq	%xmm1, %xmm0
#endif
	paddq	PAIR(pool_bases)(%rip), %xmm1
#if R_HANDLES_ARE_OBJECTS
	blendvpd %xmm0, PAIR(pool_empty)(%rip), %xmm1
#endif
	movups	%xmm1, \to
.endm
#endif

/* Converts two of the program's handles to two of the runtime's. Jumps to other unless both
   contain the runtime's handle, so that no table is needed. It changes %rax. */
.macro REQUESTS_A2R from, to, other
#if A_HANDLES_ARE_OBJECTS && R_HANDLE_BITS == 32
	movups	\from, %xmm0
	pshufd	$0xd8, %xmm0, %xmm0	/* both lower halves, then both upper ones, which have the tags */
	movmskps %xmm0, %eax
	cmpl	$12, %eax
	jb	\other
	movq	%xmm0, \to
#elif A_HANDLES_ARE_OBJECTS
	movups	\from, %xmm0
	movmskpd %xmm0, %eax
	cmpl	$3, %eax
	jne	\other
	psllq	$1, %xmm0
	psrlq	$1, %xmm0
	movups	%xmm0, \to
#elif A_HANDLE_BITS == 32
	POOLED_A2R "\from", "\to", \other
#else
	/* The runtime's are LOWEST_ADDRESS or more, predefined ones less, and tracked ones below 0. */
	movq	\from, %r9
	leaq	-LOWEST_ADDRESS(%r9), %rax
#if R_HANDLE_BITS == 32
	movl	%r9d, \to
#else
	movq	%r9, \to
#endif
	movq	8+\from, %r9
	leaq	-LOWEST_ADDRESS(%r9), %r10
#if R_HANDLE_BITS == 32
	movl	%r9d, 4+\to
#else
	movq	%r9, 8+\to
#endif
	orq	%r10, %rax
	js	\other
#endif
.endm

/* Jumps to other unless the program's variable of a request contains the runtime's handle.
   Loads that handle into %rax, unless the variable itself can be passed to the runtime because
   its bytes, or its lower half, are the handle. */
.macro REQUEST_A2R variable, other
#if A_HANDLE_BITS == 32
	movslq	\variable, %rax
	cmpq	$POOL_EMPTY, %rax
	jge	\other
	addq	PAIR(pool_bases)(%rip), %rax
#elif A_HANDLES_ARE_OBJECTS && R_HANDLE_BITS == 32
	cmpq	$0, \variable
	jns	\other
#elif A_HANDLES_ARE_OBJECTS
	movq	\variable, %rax
	btrq	$63, %rax
	jnc	\other
#else
	cmpq	$LOWEST_ADDRESS-1, \variable
	jle	\other
#endif
.endm

/* Loads the runtime's request of the handle in %eax into %rax. Jumps to other unless the handle
   is live and occupies a slot in the first chunk of the table; a tracked request has none. %r10 is
   the address of the tables. It changes %rcx. */
.macro REQUEST_SLOT other
	movzwl	%ax, %ecx
	cmpl	%eax, TABLE_REQUEST+HT_HANDLES(%r10,%rcx,4)
	jne	\other
	movq	TABLE_REQUEST+HT_OBJECTS(%r10,%rcx,8), %rax
.endm

/* Converts one of an array of the program's handles to the runtime's, through %r9. Jumps to other
   unless it contains the runtime's handle; %r9 then holds the program's. */
.macro REQUEST_ELEMENT_A2R from, to, other
#if A_HANDLE_BITS == 32
	movslq	\from, %r9
	cmpq	$POOL_EMPTY, %r9
	jge	\other
	addq	PAIR(pool_bases)(%rip), %r9
#elif A_HANDLES_ARE_OBJECTS && R_HANDLE_BITS == 32
	movq	\from, %r9
	testq	%r9, %r9
	jns	\other
#elif A_HANDLES_ARE_OBJECTS
	movq	\from, %r9
	btrq	$63, %r9
	jnc	\other
#else
	movq	\from, %r9
	cmpq	$LOWEST_ADDRESS-1, %r9
	jle	\other
#endif
#if R_HANDLE_BITS == 32
	movl	%r9d, \to
#else
	movq	%r9, \to
#endif
.endm
/* Continues there: converts the program's handle in %r9 if it is the null request, or the number
   of Open MPI's empty request, and jumps to done. Otherwise jumps to other. */
.macro REQUEST_NULL_A2R from, to, done, other
#if A_HANDLES_ARE_OBJECTS
	cmpq	A_REQUEST_NULL@GOTPCREL(%rip), %r9
#else
	cmpq	$A_REQUEST_NULL, %r9
#endif
	jne	3f
#if R_HANDLES_ARE_OBJECTS
	movq	R_REQUEST_NULL(%rip), %r9
#else
	movl	$R_REQUEST_NULL, %r9d
#endif
#if R_HANDLE_BITS == 32
	movl	%r9d, \to
#else
	movq	%r9, \to
#endif
	jmp	\done
3:
#if A_HANDLE_BITS == 32 && R_HANDLES_ARE_OBJECTS
	cmpl	$POOL_EMPTY, %r9d
	jne	\other
	movq	PAIR(pool_empty)(%rip), %r9
	movq	%r9, \to
	jmp	\done
#else
	jmp	\other
#endif
.endm

/* Writes two null requests to the program's array at a, if the runtime has left null requests
   for both at r; otherwise jumps to other. A pooled request is over when it completes, whatever
   the runtime leaves. BEGIN, once before, loads %rdi and %r11, which must stay. */
.macro REQUESTS_ENDED_BEGIN
#if A_HANDLES_ARE_OBJECTS
	movq	A_REQUEST_NULL@GOTPCREL(%rip), %r11
#endif
#if A_HANDLE_BITS == 32
	movabsq	$A_REQUEST_NULL<<32|A_REQUEST_NULL, %rdi
#elif R_HANDLE_BITS == 32
	movabsq	$R_REQUEST_NULL<<32|R_REQUEST_NULL, %rdi
#elif R_HANDLES_ARE_OBJECTS
	movq	R_REQUEST_NULL(%rip), %rdi
#endif
.endm
.macro REQUESTS_ENDED a, r, other
#if A_HANDLE_BITS == 32
	movq	%rdi, \a
#else
#if R_HANDLE_BITS == 32
	cmpq	%rdi, \r
	jne	\other
#elif R_HANDLES_ARE_OBJECTS
	cmpq	%rdi, \r
	jne	\other
	cmpq	%rdi, 8+\r
	jne	\other
#else
	cmpq	$R_REQUEST_NULL, \r
	jne	\other
	cmpq	$R_REQUEST_NULL, 8+\r
	jne	\other
#endif
#if A_HANDLES_ARE_OBJECTS
	movq	%r11, \a
	movq	%r11, 8+\a
#else
	movq	$A_REQUEST_NULL, \a
	movq	$A_REQUEST_NULL, 8+\a
#endif
#endif
.endm

/* Does the same for one request. */
.macro REQUEST_ENDED_BEGIN
#if A_HANDLES_ARE_OBJECTS
	movq	A_REQUEST_NULL@GOTPCREL(%rip), %r11
#elif A_HANDLES_ARE_NUMBERS && R_HANDLES_ARE_OBJECTS
	movq	R_REQUEST_NULL(%rip), %rdi
#endif
.endm
.macro REQUEST_ENDED a, r, other
#if A_HANDLE_BITS == 32
	movl	$A_REQUEST_NULL, \a
#else
#if R_HANDLE_BITS == 32
	cmpl	$R_REQUEST_NULL, \r
#elif R_HANDLES_ARE_OBJECTS
	cmpq	%rdi, \r
#else
	cmpq	$R_REQUEST_NULL, \r
#endif
	jne	\other
#if A_HANDLES_ARE_OBJECTS
	movq	%r11, \a
#else
	movq	$A_REQUEST_NULL, \a
#endif
#endif
.endm

#if R_HANDLE_BITS == 64
/* Converts one of Fortran's integers to the runtime's handle. Jumps to other unless it is the
   number of a pooled request. It changes %rax and %r9. */
.macro FORTRAN_REQUEST_A2R from, to, other
	movslq	\from, %rax
	movl	%eax, %r9d
	addq	PAIR(pool_bases)(%rip), %rax
	cmpl	$POOL_EMPTY, %r9d
	cmoveq	PAIR(pool_empty)(%rip), %rax
	rorl	$2, %r9d		/* large, unless it is a multiple of POOL_MULTIPLE */
	subl	$(1<<30)-POOL_BYTES/4, %r9d
	cmpl	$POOL_BYTES/4, %r9d
	jae	\other
	movq	%rax, \to
.endm
#endif
/* ---- arrays of datatypes ---- */

/* Loads the address of the interned copies (interned_types.h) of the arrays of datatypes at
   `send`, a register, and at %rax into %r10. `with` is INTERNED_PEERS or INTERNED_NEIGHBORS. The
   runtime's communicator is on top of the stack. Jumps to mismatch unless the last call with arrays
   at these addresses had the same communicator and contents. It changes %r11, and until
   RESTORE_FIRST also %rdi. No instruction may push anything before that. */
.macro INTERNED_TYPES with, send, mismatch
	movq	%rdi, -8(%rsp)
	leal	(\send,%rax,4), %r10d
	shll	$3, %r10d		/* CALL_BYTES / INTERNED_GRAIN */
	andl	$CALL_BYTES*(INTERNED_CALLS-1), %r10d
	leaq	PAIR(interned)+CALL_BYTES*INTERNED_CALLS*\with(%rip), %rdi
	addq	%rdi, %r10
#if A_HANDLE_BITS == 32
	movl	PAIR(tables)+TABLE_COMM+HT_LOCK(%rip), %r11d
	addl	PAIR(tables)+TABLE_DATATYPE+HT_LOCK(%rip), %r11d
#else
	movq	PAIR(comms_given)(%rip), %r11
#endif
	cmpq	%r11, CALL_CHANGES(%r10)
	jne	\mismatch
	cmpq	\send, CALL_SEND(%r10)
	jne	\mismatch
	cmpq	%rax, CALL_RECV(%r10)
	jne	\mismatch
	movq	CALL_SIZED(%r10), %rdi
	movq	CALL_TYPES(%r10), %r10
	movq	(%rsp), %r11
	shlq	$SIZE_BITS, %r11
	subq	%r11, %rdi
	cmpq	%rdi, INTERNED_N(%r10)
	jne	\mismatch
	andl	$INTERNED_ONE-1, %edi
#if A_HANDLE_BITS == 32
3:	movl	-4(\send,%rdi,4), %r11d
	cmpl	%r11d, INTERNED_A_SEND-4(%r10,%rdi,4)
	jne	\mismatch
	movl	-4(%rax,%rdi,4), %r11d
	cmpl	%r11d, INTERNED_A_SEND+4*INTERNED_MOST-4(%r10,%rdi,4)
	jne	\mismatch
#else
3:	movq	-8(\send,%rdi,8), %r11
	cmpq	%r11, INTERNED_A_SEND-8(%r10,%rdi,8)
	jne	\mismatch
	movq	-8(%rax,%rdi,8), %r11
	cmpq	%r11, INTERNED_A_SEND+8*INTERNED_MOST-8(%r10,%rdi,8)
	jne	\mismatch
#endif
	decl	%edi
	jne	3b
	RESTORE_FIRST
.endm
/* Restores %rdi after INTERNED_TYPES. */
.macro RESTORE_FIRST
	movq	-8(%rsp), %rdi
.endm

/* IS_ARRAY jumps to other unless the descriptor of a choice buffer at (a) describes an array of
   one dimension without gaps; the constants, such as MPI_BOTTOM, are not arrays. There is a macro
   for each kind of descriptor. It compares the stride times the number of dimensions with the
   element size. They are equal for one dimension without gaps. For more dimensions to be equal,
   the stride would have to be less than the element size, and elements do not overlap. It
   changes %rax. */
.macro IS_ARRAY_gfortran a, other
	movsbq	ARRAY_RANK(\a), %rax
	imulq	ARRAY_STRIDE(\a), %rax
	imulq	ARRAY_SPAN(\a), %rax
	cmpq	ARRAY_SIZE(\a), %rax
	jne	\other
.endm
.macro IS_ARRAY_C a, other
	movsbq	DESCRIPTOR_RANK(\a), %rax
	imulq	DESCRIPTOR_STRIDE(\a), %rax
	cmpq	DESCRIPTOR_SIZE(\a), %rax
	jne	\other
.endm
/* IS_ELEMENT jumps to other unless the descriptor has no dimensions. */
.macro IS_ELEMENT_gfortran a, other
	cmpb	$0, ARRAY_RANK(\a)
	jne	\other
.endm
.macro IS_ELEMENT_C a, other
	cmpb	$0, DESCRIPTOR_RANK(\a)
	jne	\other
.endm
/* Converts two of Fortran's integers at (a) to two of the runtime's handles. Jumps to other
   unless both contain the runtime's handle. It changes %rax and %r9. */
.macro FORTRAN_REQUESTS_A2R a, to, other
#if R_HANDLE_BITS == 32
	cmpl	$FORTRAN_CACHE_SMALL-1, (\a)
	jbe	\other
	cmpl	$FORTRAN_CACHE_SMALL-1, 4(\a)
	jbe	\other
	movq	(\a), %rax
	movq	%rax, \to
#else
	FORTRAN_REQUEST_A2R 0(\a), 0+\to, \other
	FORTRAN_REQUEST_A2R 4(\a), 8+\to, \other
#endif
.endm
/* Writes the integer of the null request twice to (a), if the runtime has left null requests for
   both at r; otherwise jumps to other. It changes %rdi. */
.macro FORTRAN_REQUESTS_ENDED a, r, null, other
#if R_HANDLE_BITS == 32
	movabsq	$R_REQUEST_NULL<<32|R_REQUEST_NULL, %rdi
	cmpq	%rdi, \r
	jne	\other
#elif R_HANDLES_ARE_NUMBERS
	cmpq	$R_REQUEST_NULL, \r
	jne	\other
	cmpq	$R_REQUEST_NULL, 8+\r
	jne	\other
#else
	movq	R_REQUEST_NULL(%rip), %rdi
	cmpq	%rdi, \r
	jne	\other
	cmpq	%rdi, 8+\r
	jne	\other
#endif
	movl	$\null, (\a)
	movl	$\null, 4(\a)
.endm

/* Writes a null request to the program's array at a, if the runtime has left a null request at
   r; otherwise jumps to stays. BEGIN, once before, loads %rdi and %r11, which must stay. */
.macro REQUEST_SET_NULL_BEGIN
#if A_HANDLES_ARE_OBJECTS
	movq	A_REQUEST_NULL@GOTPCREL(%rip), %r11
#endif
#if R_HANDLES_ARE_OBJECTS
	movq	R_REQUEST_NULL(%rip), %rdi
#endif
.endm
.macro REQUEST_SET_NULL a, r, stays
#if R_HANDLE_BITS == 32
	cmpl	$R_REQUEST_NULL, \r
#elif R_HANDLES_ARE_OBJECTS
	cmpq	%rdi, \r
#else
	cmpq	$R_REQUEST_NULL, \r
#endif
	jne	\stays
#if A_HANDLES_ARE_OBJECTS
	movq	%r11, \a
#elif A_HANDLE_BITS == 32
	movl	$A_REQUEST_NULL, \a
#else
	movq	$A_REQUEST_NULL, \a
#endif
.endm
#endif
