/*
 * The functions of attributes of communicators and datatypes, and the predefined attributes.
 * Their values are in em->predefined_attribute, which MPI_Init fills and MPI_Add_error_code changes. base/attributes.c defines the
 * lists and their lock.
 */
#include "comm.h"
#include "functions.h"
#include "../base/attributes.h"
#include "../base/errors.h"

#include <stdlib.h>

/* ---- communicators ---- */

static bool is_predefined_keyval(int keyval) { return keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE; }

static int refuse_predefined(int keyval) { return em_error(MPI_ERR_KEYVAL, "keyval %d is predefined and cannot be changed", keyval); }

static int *predefined_value(int keyval) { return &em->predefined_attribute[keyval - MPI_TAG_UB]; }

/* Fills the values of the predefined attributes. Called in MPI_Init, before another thread can read them. */
void em_attributes_begin(void)
{
    const char *program = getenv("ADI_PROGRAM"); /* its index in the command line */
    *predefined_value(MPI_TAG_UB) = MPID_TAG_UB;
    *predefined_value(MPI_IO) = MPI_ANY_SOURCE; /* every rank has input and output */
    *predefined_value(MPI_HOST) = MPI_PROC_NULL;
    *predefined_value(MPI_WTIME_IS_GLOBAL) = MPID_WTIME_IS_GLOBAL;
    *predefined_value(MPI_APPNUM) = program ? atoi(program) : 0;
    *predefined_value(MPI_LASTUSEDCODE) = MPI_ERR_LASTCODE; /* and the latest code of MPI_Add_error_code */
    *predefined_value(MPI_UNIVERSE_SIZE) = MPID_MyWorldSize;
}

int em_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn, MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state)
{
    return em_keyval_create(COMM, (void *)comm_copy_attr_fn, (void *)comm_delete_attr_fn, comm_keyval, extra_state);
}

int em_Comm_free_keyval(int *comm_keyval) { return is_predefined_keyval(*comm_keyval) ? refuse_predefined(*comm_keyval) : em_keyval_free(COMM, comm_keyval); }

int em_Comm_get_attr(struct comm *comm, int comm_keyval, void *attribute_val, int *flag)
{
    if (!is_predefined_keyval(comm_keyval))
        return em_attribute_get(COMM, &comm->attributes, comm_keyval, attribute_val, flag);
    *flag = 1;
    *(void **)attribute_val = predefined_value(comm_keyval);
    return MPI_SUCCESS;
}

int em_Comm_set_attr(struct comm *comm, int comm_keyval, void *attribute_val)
{
    return is_predefined_keyval(comm_keyval) ? refuse_predefined(comm_keyval) : em_attribute_set(COMM, comm, &comm->attributes, comm_keyval, attribute_val);
}

int em_Comm_delete_attr(struct comm *comm, int comm_keyval)
{
    return is_predefined_keyval(comm_keyval) ? refuse_predefined(comm_keyval) : em_attribute_delete(COMM, comm, &comm->attributes, comm_keyval);
}

/* The names of MPI-1 (MPI-5.0, 16.1). */
int em_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    return em_keyval_create(COMM, (void *)copy_fn, (void *)delete_fn, keyval, extra_state);
}
int em_Keyval_free(int *keyval) { return em_Comm_free_keyval(keyval); }
int em_Attr_get(struct comm *comm, int keyval, void *attribute_val, int *flag) { return em_Comm_get_attr(comm, keyval, attribute_val, flag); }
int em_Attr_put(struct comm *comm, int keyval, void *attribute_val) { return em_Comm_set_attr(comm, keyval, attribute_val); }
int em_Attr_delete(struct comm *comm, int keyval) { return em_Comm_delete_attr(comm, keyval); }

/* ---- datatypes ---- */

int em_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn, MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state)
{
    return em_keyval_create(TYPE, (void *)type_copy_attr_fn, (void *)type_delete_attr_fn, type_keyval, extra_state);
}
int em_Type_free_keyval(int *type_keyval) { return em_keyval_free(TYPE, type_keyval); }
int em_Type_get_attr(struct type *datatype, int type_keyval, void *attribute_val, int *flag)
{
    return em_attribute_get(TYPE, &datatype->attributes, type_keyval, attribute_val, flag);
}
int em_Type_set_attr(struct type *datatype, int type_keyval, void *attribute_val)
{
    return em_attribute_set(TYPE, datatype, &datatype->attributes, type_keyval, attribute_val);
}
int em_Type_delete_attr(struct type *datatype, int type_keyval) { return em_attribute_delete(TYPE, datatype, &datatype->attributes, type_keyval); }
