/* Keyvals whose callbacks are MPI_COMM_NULL_COPY_FN and MPI_COMM_NULL_DELETE_FN: their attributes are not
   copied, and end without a call. A library may give the number of a freed keyval to the next one,
   whose callbacks then count (MPI-3.1, 6.7.2). */
#include "check.h"

#include <stdint.h>

enum { ROUNDS = 200 };
static int copies, deletes;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)state;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value;
    CHECK((intptr_t)state == 5);
    deletes++;
    return MPI_SUCCESS;
}

/* Checks that the communicator has the attribute with a value, or does not have it if value is 0. */
static void check_attribute(MPI_Comm comm, int keyval, intptr_t value)
{
    void *got = NULL;
    int there = -1;
    MUST(MPI_Comm_get_attr(comm, keyval, &got, &there));
    CHECK_INT(there, value != 0);
    if (there)
        CHECK((intptr_t)got == value);
}

/* Sets, overwrites and deletes an attribute, and copies the communicator. */
static void use(int keyval, int has_callbacks)
{
    MPI_Comm comm, other;
    copies = deletes = 0;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MUST(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)1));
    MUST(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)2));
    CHECK_INT(deletes, has_callbacks);
    MUST(MPI_Comm_dup(comm, &other));
    CHECK_INT(copies, has_callbacks);
    check_attribute(other, keyval, has_callbacks ? 2 : 0);
    check_attribute(comm, keyval, 2);
    MUST(MPI_Comm_delete_attr(comm, keyval));
    check_attribute(comm, keyval, 0);
    MUST(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)3));
    MUST(MPI_Comm_free(&other));
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(deletes, 4 * has_callbacks);
}

static void create(int *keyval, int has_callbacks)
{
    if (has_callbacks)
        MUST(MPI_Comm_create_keyval(copy, drop, keyval, (void *)(intptr_t)5));
    else
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, NULL));
}

/* Keyvals with and without callbacks take turns. Some outlive others. */
static void take_turns(void)
{
    int kept = MPI_KEYVAL_INVALID;
    for (int i = 0; i < ROUNDS; i++) {
        int keyval, has_callbacks = i % 3 == 1;
        create(&keyval, has_callbacks);
        use(keyval, has_callbacks);
        if (i % 7 == 0) {
            if (kept != MPI_KEYVAL_INVALID)
                MUST(MPI_Comm_free_keyval(&kept));
            kept = keyval;
        } else {
            MUST(MPI_Comm_free_keyval(&keyval));
            CHECK_INT(keyval, MPI_KEYVAL_INVALID);
        }
    }
    MUST(MPI_Comm_free_keyval(&kept));
}

/* A freed keyval serves as long as there is an attribute under it, and its number is not given to another. */
static void free_early(int has_callbacks)
{
    MPI_Comm comm;
    int keyval, copy_of_keyval, next;
    copies = deletes = 0;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    create(&keyval, has_callbacks);
    MUST(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)1));
    copy_of_keyval = keyval;
    MUST(MPI_Comm_free_keyval(&keyval));
    create(&next, !has_callbacks);
    CHECK(next != copy_of_keyval);
    check_attribute(comm, copy_of_keyval, 1);
    check_attribute(comm, next, 0);
    MUST(MPI_Comm_free_keyval(&next));
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(deletes, has_callbacks);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    take_turns();
    free_early(0);
    free_early(1);
    return check_done("attr_plain");
}
