/*
 * LANDING marks a valid target of indirect branches. In an object built with branch protection
 * it is an `endbr64` or a `bti c`, and a note declares that every target has one. Without the
 * note, the linker disables the protection of the whole library.
 *
 * Gives: LANDING, for assembly.
 */
#ifndef WI4GO_LANDING_H
#define WI4GO_LANDING_H

#if defined(__x86_64__) && defined(__CET__)
#include <cet.h> /* the compiler's header, which contains the note */
#define LANDING _CET_ENDBR
#elif defined(__ARM_FEATURE_BTI_DEFAULT) && __ARM_FEATURE_BTI_DEFAULT
#define LANDING hint #34 /* bti c */
	.section .note.gnu.property, "a", %note
	.p2align 3
	.word	4, 16, 5	/* sizes of name and content; NT_GNU_PROPERTY_TYPE_0 */
	.asciz	"GNU"
	.word	0xc0000000, 4	/* GNU_PROPERTY_AARCH64_FEATURE_1_AND and its size */
	.word	1, 0		/* BTI; padding */
	.text
#else
#define LANDING
#endif
#endif
