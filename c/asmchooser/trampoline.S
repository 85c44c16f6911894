/*
 * One pool of trampolines, for callbacks that the runtime calls without a user pointer
 * (reduction operations, error handlers). Only its position distinguishes a trampoline. It
 * loads the address of its callback, stored one pool size after it in memory, into the sixth
 * argument register, and jumps to the callback's handler, its first member. The jump is a tail
 * jump: the trampoline pushes no frame, and an exception passes through.
 *
 * For each further pool, the front maps the pool's code again, from this library's file, with
 * fresh data pages after it. So no page is writable and executable at once.
 *
 * WI4GO_POOL is the size of a pool's code, and of its data: 16 bytes an entry.
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
