/* The values of the predefined attributes of MPI_COMM_WORLD: ranks and constants have the program's values. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int *value, flag, copy;

    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag == 1 && value != NULL && *value >= 32767);
    if (flag) {
        /* The bound is correct: a message may have this tag. */
        MPI_Status status;
        int got = 0, sent = 3;
        MUST(MPI_Sendrecv(&sent, 1, MPI_INT, rank, *value, &got, 1, MPI_INT, rank, *value, MPI_COMM_WORLD, &status));
        CHECK_INT(got, 3);
        CHECK_INT(status.MPI_TAG, *value);
    }
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag));
    if (flag)
        CHECK(*value == MPI_PROC_NULL || (*value >= 0 && *value < size));
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    CHECK_INT(flag, 1);
    if (flag)
        CHECK_INT(*value, MPI_ANY_SOURCE); /* every rank here can do input and output */
#ifdef MPI_FT
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_FT, &value, &flag)); /* Open MPI's attribute; no other library claims to
                                                                       survive a failure */
    if (flag)
        CHECK(*value == 0 || *value == 1);
#endif
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    if (flag)
        CHECK(*value == 0 || *value == 1);
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    if (flag)
        CHECK(*value >= 1 && *value < 1 << 20);
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    if (flag)
        CHECK_INT(*value, 0);
    value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    CHECK_INT(flag, 1);
    if (flag) {
        CHECK(*value >= MPI_ERR_LASTCODE);
        copy = *value;
        int code;
        MUST(MPI_Add_error_class(&code));
        CHECK(code > MPI_ERR_LASTCODE && code > copy);
        value = NULL;
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
        CHECK(flag == 1 && *value == code);
        MUST(MPI_Add_error_code(code, &copy));
        MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
        CHECK(flag == 1 && *value >= code); /* MPICH counts only classes, Open MPI also codes */
    }

    /* Reading again gives the same. */
    int *again;
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &again, &flag));
    CHECK(flag && *again == MPI_ANY_SOURCE);
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &again, &flag));
    CHECK(flag && *again >= 32767);

    /* The predefined attributes cannot be changed or deleted. */
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int class = check_class(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, again));
    CHECK(class == MPI_ERR_KEYVAL || class == MPI_ERR_OTHER);
    class = check_class(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_IO));
    CHECK(class == MPI_ERR_KEYVAL || class == MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &again, &flag), MPI_ERR_KEYVAL);
    return check_done("attr_predefined");
}
