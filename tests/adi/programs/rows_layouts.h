/*
 * Datatypes for the rows: trees of basic types, vectors, indexed types and structs. The device sees them as any other
 * MPIR_DATATYPE, by their operations.
 *
 * Gives: layout_basic, layout_contiguous, layout_vector, layout_indexed, layout_struct, layout_free.
 * Needs: adi.h.
 */
#ifndef WI4GO_ROWS_LAYOUTS_H
#define WI4GO_ROWS_LAYOUTS_H

#include "adi.h"

enum basic_type {
    BASIC_BYTE, BASIC_CHAR, BASIC_SHORT, BASIC_INT, BASIC_LONG, BASIC_FLOAT, BASIC_DOUBLE, BASIC_LONG_DOUBLE,
    BASIC_UNSIGNED_SHORT, BASIC_UNSIGNED, BASIC_UNSIGNED_LONG, BASICS
};

/* The constructors return NULL if memory is lacking; free with layout_free. Displacements and strides are in bytes. A type
 * keeps the types that it is made of alive. */
MPIR_DATATYPE *layout_basic(enum basic_type basic);
MPIR_DATATYPE *layout_contiguous(int64_t count, MPIR_DATATYPE *old);
MPIR_DATATYPE *layout_vector(int64_t count, int64_t blocklength, int64_t stride, MPIR_DATATYPE *old);
MPIR_DATATYPE *layout_indexed(int64_t count, const int64_t blocklengths[], const int64_t displacements[], MPIR_DATATYPE *old);
MPIR_DATATYPE *layout_struct(int64_t count, const int64_t blocklengths[], const int64_t displacements[], MPIR_DATATYPE *const types[]);
void layout_free(MPIR_DATATYPE *type);

#endif
