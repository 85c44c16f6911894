/*
 * One pool of trampolines for callbacks that the runtime calls without a user
 * pointer (reduction operations, error handlers). A trampoline is a position:
 * it loads the address of a record, which stands one pool size behind it in
 * memory, into the sixth argument register and jumps to the record's handler,
 * its first member. The pool's code is
 * mapped again, from this library's file, for every further pool, with fresh
 * data pages behind it, so that nothing is writable and executable at once.
 * A tail jump: the trampoline has no frame, an exception passes through.
 *
 * WI4GO_POOL is the size of a pool's code and of its data, 16 bytes an entry.
 */
#include "trampoline.h"
#include "landing.h"
	.section .text.wi4go_pool, "ax", %progbits
	.p2align WI4GO_POOL_SHIFT
	.globl	wi4go_pool
	.hidden	wi4go_pool
	.type	wi4go_pool, %function
wi4go_pool:
	.rept	WI4GO_POOL / 16
	.p2align 4
#if defined(__x86_64__)
1:	LANDING
	movq	1b + WI4GO_POOL(%rip), %r9
	jmpq	*(%r9)
#elif defined(__aarch64__)
1:	LANDING
	ldr	x5, 1b + WI4GO_POOL
	ldr	x16, [x5]
	br	x16
#endif
	.endr
	.p2align WI4GO_POOL_SHIFT
	.size	wi4go_pool, .-wi4go_pool
	.section .note.GNU-stack, "", %progbits
