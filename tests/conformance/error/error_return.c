/* MPI_ERRORS_RETURN: wrong arguments give a code of the right class with a text, and MPI works afterwards. */
#include "check.h"

/* The call must fail with a code of this class that MPI_Error_string accepts. */
#define FAILS(call, want) fails(call, want, want, #call, __LINE__)
#define FAILS2(call, want, or) fails(call, want, or, #call, __LINE__)

static void fails(int code, int want, int or, const char *call, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int class = -1, length = -1;
    if (code == MPI_SUCCESS) {
        check_fail(__FILE__, line, "%s succeeded", call);
        return;
    }
    MUST(MPI_Error_class(code, &class));
    if (class != want && class != or)
        check_fail(__FILE__, line, "%s failed with class %d, not %d", call, class, want);
    MUST(MPI_Error_string(code, text, &length));
    CHECK(length > 0 && text[0] != 0);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD, comm = MPI_COMM_NULL;
    MPI_Errhandler handler;
    int data = 5, value, flag;
    MPI_Status status;

    MUST(MPI_Comm_get_errhandler(world, &handler));
    CHECK(handler == MPI_ERRORS_ARE_FATAL);
    MUST(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    MUST(MPI_Comm_get_errhandler(world, &handler));
    CHECK(handler == MPI_ERRORS_RETURN);

    for (int round = 0; round < 3; round++) {
        FAILS(MPI_Send(&data, 1, MPI_INT, size, 0, world), MPI_ERR_RANK);
        FAILS(MPI_Send(&data, 1, MPI_INT, -77, 0, world), MPI_ERR_RANK);
        FAILS(MPI_Recv(&data, 1, MPI_INT, size + 3, 0, world, &status), MPI_ERR_RANK);
        FAILS(MPI_Send(&data, 1, MPI_INT, rank, -99, world), MPI_ERR_TAG);
        FAILS(MPI_Send(&data, -1, MPI_INT, rank, 0, world), MPI_ERR_COUNT);
        FAILS(MPI_Send(&data, 1, MPI_DATATYPE_NULL, rank, 0, world), MPI_ERR_TYPE);
        FAILS(MPI_Send(&data, 1, MPI_INT, rank, 0, MPI_COMM_NULL), MPI_ERR_COMM);
        FAILS(MPI_Bcast(&data, 1, MPI_INT, size, world), MPI_ERR_ROOT);
        FAILS(MPI_Bcast(&data, 1, MPI_DATATYPE_NULL, 0, world), MPI_ERR_TYPE);
        FAILS(MPI_Bcast(&data, -1, MPI_INT, 0, world), MPI_ERR_COUNT);
        FAILS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
        FAILS(MPI_Allreduce(MPI_IN_PLACE, &data, 1, MPI_INT, MPI_OP_NULL, world), MPI_ERR_OP);
        FAILS(MPI_Comm_rank(MPI_COMM_NULL, &value), MPI_ERR_COMM);
        FAILS(MPI_Comm_size(MPI_COMM_NULL, &value), MPI_ERR_COMM);
        FAILS(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
        FAILS2(MPI_Comm_free(&comm), MPI_ERR_COMM, MPI_ERR_ARG);
        FAILS(MPI_Group_size(MPI_GROUP_NULL, &value), MPI_ERR_GROUP);
        FAILS(MPI_Type_size(MPI_DATATYPE_NULL, &value), MPI_ERR_TYPE);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        FAILS(MPI_Type_contiguous(3, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
        FAILS2(MPI_Type_contiguous(-3, MPI_INT, &type), MPI_ERR_COUNT, MPI_ERR_ARG);
        type = MPI_INT;
        FAILS(MPI_Type_free(&type), MPI_ERR_TYPE); /* a predefined type */
        CHECK(type == MPI_INT);
        MPI_Op op = MPI_SUM;
        FAILS2(MPI_Op_free(&op), MPI_ERR_OP, MPI_ERR_ARG);
        FAILS(MPI_Comm_get_attr(world, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
        FAILS2(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN, MPI_ERR_COMM);
        MPI_Win win = MPI_WIN_NULL;
        FAILS(MPI_Win_free(&win), MPI_ERR_WIN);
        MPI_Request request = MPI_REQUEST_NULL;
        FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
        FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
        FAILS2(MPI_Cart_create(world, -1, &value, &value, 0, &comm), MPI_ERR_DIMS, MPI_ERR_ARG);

        /* A message that is too long: the code has the right class, and communication still works. */
        int pair[2] = {1, 2}, one = -1;
        MPI_Request send;
        MUST(MPI_Isend(pair, 2, MPI_INT, rank, 9, world, &send));
        FAILS(MPI_Recv(&one, 1, MPI_INT, rank, 9, world, &status), MPI_ERR_TRUNCATE);
        MUST(MPI_Wait(&send, MPI_STATUS_IGNORE));
        MUST(MPI_Isend(pair, 2, MPI_INT, rank, 9, world, &send));
        MUST(MPI_Irecv(&one, 1, MPI_INT, rank, 9, world, &request));
        FAILS(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
        MUST(MPI_Wait(&send, MPI_STATUS_IGNORE));

        int sum = 0;
        MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world));
        CHECK_INT(sum, size * (size - 1) / 2);
    }
    MUST(MPI_Comm_set_errhandler(world, MPI_ERRORS_ARE_FATAL));
    return check_done("error_return");
}
