/* Attributes of communicators: keyvals with the program's callbacks, the predefined callbacks, and calls from inside
   callbacks. */
#include "check.h"

#include <stdint.h>

struct log {
    int copies, deletes;
    MPI_Comm comm;
    int keyval;
    void *value;
};

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    struct log *log = state;
    int value = -1;
    log->copies++;
    log->comm = comm;
    log->keyval = keyval;
    log->value = in;
    /* A callback may call MPI, also on this communicator. */
    MUST(MPI_Comm_rank(comm, &value));
    CHECK(value >= 0);
    MPI_Group group;
    MUST(MPI_Comm_group(comm, &group));
    MUST(MPI_Group_free(&group));
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    struct log *log = state;
    log->deletes++;
    log->comm = comm;
    log->keyval = keyval;
    log->value = value;
    int flag = -1, size_inside = -1;
    void *tag;
    MUST(MPI_Comm_size(comm, &size_inside));
    CHECK(size_inside >= 1);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &flag));
    CHECK_INT(flag, 1);
    return MPI_SUCCESS;
}

static int other_copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    ((struct log *)state)->copies += 100;
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && in != NULL && out != NULL);
    *flag = 0; /* the attribute is not copied */
    return MPI_SUCCESS;
}

static int other_delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    ((struct log *)state)->deletes += 100;
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && value != NULL);
    return MPI_SUCCESS;
}

static int failing_copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && in != NULL && out != NULL && state == NULL);
    *flag = 1;
    return MPI_ERR_OTHER;
}

/* The libraries return no communicator if copying an attribute fails. */
static void failing_dup(void)
{
    MPI_Comm comm, copy;
    int keyval;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_create_keyval(failing_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    MUST(MPI_Comm_set_attr(comm, keyval, &keyval));
    copy = MPI_COMM_WORLD;
    CHECK(MPI_Comm_dup(comm, &copy) != MPI_SUCCESS);
    CHECK(copy == MPI_COMM_NULL);
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free_keyval(&keyval));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    struct log first = {0}, second = {0};
    char data[16];
    int one, two, plain, nothing, flag;
    void *got;
    MPI_Comm comm, dup;

    MUST(MPI_Comm_create_keyval(copy, delete, &one, &first));
    MUST(MPI_Comm_create_keyval(other_copy, other_delete, &two, &second));
    MUST(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL));
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &nothing, NULL));
    CHECK(one != two && one != plain && two != plain && plain != nothing);
    CHECK(one != MPI_KEYVAL_INVALID && one != MPI_TAG_UB && one != MPI_IO && one != MPI_HOST);

    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    flag = -1;
    MUST(MPI_Comm_get_attr(comm, one, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Comm_set_attr(comm, one, data));
    MUST(MPI_Comm_set_attr(comm, two, data + 4));
    MUST(MPI_Comm_set_attr(comm, plain, data + 8));
    MUST(MPI_Comm_set_attr(comm, nothing, (void *)(intptr_t)-42)); /* any word is a valid value */
    got = NULL;
    MUST(MPI_Comm_get_attr(comm, one, &got, &flag));
    CHECK(flag && got == data);
    MUST(MPI_Comm_get_attr(comm, two, &got, &flag));
    CHECK(flag && got == data + 4);
    MUST(MPI_Comm_get_attr(comm, plain, &got, &flag));
    CHECK(flag && got == data + 8);
    MUST(MPI_Comm_get_attr(comm, nothing, &got, &flag));
    CHECK(flag && got == (void *)(intptr_t)-42);
    CHECK_INT(first.copies + first.deletes + second.copies + second.deletes, 0);

    MUST(MPI_Comm_dup(comm, &dup));
    CHECK_INT(first.copies, 1);
    CHECK(first.comm == comm && first.keyval == one && first.value == data);
    CHECK_INT(second.copies, 100);
    MUST(MPI_Comm_get_attr(dup, one, &got, &flag));
    CHECK(flag && got == data + 1);
    MUST(MPI_Comm_get_attr(dup, two, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Comm_get_attr(dup, plain, &got, &flag));
    CHECK(flag && got == data + 8);
    MUST(MPI_Comm_get_attr(dup, nothing, &got, &flag));
    CHECK_INT(flag, 0);

    /* Setting the attribute again deletes the old value. */
    MUST(MPI_Comm_set_attr(dup, one, data + 2));
    CHECK_INT(first.deletes, 1);
    CHECK(first.comm == dup && first.keyval == one && first.value == data + 1);
    MUST(MPI_Comm_delete_attr(dup, one));
    CHECK_INT(first.deletes, 2);
    CHECK(first.value == data + 2);
    MUST(MPI_Comm_get_attr(dup, one, &got, &flag));
    CHECK_INT(flag, 0);
    MPI_Comm freed = dup;
    MUST(MPI_Comm_set_attr(dup, one, data + 3));
    MUST(MPI_Comm_free(&dup));
    CHECK_INT(first.deletes, 3);
    CHECK(first.comm == freed && first.value == data + 3);

    /* A freed keyval lives as long as its attributes. */
    int old = two;
    MUST(MPI_Comm_free_keyval(&two));
    CHECK_INT(two, MPI_KEYVAL_INVALID);
    MUST(MPI_Comm_dup(comm, &dup));
    CHECK_INT(second.copies, 200);
    MUST(MPI_Comm_free(&dup));
    CHECK_INT(second.deletes, 0);
    MUST(MPI_Comm_free(&comm));
    CHECK_INT(second.deletes, 100);
    CHECK_INT(first.copies, 2);
    CHECK_INT(first.deletes, 5);
    CHECK(old != MPI_KEYVAL_INVALID);

    /* The same function under two keyvals with different states. */
    struct log third = {0};
    int three;
    MUST(MPI_Comm_create_keyval(copy, delete, &three, &third));
    MUST(MPI_Comm_set_attr(MPI_COMM_WORLD, three, data + 5));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    CHECK(third.copies == 1 && third.comm == MPI_COMM_WORLD && third.keyval == three);
    MUST(MPI_Comm_free(&dup));
    CHECK(third.deletes == 1 && third.value == data + 6);
    MUST(MPI_Comm_delete_attr(MPI_COMM_WORLD, three));
    CHECK(third.deletes == 2 && third.comm == MPI_COMM_WORLD && third.value == data + 5);
    CHECK_INT(first.copies, 2);
    MUST(MPI_Comm_free_keyval(&three));
    MUST(MPI_Comm_free_keyval(&one));
    MUST(MPI_Comm_free_keyval(&plain));
    MUST(MPI_Comm_free_keyval(&nothing));

    /* Many keyvals, created and freed. */
    for (int i = 0; i < 1000; i++) {
        int key = MPI_KEYVAL_INVALID;
        MUST(MPI_Comm_create_keyval(copy, delete, &key, &third));
        MUST(MPI_Comm_set_attr(MPI_COMM_SELF, key, data));
        MUST(MPI_Comm_delete_attr(MPI_COMM_SELF, key));
        MUST(MPI_Comm_free_keyval(&key));
    }
    CHECK_INT(third.deletes, 1002);
    CHECK(third.comm == MPI_COMM_SELF);
    failing_dup();
    return check_done("attr_comm");
}
