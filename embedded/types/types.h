/*
 * Datatypes and reduction operations, as the floors above use them.
 *
 * Gives: em_type_release, em_op_release, em_types_init, em_types_end, em_copy, em_op_check, em_apply.
 * Needs: base/datatype.h.
 */
#ifndef WI4GO_EMBEDDED_TYPES_H
#define WI4GO_EMBEDDED_TYPES_H

#include "../base/datatype.h"

/* Fills the tables of predefined datatypes and operations of em (state.h). Returns an error code. */
int em_types_init(void);
void em_types_end(void);

/* These take a reference away and free the object with the last one. NULL does nothing. */
void em_type_release(struct type *type);
void em_op_release(struct op *op);

/* Copies scount elements of stype at `from` to rcount elements of rtype at `to`. If there are more bytes than
 * these have room for, copies those that fit and returns MPI_ERR_TRUNCATE. */
int em_copy(const void *from, int64_t scount, struct type *stype, void *to, int64_t rcount, struct type *rtype);

/* Returns MPI_SUCCESS if the operation is defined for the datatype, else MPI_ERR_OP (MPI-5.0, 6.9.2). */
int em_op_check(struct op *op, struct type *type);
/* inout[i] = in[i] op inout[i] for count elements, in this order of the operands (MPI-5.0, 6.9.5). */
void em_apply(struct op *op, const void *in, void *inout, int64_t count, struct type *type);

#endif
