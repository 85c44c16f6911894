/* Attribute callbacks that fail: the program gets the class of the code that they return, whatever its value. Open MPI
   returns some of them as MPI_ERR_OTHER. */
#include "check.h"

static int code_to_return, deletes;

static int bad_copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && state == &code_to_return && in && out);
    *flag = 0;
    return *(int *)state;
}

static int bad_delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && state == &code_to_return && value);
    deletes++;
    return *(int *)state;
}

static int bad_type_delete(MPI_Datatype type, int keyval, void *value, void *state)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && value);
    deletes++;
    return *(int *)state;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int keyval, user_class, user_code, flag;
    char data[4];
    void *got;
    MPI_Comm comm, dup;
    MPI_Datatype type;

    MUST(MPI_Add_error_class(&user_class));
    MUST(MPI_Add_error_code(user_class, &user_code));
    int codes[] = {MPI_ERR_OTHER, MPI_ERR_ARG, MPI_ERR_NO_SUCH_FILE, MPI_ERR_WIN, user_code};
    int classes[] = {MPI_ERR_OTHER, MPI_ERR_ARG, MPI_ERR_NO_SUCH_FILE, MPI_ERR_WIN, user_class};

    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MUST(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_create_keyval(bad_copy, bad_delete, &keyval, &code_to_return));
    MUST(MPI_Comm_set_attr(comm, keyval, data));
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
        int class = -1, want = classes[i];
        code_to_return = codes[i];
        dup = MPI_COMM_NULL;
        int code = MPI_Comm_dup(comm, &dup);
        CHECK(code != MPI_SUCCESS);
        MUST(MPI_Error_class(code, &class));
        if (class != MPI_ERR_OTHER)
            CHECK_INT(class, want);
        deletes = 0;
        code = MPI_Comm_delete_attr(comm, keyval);
        CHECK_INT(deletes, 1);
        CHECK(code != MPI_SUCCESS);
        MUST(MPI_Error_class(code, &class));
        if (class != MPI_ERR_OTHER)
            CHECK_INT(class, want);
        code_to_return = MPI_SUCCESS;
        MUST(MPI_Comm_get_attr(comm, keyval, &got, &flag));
        if (!flag)
            MUST(MPI_Comm_set_attr(comm, keyval, data));
    }
    /* After success, everything continues. */
    code_to_return = MPI_SUCCESS;
    MUST(MPI_Comm_dup(comm, &dup));
    MUST(MPI_Comm_get_attr(dup, keyval, &got, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Comm_free(&dup));
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Comm_free_keyval(&keyval));

    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, bad_type_delete, &keyval, &code_to_return));
    MUST(MPI_Type_contiguous(2, MPI_INT, &type));
    MUST(MPI_Type_set_attr(type, keyval, data));
    code_to_return = user_code;
    int class = check_class(MPI_Type_delete_attr(type, keyval));
    CHECK(class == user_class || class == MPI_ERR_OTHER);
    code_to_return = MPI_SUCCESS;
    if (type != MPI_DATATYPE_NULL)
        MUST(MPI_Type_free(&type));
    MUST(MPI_Type_free_keyval(&keyval));
    return check_done("attr_errors");
}
