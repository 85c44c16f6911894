/*
 * The chooser: what stands behind every exported MPI function.
 *
 * STUB(MPI_X, PMPI_X, slot) makes PMPI_X, with MPI_X as a weak name for it: a
 * tail jump to wi4go_A[slot], the translation. No register changes (not even rax:
 * MPI_Pcontrol is variadic), but for x16 on arm64. Who calls is the program: the
 * runtime's own calls do not get here (shim/front/objects.c).
 *
 * The same macro makes the first value of both table entries: an entry point
 * that loads the slot's number and goes to wi4go_first_call_entry, which saves
 * the arguments, has the runtime loaded and starts the call again. So no slot
 * is ever empty, and stub, slot and table cannot disagree.
 *
 * FUNCTION_STUB(name, slot) is the same for a function without a PMPI_ twin.
 *
 * BELOW_STUB(name, link) is the entry to wi4go_below, where a function is that a layer was
 * put over.
 *
 * wi4go_inner is the inner door: calls of MPI that the front and its Fortran library make
 * for themselves go through this table, past what is placed in wi4go_A to observe the
 * program. It is empty until the runtime is loaded, but for slots with
 * INNER_FIRST(slot), which come before the slot's stub: their first call loads it, too.
 *
 * Every slot has a thunk too (call.h), by which a call can be observed; it costs
 * nothing until an entry of wi4go_A leads to it.
 *
 * Gives: STUB, FUNCTION_STUB, BELOW_STUB, INNER_FIRST, SLOT, for assembly; wi4go_A,
 * wi4go_inner, wi4go_R, wi4go_missing_entries, wi4go_thunks.
 * Needs: thunk_x86_64.h, thunk_aarch64.h.
 */
#ifndef WI4GO_CHOOSER_H
#define WI4GO_CHOOSER_H
#if defined(__x86_64__)
#include "thunk_x86_64.h"
#elif defined(__aarch64__)
#include "thunk_aarch64.h"
#else
#error "wi4go has a chooser for x86-64 and arm64 only: add c/asmchooser/<architecture>.h and thunk_<architecture>.h"
#endif

#define STUB(weak_name, strong_name, slot) chooser_stub strong_name, slot ; thunk slot ; chooser_alias weak_name, strong_name
#define FUNCTION_STUB(name, slot) chooser_stub name, slot ; thunk slot

#define BELOW_STUB(name, link) chooser_below name, link

#define INNER_FIRST(slot) chooser_inner_first slot

.macro chooser_alias alias, name
	.weak	\alias
	.type	\alias, %function
	.set	\alias, \name
.endm

/* The tables, one section each, in the order of the stubs. */
	.section .data.wi4go_A, "aw", %progbits
	.p2align 6
	.globl	wi4go_A
	.hidden	wi4go_A
	.type	wi4go_A, %object
wi4go_A:
	.section .data.wi4go_inner, "aw", %progbits
	.p2align 6
	.globl	wi4go_inner
	.hidden	wi4go_inner
	.type	wi4go_inner, %object
wi4go_inner:
	.section .data.wi4go_R, "aw", %progbits
	.p2align 6
	.globl	wi4go_R
	.hidden	wi4go_R
	.type	wi4go_R, %object
wi4go_R:
	.section .data.wi4go_missing, "aw", %progbits
	.p2align 6
	.globl	wi4go_missing_entries
	.hidden	wi4go_missing_entries
	.type	wi4go_missing_entries, %object
wi4go_missing_entries:
	.section .note.GNU-stack, "", %progbits
	.text

/* A slot that this front does not export: the translation of others uses it. */
#define SLOT(slot) chooser_slot slot ; thunk slot

/* Thunks stand in the order of the stubs too: see call.h. */
	.section .text.thunk, "ax", %progbits
	thunk_entry
	.p2align 4
	.globl	wi4go_thunks
	.hidden	wi4go_thunks
wi4go_thunks:
	.text
.macro thunk slot
	.section .text.thunk, "ax", %progbits
	thunk_slot \slot
	.text
.endm
#endif
