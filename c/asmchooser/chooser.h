/*
 * The chooser: the stub of every exported MPI function, and the dispatch tables.
 *
 * STUB(MPI_X, PMPI_X, slot, parameters) defines PMPI_X, with MPI_X as a weak alias: a tail jump to
 * wi4go_A[slot], the translation. It changes no register except x16 on arm64, not even rax,
 * because MPI_Pcontrol is variadic. The caller is the program: the runtime's own calls do not
 * get here (shim/front/rebind.c).
 *
 * The same macro defines the first value of both table entries: a first-call entry. It loads
 * the slot's number and jumps to wi4go_first_call_entry, which saves the arguments, has the
 * runtime loaded and restarts the call. So no slot is ever empty, and stub, slot and table
 * cannot disagree.
 *
 * FUNCTION_STUB(name, slot, parameters) does the same for a function without a PMPI_ twin.
 *
 * BELOW_STUB(name, link) defines a jump through wi4go_below[link], which holds the function
 * below a layer.
 *
 * wi4go_inner is the inner door: the front and its Fortran library call MPI for themselves
 * through this table, past any layer in wi4go_A that observes the program. It is empty until
 * the runtime is loaded, except for slots with INNER_FIRST(slot), whose first call loads the
 * runtime, too. INNER_FIRST must come before the slot's stub.
 *
 * Every slot also has a thunk (call.h), through which a call can be observed. It costs nothing
 * until an entry of wi4go_A leads to it. `parameters` is the number of parameters, or CALL_ANY.
 *
 * Gives: STUB, FUNCTION_STUB, BELOW_STUB, INNER_FIRST, SLOT, for assembly; wi4go_A,
 * wi4go_inner, wi4go_R, wi4go_missing_entries, wi4go_thunks, wi4go_inside.
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

#define STUB(weak_name, strong_name, slot, parameters) \
	chooser_stub strong_name, slot ; thunk slot, parameters ; chooser_alias weak_name, strong_name
#define FUNCTION_STUB(name, slot, parameters) chooser_stub name, slot ; thunk slot, parameters

#define BELOW_STUB(name, link) chooser_below name, link

#define INNER_FIRST(slot) chooser_inner_first slot

/* Defines a weak alias of a function. */
.macro chooser_alias alias, name
	.weak	\alias
	.type	\alias, %function
	.set	\alias, \name
.endm

/* The tables, each in its own section. Stubs append entries in the order of the slots. */
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

/* A slot without a stub: this front does not export the function, but other translations use it. */
#define SLOT(slot, parameters) chooser_slot slot ; thunk slot, parameters

/* The thread's flag: see call.h. C code declares it in shim/front/thunk.h. */
	.section .tbss.wi4go_inside, "awT", %nobits
	.p2align 3
	.globl	wi4go_inside
	.hidden	wi4go_inside
	.type	wi4go_inside, %tls_object
	.size	wi4go_inside, 8
wi4go_inside:
	.zero	8

/* The thunks, in the order of the stubs: see call.h. */
	.section .text.thunk, "ax", %progbits
	thunk_entries
	.p2align 4
	.globl	wi4go_thunks
	.hidden	wi4go_thunks
wi4go_thunks:
	.text
/* Appends the thunk of a slot. */
.macro thunk slot, parameters
	.section .text.thunk, "ax", %progbits
	thunk_slot \slot, \parameters
	.text
.endm
#endif
