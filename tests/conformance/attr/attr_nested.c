/* Attribute callbacks that create, set, read, delete and free attributes, keyvals and objects, and attributes in every
   call that derives an object from another (MPI-3.1, 6.4.2, 6.7). */
#include "check.h"

#include <stdint.h>

static int outer, inner, outer_deletes, inner_deletes, outer_copies;
static MPI_Comm spare = MPI_COMM_NULL;

static int inner_delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)keyval, (void)state;
    inner_deletes++;
    CHECK(comm != MPI_COMM_NULL);
    CHECK((intptr_t)value == 7);
    return MPI_SUCCESS;
}

/* Sets an attribute on another communicator, creates a keyval, and duplicates the same communicator. */
static int outer_copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    void *got = NULL;
    int there = 0, own = MPI_KEYVAL_INVALID;
    (void)keyval, (void)state;
    outer_copies++;
    MUST(MPI_Comm_set_attr(spare, inner, (void *)(intptr_t)7));
    MUST(MPI_Comm_get_attr(comm, outer, &got, &there));
    CHECK(there && got == in);
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, inner_delete, &own, NULL));
    MUST(MPI_Comm_set_attr(spare, own, (void *)(intptr_t)7));
    MUST(MPI_Comm_free_keyval(&own));
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int outer_delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    MPI_Group group;
    MPI_Datatype type;
    (void)keyval, (void)state, (void)value;
    outer_deletes++;
    MUST(MPI_Comm_delete_attr(spare, inner));
    MUST(MPI_Comm_group(comm, &group));
    MUST(MPI_Group_free(&group));
    MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &type));
    MUST(MPI_Type_free(&type));
    return MPI_SUCCESS;
}

/* Checks whether the new communicator has the attribute. */
static void made(MPI_Comm comm, int copied)
{
    void *got = NULL;
    int flag = -1, before = outer_deletes;
    if (comm == MPI_COMM_NULL)
        return;
    MUST(MPI_Comm_get_attr(comm, outer, &got, &flag));
    CHECK_INT(flag, copied);
    if (copied) {
        CHECK(got == (void *)&outer);
        MUST(MPI_Comm_set_attr(spare, inner, (void *)(intptr_t)7));
    }
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(outer_deletes, before + copied);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm comm, new;
    MPI_Group group;
    MPI_Request request;
    MPI_Info info;
    const int dims[1] = {size}, periods[1] = {0};

    MUST(MPI_Comm_dup(MPI_COMM_SELF, &spare));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_create_keyval(outer_copy, outer_delete, &outer, NULL));
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, inner_delete, &inner, NULL));
    MUST(MPI_Comm_set_attr(comm, outer, &outer));

    MUST(MPI_Comm_dup(comm, &new));
    made(new, 1);
    CHECK_INT(outer_copies, 1);
    MUST(MPI_Info_create(&info));
    MUST(MPI_Comm_dup_with_info(comm, info, &new));
    made(new, 1);
    MUST(MPI_Info_free(&info));
    MUST(MPI_Comm_idup(comm, &new, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    made(new, 1);
    CHECK_INT(outer_copies, 3);
    MUST(MPI_Comm_split(comm, rank % 2, 0, &new));
    made(new, 0);
    MUST(MPI_Comm_group(comm, &group));
    MUST(MPI_Comm_create(comm, group, &new));
    made(new, 0);
    MUST(MPI_Group_free(&group));
    MUST(MPI_Cart_create(comm, 1, dims, periods, 0, &new));
    made(new, 0);
    CHECK_INT(outer_copies, 3);

    /* An intercommunicator is created, duplicated and merged. */
    if (size > 1) {
        MPI_Comm half, inter, both;
        MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
        MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 5, &inter));
        MUST(MPI_Comm_set_attr(inter, outer, &outer));
        MUST(MPI_Comm_dup(inter, &new));
        made(new, 1);
        MUST(MPI_Intercomm_merge(inter, rank % 2, &both));
        made(both, 0);
        MUST(MPI_Comm_set_attr(spare, inner, (void *)(intptr_t)7));
        MUST(MPI_Comm_free(&inter));
        MUST(MPI_Comm_free(&half));
    }

    /* Both keyvals are freed; the attributes under them continue to exist. */
    int keyval = outer;
    MUST(MPI_Comm_free_keyval(&keyval));
    MUST(MPI_Comm_set_attr(spare, inner, (void *)(intptr_t)7));
    outer_deletes = 0;
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(outer_deletes, 1);
    MUST(MPI_Comm_set_attr(spare, inner, (void *)(intptr_t)7));
    MUST(MPI_Comm_free_keyval(&inner));
    inner_deletes = 0;
    MUST(MPI_Comm_free(&spare));
    CHECK(inner_deletes > 1);
    return check_done("attr_nested");
}
