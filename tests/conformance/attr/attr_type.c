/* Attributes of datatypes: MPI_Type_dup copies them and MPI_Type_free deletes them. The callbacks get the program's
   handle. */
#include "check.h"

struct log {
    int copies, deletes, keyval, combiner;
    MPI_Datatype type;
    void *value;
};

static int copy(MPI_Datatype type, int keyval, void *state, void *in, void *out, int *flag)
{
    struct log *log = state;
    int integers, addresses, types;
    log->copies++;
    log->type = type;
    log->keyval = keyval;
    log->value = in;
    MUST(MPI_Type_get_envelope(type, &integers, &addresses, &types, &log->combiner));
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Datatype type, int keyval, void *value, void *state)
{
    struct log *log = state;
    log->deletes++;
    log->type = type;
    log->keyval = keyval;
    log->value = value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    struct log a = {0}, b = {0};
    int one, two, plain, none, flag;
    char data[16];
    void *got;
    MPI_Datatype vector, dup;

    MUST(MPI_Type_create_keyval(copy, delete, &one, &a));
    MUST(MPI_Type_create_keyval(copy, delete, &two, &b));
    MUST(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &plain, NULL));
    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &none, NULL));
    CHECK(one != two && two != plain && plain != none && one != MPI_KEYVAL_INVALID);

    MUST(MPI_Type_vector(3, 1, 2, MPI_INT, &vector));
    MUST(MPI_Type_get_attr(vector, one, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Type_set_attr(vector, one, data));
    MUST(MPI_Type_set_attr(vector, two, data + 4));
    MUST(MPI_Type_set_attr(vector, plain, data + 8));
    MUST(MPI_Type_set_attr(vector, none, data + 12));
    MUST(MPI_Type_get_attr(vector, two, &got, &flag));
    CHECK(flag && got == data + 4);

    MUST(MPI_Type_dup(vector, &dup));
    CHECK(a.copies == 1 && a.type == vector && a.keyval == one && a.value == data);
    CHECK_INT(a.combiner, MPI_COMBINER_VECTOR);
    CHECK(b.copies == 1 && b.type == vector && b.keyval == two && b.value == data + 4);
    MUST(MPI_Type_get_attr(dup, one, &got, &flag));
    CHECK(flag && got == data + 1);
    MUST(MPI_Type_get_attr(dup, plain, &got, &flag));
    CHECK(flag && got == data + 8);
    MUST(MPI_Type_get_attr(dup, none, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Type_delete_attr(dup, one));
    CHECK(a.deletes == 1 && a.type == dup && a.value == data + 1);
    MPI_Datatype freed = dup;
    MUST(MPI_Type_free(&dup));
    CHECK(b.deletes == 1 && b.type == freed && b.value == data + 5 && b.keyval == two);
    CHECK_INT(a.deletes, 1);
    MUST(MPI_Type_free(&vector));
    CHECK(a.deletes == 2 && a.value == data && b.deletes == 2);

    /* A predefined datatype can have attributes, too, and callbacks get its predefined handle. */
    MUST(MPI_Type_set_attr(MPI_DOUBLE, one, data + 3));
    MUST(MPI_Type_get_attr(MPI_DOUBLE, one, &got, &flag));
    CHECK(flag && got == data + 3);
    MUST(MPI_Type_dup(MPI_DOUBLE, &dup));
    CHECK(a.copies == 2 && a.type == MPI_DOUBLE && a.combiner == MPI_COMBINER_NAMED);
    MUST(MPI_Type_free(&dup));
    MUST(MPI_Type_delete_attr(MPI_DOUBLE, one));
    CHECK(a.deletes == 4 && a.type == MPI_DOUBLE);

    MUST(MPI_Type_free_keyval(&one));
    CHECK_INT(one, MPI_KEYVAL_INVALID);
    MUST(MPI_Type_free_keyval(&two));
    MUST(MPI_Type_free_keyval(&plain));
    MUST(MPI_Type_free_keyval(&none));
    return check_done("attr_type");
}
