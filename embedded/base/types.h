/*
 * Datatypes and reduction operations of the embedded MPI. The device sees a datatype as a stream
 * of bytes (struct MPIR_DATATYPE). For that each datatype has a layout, a tree of loops over blocks,
 * which can be copied from any byte to any other.
 *
 * Gives: struct type, contents, em_type_handle, em_copy, em_apply and other functions of types/.
 * Needs: objects.h.
 */
#ifndef WI4GO_EMBEDDED_TYPES_H
#define WI4GO_EMBEDDED_TYPES_H

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
    struct layout *layout; /* has a reference */
    struct contents *contents; /* NULL: predefined */
    struct attribute *attributes;
    char name[MPI_MAX_OBJECT_NAME];
};

/* Fills the tables of predefined datatypes and operations of em (state.h). Returns an error code. */
int em_types_init(void);
void em_types_end(void);

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

/* Copies scount elements of stype at `from` to rcount elements of rtype at `to`. If there are more bytes than
 * these have room for, copies those that fit and returns MPI_ERR_TRUNCATE. */
int em_copy(const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype);

/* Returns MPI_SUCCESS if the operation is defined for the datatype, else MPI_ERR_OP (MPI-5.0, 6.9.2). */
int em_op_check(struct op *op, struct type *type);
/* inout[i] = in[i] op inout[i] for count elements, in this order of the operands (MPI-5.0, 6.9.5). */
void em_apply(struct op *op, const void *in, void *inout, int64_t count, struct type *type);

#endif
