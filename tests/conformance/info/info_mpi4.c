/* The info functions of MPI-4.0. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if CHECK_HAVE(4, 0)
    int version, subversion, flag = -1, room;
    char value[32];
    MPI_Info info;
    MUST(MPI_Get_version(&version, &subversion));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "name", "a value"));
    room = sizeof value;
    int code = MPI_Info_get_string(info, "name", &room, value, &flag);
    if (version < 4 && code != MPI_SUCCESS)
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_OPERATION);
    else {
        CHECK_INT(code, MPI_SUCCESS);
        CHECK_INT(flag, 1);
        CHECK_INT(room, 8); /* including the final zero */
        CHECK_STR(value, "a value");
        memset(value, 'z', sizeof value);
        room = 4;
        MUST(MPI_Info_get_string(info, "name", &room, value, &flag));
        CHECK_INT(room, 8);
        CHECK_STR(value, "a v");
        CHECK_INT(value[4], 'z');
        room = 0;
        MUST(MPI_Info_get_string(info, "name", &room, value, &flag));
        CHECK_INT(room, 8);
        MUST(MPI_Info_get_string(info, "none", &room, value, &flag));
        CHECK_INT(flag, 0);
    }
    MUST(MPI_Info_free(&info));
    code = MPI_Info_create_env(argc, argv, &info);
    if (version < 4 && code != MPI_SUCCESS)
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_OPERATION);
    else {
        CHECK_INT(code, MPI_SUCCESS);
        int number = -1;
        MUST(MPI_Info_get_nkeys(info, &number));
        CHECK(number >= 0);
        MUST(MPI_Info_free(&info));
        CHECK(info == MPI_INFO_NULL);
    }
    MPI_Comm dup;
    MPI_Request request = MPI_REQUEST_NULL;
    code = MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &dup, &request);
    if (version < 4 && code != MPI_SUCCESS)
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_OPERATION);
    else {
        CHECK_INT(code, MPI_SUCCESS);
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        int result;
        MUST(MPI_Comm_compare(dup, MPI_COMM_WORLD, &result));
        CHECK_INT(result, MPI_CONGRUENT);
        MUST(MPI_Comm_free(&dup));
    }
#endif
    return check_done("info_mpi4");
}
