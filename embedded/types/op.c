/*
 * Reduction operations (MPI-5.0, 6.9). Predefined ones are in em->ops, by the number of the handle.
 * Operations do not change after their creation, so there are no locks.
 */
#include "layout.h"
#include "op_kernels.h"
#include "functions.h"
#include "../base/errors.h"
#include "../base/handles.h"
#include "../base/pool.h"

#include <stdlib.h>

static const struct {
    MPI_Op handle;
    const char *name;
} predefined_ops[] = {
    {MPI_MAX, "MPI_MAX"}, {MPI_MIN, "MPI_MIN"}, {MPI_SUM, "MPI_SUM"}, {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"}, {MPI_BAND, "MPI_BAND"},
    {MPI_LOR, "MPI_LOR"}, {MPI_BOR, "MPI_BOR"}, {MPI_LXOR, "MPI_LXOR"}, {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"},
    {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"},
};

/* Makes the predefined operations. All of them are commutative except MPI_REPLACE. */
int em_ops_init(void)
{
    em->ops = calloc(OPS_MAX, sizeof *em->ops);
    if (!em->ops)
        return em_error(MPI_ERR_NO_MEM, "no memory for the operations");
    for (size_t i = 0; i < sizeof predefined_ops / sizeof *predefined_ops; i++) {
        int number = (int)NUMBER(predefined_ops[i].handle);
        struct op *op = &em->ops[number - OPS_FIRST];
        op->head = (struct object){.cookie = COOKIE(OP), .predefined = true};
        op->number = number;
        op->commutative = predefined_ops[i].handle != MPI_REPLACE;
    }
    return MPI_SUCCESS;
}

/* ---- life ---- */

static int new_op(MPI_User_function *function, MPI_User_function_c *function_c, int commute, MPI_Op *handle)
{
    if (!function && !function_c)
        return em_error(MPI_ERR_ARG, "user_fn is a null pointer");
    struct op *op = em_new(OP);
    if (!op)
        return em_error(MPI_ERR_NO_MEM, "no memory for an operation");
    op->commutative = commute != 0;
    op->function = function;
    op->function_c = function_c;
    *handle = em_op_handle(op);
    return MPI_SUCCESS;
}

int em_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op) { return new_op(user_fn, NULL, commute, op); }
int em_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op) { return new_op(NULL, user_fn, commute, op); }

void em_op_release(struct op *op)
{
    if (op && em_drop(&op->head))
        em_delete(OP, op);
}

/* An operation in use, for example of a running reduction, lives until its last reference is dropped. */
int em_Op_free(MPI_Op *op)
{
    struct op *object = em_op_of(*op);
    if (!object)
        return em_error(MPI_ERR_OP, "op is not a valid operation");
    if (object->head.predefined)
        return em_error(MPI_ERR_OP, "a predefined operation cannot be freed");
    em_op_release(object);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int em_Op_commutative(struct op *op, int *commute)
{
    *commute = op->commutative;
    return MPI_SUCCESS;
}

/* ---- use ---- */

/* Returns the arithmetic of a predefined datatype, also of one by precision and range; else ARITHMETIC_NONE. */
static enum arithmetic arithmetic_of(const struct type *type)
{
    static const struct {
        MPI_Datatype type;
        enum arithmetic arithmetic;
    } pairs[] = {
        {MPI_FLOAT_INT, PAIR_F32_I32}, {MPI_DOUBLE_INT, PAIR_F64_I32}, {MPI_LONG_INT, PAIR_LONG_I32}, {MPI_2INT, PAIR_I32_I32}, {MPI_SHORT_INT, PAIR_I16_I32},
        {MPI_LONG_DOUBLE_INT, PAIR_F80_I32}, {MPI_2REAL, PAIR_F32_F32}, {MPI_2DOUBLE_PRECISION, PAIR_F64_F64}, {MPI_2INTEGER, PAIR_I32_I32},
    };
    if (!type->head.predefined)
        return ARITHMETIC_NONE;
    for (size_t i = 0; type->layout->kind != BASIC && i < sizeof pairs / sizeof *pairs; i++)
        if (NUMBER(pairs[i].type) == (uintptr_t)type->element)
            return pairs[i].arithmetic;
    return em_basics[type->element - TYPES_FIRST].arithmetic;
}

/* Returns an error unless the operation is defined for the datatype. A user-defined operation is defined for all. */
int em_op_check(struct op *op, struct type *type)
{
    if (!op->number || em_kernel(op->number, arithmetic_of(type)))
        return MPI_SUCCESS;
    const char *name = "";
    for (size_t i = 0; i < sizeof predefined_ops / sizeof *predefined_ops; i++)
        if (NUMBER(predefined_ops[i].handle) == (uintptr_t)op->number)
            name = predefined_ops[i].name;
    if (op->number == (int)NUMBER(MPI_REPLACE) || op->number == (int)NUMBER(MPI_NO_OP))
        return em_error(MPI_ERR_OP, "%s is an operation for windows only", name);
    return em_error(MPI_ERR_OP, "%s is not defined for %s", name, type->head.predefined && *type->name ? type->name : "this datatype");
}

em_kernel_function *em_kernel_of(const struct op *op, const struct type *type) { return op->number ? em_kernel(op->number, arithmetic_of(type)) : NULL; }

/* Calls the kernel of a predefined operation, or the program's function: in pieces if it gets an int count and there
 * are more elements. */
void em_apply(struct op *op, const void *in, void *inout, int64_t count, struct type *type)
{
    enum { MOST = 1 << 30 }; /* elements in a call of a function that gets an int */
    MPI_Datatype handle = em_type_handle(type);
    em_kernel_function *kernel = em_kernel_of(op, type);
    if (kernel) {
        kernel(in, inout, count);
    } else if (op->function_c) {
        MPI_Count length = count;
        op->function_c((void *)(uintptr_t)in, inout, &length, &handle);
    } else {
        for (int64_t at = 0; at < count; at += MOST) {
            int length = count - at < MOST ? (int)(count - at) : MOST;
            op->function(em_plus(in, at * type->device.extent), em_plus(inout, at * type->device.extent), &length, &handle);
        }
    }
}

/* Local, so no other rank learns of an error. */
int em_Reduce_local(const void *inbuf, void *inoutbuf, int64_t count, struct type *datatype, struct op *op)
{
    int err = em_op_check(op, datatype);
    if (err == MPI_SUCCESS && MPID_Lacks_buffer(inbuf, count, &datatype->device))
        err = em_error(MPI_ERR_BUFFER, "inbuf is a null pointer");
    if (err == MPI_SUCCESS && (inbuf == MPI_IN_PLACE || inoutbuf == MPI_IN_PLACE))
        err = em_error(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which is not allowed here", inbuf == MPI_IN_PLACE ? "inbuf" : "inoutbuf");
    if (err == MPI_SUCCESS && count && datatype->device.size && inbuf && inbuf == inoutbuf)
        err = em_error(MPI_ERR_BUFFER, "inbuf and inoutbuf are the same buffer");
    if (err == MPI_SUCCESS && count)
        em_apply(op, inbuf, inoutbuf, count, datatype);
    return err;
}
