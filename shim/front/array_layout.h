/*
 * Offsets in the two kinds of descriptors of choice buffers, for the assembly of a pair
 * (mappers/fast_path_x86_64.h): gfortran's (sections.h) and the standard's for C (descriptor.h).
 * Both headers check each number. Both descriptors begin with the address of the data.
 *
 * Gives: the numbers below.
 */
#ifndef WI4GO_ARRAY_LAYOUT_H
#define WI4GO_ARRAY_LAYOUT_H
#define ARRAY_SIZE 16 /* gfortran's descriptor */
#define ARRAY_RANK 28
#define ARRAY_SPAN 32
#define ARRAY_STRIDE 40             /* stride of the first dimension, in spans */

#define DESCRIPTOR_SIZE 8 /* the standard's descriptor */
#define DESCRIPTOR_RANK 20
#define DESCRIPTOR_STRIDE 40        /* stride of the first dimension, in bytes */
#endif
