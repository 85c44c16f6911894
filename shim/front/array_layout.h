/*
 * Where a descriptor of a choice buffer has what the assembly of a pair looks at
 * (mappers/fast_x86_64.h), gfortran's (sections.h) and the standard's for C (descriptor.h),
 * which check each number. Both begin with the address.
 *
 * Gives: the numbers below.
 */
#ifndef WI4GO_ARRAY_LAYOUT_H
#define WI4GO_ARRAY_LAYOUT_H
#define ARRAY_SIZE 16
#define ARRAY_RANK 28
#define ARRAY_SPAN 32
#define ARRAY_STRIDE 40             /* of the first dimension, in spans */

#define DESCRIPTOR_SIZE 8
#define DESCRIPTOR_RANK 20
#define DESCRIPTOR_STRIDE 40        /* of the first dimension, in bytes */
#endif
