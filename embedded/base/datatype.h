/*
 * Datatypes, as objects. The device sees a datatype as a stream of bytes (struct MPIR_DATATYPE). For that each datatype
 * owns a layout, a tree of loops over blocks, which can be copied from any byte to any other (types/layout.h).
 *
 * Gives: struct type, contents; em_type_handle, em_op_handle.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_DATATYPE_H
#define WI4GO_EMBEDDED_DATATYPE_H

#include "objects.h"

struct layout; /* the places of the data: layout.h */

/* The arguments that a datatype was made with, for MPI_Type_get_envelope and MPI_Type_get_contents (MPI-5.0,
 * 5.1.13). Equal datatypes share them. They have a reference to each datatype. */
struct contents {
    atomic_int references;
    int combiner;
    int64_t integers, addresses, counts, types; /* lengths of the arrays, which are in the same memory */
    int *integer;
    int64_t *address; /* MPI_Aint */
    int64_t *count;   /* MPI_Count, if the datatype was made by a large-count function */
    struct type **type;
};

struct type {
    MPIR_DATATYPE device; /* size, extent, true_lb … ; the functions that pack */
    struct object head;
    bool committed;
    bool bounded;         /* lb and extent were set by MPI_Type_create_resized or like it (MPI-5.0, 5.1.7) */
    int align;            /* the largest alignment of its elements, in bytes, at least 1 */
    int number;           /* a predefined datatype: its handle as a number; else 0 */
    int element;          /* the one predefined datatype (its number) that all elements have, or 0 */
    int64_t elements;     /* number of basic elements; MPI_Get_elements counts these */
    int64_t lb, true_extent;
    struct layout *layout; /* holds a reference */
    struct contents *contents; /* NULL: predefined */
    struct attribute *attributes;
    char name[MPI_MAX_OBJECT_NAME];
};

#define TYPES_FIRST 0x200 /* handles of predefined datatypes: numbers from this on */
#define TYPES_MAX 0x100
#define OPS_FIRST 0x20
#define OPS_MAX 0x20

/* The handle of an object; predefined ones have a number. */
static inline MPI_Datatype em_type_handle(struct type *type)
{
    return type->number ? (MPI_Datatype)(uintptr_t)type->number : (MPI_Datatype)type;
}
static inline MPI_Op em_op_handle(struct op *op) { return op->number ? (MPI_Op)(uintptr_t)op->number : (MPI_Op)op; }

#endif
