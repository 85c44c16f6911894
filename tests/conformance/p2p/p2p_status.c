/* The values in a status, and the fields that a call must not change (MPI-3.1, 3.2.5, 3.2.6, 3.7.3, 12.3). */
#include "check.h"

static const int untouched = 987654321;

static void fields(void)
{
    int data[4] = {1, 2, 3, 4}, in[8] = {0}, count = -1, flag = -1;
    MPI_Status status;
    MPI_Request request;

    /* Only the calls that complete several operations set MPI_ERROR. */
    MUST(MPI_Isend(data, 3, MPI_INT, rank, 21, MPI_COMM_WORLD, &request));
    status.MPI_ERROR = untouched;
    MUST(MPI_Recv(in, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    CHECK_INT(status.MPI_SOURCE, rank);
    CHECK_INT(status.MPI_TAG, 21);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_INT(count, 3 * sizeof(int));
    MUST(MPI_Get_elements(&status, MPI_INT, &count));
    CHECK_INT(count, 3);
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 0);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    MUST(MPI_Isend(data, 2, MPI_INT, rank, 24, MPI_COMM_WORLD, &request));
    status.MPI_ERROR = untouched;
    MUST(MPI_Sendrecv(data, 0, MPI_INT, MPI_PROC_NULL, 0, in, 8, MPI_INT, rank, 24, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
    CHECK_INT(status.MPI_TAG, 24);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    /* Nor does a call that completes a cancelled receive. */
    MUST(MPI_Irecv(in, 1, MPI_INT, rank, 25, MPI_COMM_WORLD, &request));
    MUST(MPI_Cancel(&request));
    status.MPI_ERROR = untouched;
    MUST(MPI_Wait(&request, &status));
    CHECK_INT(status.MPI_ERROR, untouched);
}

static void null_process(void)
{
    int data = 5, count = -1, flag = -1;
    MPI_Status status;
    MPI_Request request;
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
    MUST(MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_INT(data, 5);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_INT(count, 0);

    memset(&status, 0x55, sizeof status);
    MUST(MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    MUST(MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
}

/* Checks the empty status: source ANY_SOURCE, tag ANY_TAG, count 0, not cancelled. */
static void is_empty(const MPI_Status *status)
{
    int count = -1, flag = -1;
    CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, 0);
    MUST(MPI_Get_elements(status, MPI_INT, &count));
    CHECK_INT(count, 0);
    MUST(MPI_Test_cancelled(status, &flag));
    CHECK_INT(flag, 0);
}

static void empty(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag = -1, data = 0;
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Wait(&request, &status));
    is_empty(&status);
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 1);
    is_empty(&status);
    memset(&status, 0x55, sizeof status);
    flag = -1;
    MUST(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 1);
    is_empty(&status);

    /* An inactive persistent request. */
    MUST(MPI_Recv_init(&data, 1, MPI_INT, rank, 30, MPI_COMM_WORLD, &request));
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Wait(&request, &status));
    is_empty(&status);
    CHECK(request != MPI_REQUEST_NULL);
    memset(&status, 0x55, sizeof status);
    flag = -1;
    MUST(MPI_Test(&request, &flag, &status));
    CHECK_INT(flag, 1);
    is_empty(&status);
    MUST(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

/* Counts that are no whole number of elements, and counts and flags set by the program. */
static void counts(void)
{
    int in[9] = {0}, data[5] = {1, 2, 3, 4, 5}, count = -1, flag = -1;
    MPI_Count large = -1;
    MPI_Datatype three;
    MPI_Status status;
    MPI_Request request;
    MUST(MPI_Type_contiguous(3, MPI_INT, &three));
    MUST(MPI_Type_commit(&three));
    MUST(MPI_Irecv(in, 3, three, rank, 31, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(data, 5, MPI_INT, rank, 31, MPI_COMM_WORLD));
    MUST(MPI_Wait(&request, &status));
    MUST(MPI_Get_count(&status, three, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    MUST(MPI_Get_elements(&status, three, &count));
    CHECK_INT(count, 5);
    MUST(MPI_Get_elements_x(&status, three, &large));
    CHECK_INT(large, 5);
    CHECK_INT(in[4], 5);
    CHECK_INT(in[5], 0);

    memset(&status, 0, sizeof status);
    MUST(MPI_Status_set_elements(&status, MPI_INT, 6));
    MUST(MPI_Get_elements(&status, MPI_INT, &count));
    CHECK_INT(count, 6);
    MUST(MPI_Get_count(&status, three, &count));
    CHECK_INT(count, 2);
    MUST(MPI_Status_set_cancelled(&status, 2)); /* any nonzero value is true */
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    MUST(MPI_Status_set_cancelled(&status, 1));
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Get_elements(&status, MPI_INT, &count));
    CHECK_INT(count, 6);
    MUST(MPI_Status_set_cancelled(&status, 0));
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 0);

    /* More than an int can hold. */
    const MPI_Count big = (MPI_Count)5 << 32;
    MUST(MPI_Status_set_elements_x(&status, MPI_BYTE, big));
    MUST(MPI_Get_elements_x(&status, MPI_BYTE, &large));
    CHECK_INT(large, big);
    MUST(MPI_Get_elements(&status, MPI_BYTE, &count));
    CHECK_INT(count, MPI_UNDEFINED);
    MUST(MPI_Type_free(&three));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    fields();
    null_process();
    empty();
    counts();
    return check_done("p2p_status");
}
