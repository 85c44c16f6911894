/* Errors that are returned with MPI_ERRORS_RETURN: their classes and texts (MPI-3.1, 8.4). */
#include "check.h"

static void classes(void)
{
    int data = 0, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Request request;
    MPI_Status status;
    CHECK_CLASS(MPI_Send(&data, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send(&data, 1, MPI_INT, -77, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Isend(&data, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Recv(&data, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &status), MPI_ERR_RANK);
    CHECK_CLASS(MPI_Send(&data, 1, MPI_INT, 0, -55, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_CLASS(MPI_Send(&data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send(&data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Bcast(&data, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Bcast(&data, 1, MPI_INT, -9, MPI_COMM_WORLD), MPI_ERR_ROOT);
    CHECK_CLASS(MPI_Allreduce(&data, &length, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
    CHECK_CLASS(MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);

    /* A code has a text and a class. The class of a class is the class itself. */
    int code = MPI_Send(&data, 1, MPI_INT, size, 0, MPI_COMM_WORLD), error_class = -1;
    MUST(MPI_Error_string(code, text, &length));
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING);
    CHECK_INT(strnlen(text, sizeof text), length);
    MUST(MPI_Error_class(MPI_ERR_TRUNCATE, &error_class));
    CHECK_INT(error_class, MPI_ERR_TRUNCATE);
    MUST(MPI_Error_class(MPI_SUCCESS, &error_class));
    CHECK_INT(error_class, MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    classes();
    return check_done("p2p_errors");
}
