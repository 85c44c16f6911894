/* The files of the core and of the embedded MPI, as data (see static_core.c). */
	.section .rodata
	.globl	wi4go_core_image, wi4go_core_image_end
	.globl	wi4go_embedded_image, wi4go_embedded_image_end
	.hidden	wi4go_core_image
	.hidden	wi4go_core_image_end
	.hidden	wi4go_embedded_image
	.hidden	wi4go_embedded_image_end
	.p2align 4
wi4go_core_image:
	.incbin	WI4GO_CORE
wi4go_core_image_end:
	.p2align 4
wi4go_embedded_image:
	.incbin	WI4GO_EMBEDDED
wi4go_embedded_image_end:
	.section .note.GNU-stack, "", %progbits
