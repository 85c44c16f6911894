/* The queries of MPI-4.1 and 5.0: statuses of many requests, pair types for MAXLOC, hardware information, added error
   classes, and splits by hardware (MPI-5.0, 3.7.6, 5.1, 7.4.2, 9.4, 9.5). Arguments include null requests. */
#include "check.h"

#if CHECK_HAVE(4, 1)
static void statuses(void)
{
    MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s[3];
    int value = -1, flag = -1, index = -1, number = -1, indices[3];
    MUST(MPI_Request_get_status_all(3, r, &flag, s));
    CHECK_INT(flag, 1);
    s[0].MPI_ERROR = MPI_ERR_OTHER;
    MUST(MPI_Request_get_status_any(3, r, &index, &flag, s));
    CHECK(flag && index == MPI_UNDEFINED);
    CHECK_INT(s[0].MPI_ERROR, MPI_SUCCESS); /* the status is empty */
    MUST(MPI_Request_get_status_some(3, r, &number, indices, s));
    CHECK_INT(number, MPI_UNDEFINED);
    MUST(MPI_Irecv(&value, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r[1]));
    MUST(MPI_Request_get_status_all(3, r, &flag, s));
    CHECK_INT(flag, 0);
    MUST(MPI_Request_get_status_some(3, r, &number, indices, s));
    CHECK_INT(number, 0);
    MUST(MPI_Send(&rank, 1, MPI_INT, rank, 5, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        MUST(MPI_Request_get_status_any(3, r, &index, &flag, s));
    CHECK_INT(index, 1);
    MUST(MPI_Request_get_status_all(3, r, &flag, s));
    CHECK_INT(flag, 1);
    CHECK_INT(s[1].MPI_TAG, 5);
    MUST(MPI_Request_get_status_some(3, r, &number, indices, s));
    CHECK(number == 1 && indices[0] == 1 && s[0].MPI_SOURCE == rank);
    MUST(MPI_Wait(&r[1], s));
    MUST(MPI_Status_set_tag(s, 17));
    MUST(MPI_Status_get_tag(s, &value));
    CHECK_INT(value, 17);
}

static void errors(void)
{
    int class = -1, code = -1, length = -1;
    char text[MPI_MAX_ERROR_STRING];
    MUST(MPI_Add_error_class(&class));
    MUST(MPI_Add_error_code(class, &code));
    MUST(MPI_Add_error_string(code, "ours"));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS); /* it has a code */
    MUST(MPI_Error_string(code, text, &length));
    CHECK_STR(text, "ours");
    CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS); /* it has a text */
    MUST(MPI_Remove_error_string(code));
    MUST(MPI_Error_string(code, text, &length));
    CHECK_STR(text, "");
    MUST(MPI_Remove_error_code(code));
    MUST(MPI_Add_error_string(class, "our class"));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    MUST(MPI_Remove_error_string(class));
    MUST(MPI_Remove_error_class(class));
    CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
    MUST(MPI_Error_class(MPI_ERR_SESSION, &class));
    CHECK_INT(class, MPI_ERR_SESSION);
    MUST(MPI_Error_string(MPI_ERR_VALUE_TOO_LARGE, text, &length));
    CHECK(length > 0 && (int)strlen(text) == length);
}
#endif

#ifdef MPI_COMM_TYPE_HW_GUIDED
/* MPI-5.0, 7.4.2: an unknown split type gives no communicator, and no error. */
static void splits(void)
{
    MPI_Comm part = MPI_COMM_SELF;
    MPI_Info info;
    int part_size = 0;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &part));
    CHECK(part == MPI_COMM_NULL);
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "mpi_hw_resource_type", "no such thing"));
    part = MPI_COMM_SELF;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part));
    CHECK(part == MPI_COMM_NULL);
    MUST(MPI_Info_free(&info));
    part = MPI_COMM_SELF;
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, rank, MPI_INFO_NULL, &part));
    if (part != MPI_COMM_NULL) {
        MUST(MPI_Comm_size(part, &part_size));
        CHECK(part_size <= size);
        MUST(MPI_Comm_free(&part));
    }
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#ifdef MPI_COMM_TYPE_HW_GUIDED
    splits();
#endif
#if CHECK_HAVE(4, 1)
    MPI_Datatype pair;
    MPI_Info info;
    int keys = -1;
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    statuses();
    errors();
    MUST(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair));
    CHECK(pair == MPI_DOUBLE_INT);
    MUST(MPI_Type_get_value_index(MPI_INT, MPI_INT, &pair));
    CHECK(pair == MPI_2INT);
    MUST(MPI_Get_hw_resource_info(&info));
    MUST(MPI_Info_get_nkeys(info, &keys));
    CHECK(keys >= 0);
    MUST(MPI_Info_free(&info));
    CHECK_CLASS(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST);
#endif
    return check_done("emul_queries");
}
