/* Cancelling receives, and freeing requests that are still active (MPI-3.1, 3.7.3, 3.8.4). */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int in = -1, flag = -1, data = 9, index = -1;
    MPI_Request request, before, requests[3];
    MPI_Status status, statuses[3];

    MUST(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 81, MPI_COMM_WORLD, &request));
    before = request;
    MUST(MPI_Cancel(&request));
    CHECK(request == before);
    MUST(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(in, -1);

    /* Through Test. */
    MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 82, MPI_COMM_WORLD, &request));
    MUST(MPI_Cancel(&request));
    for (flag = 0; !flag;)
        MUST(MPI_Test(&request, &flag, &status));
    flag = -1;
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 1);

    /* Among others: only the cancelled request is cancelled. */
    int values[3] = {-1, -1, -1};
    for (int i = 0; i < 3; i++)
        MUST(MPI_Irecv(&values[i], 1, MPI_INT, rank, 83 + i, MPI_COMM_WORLD, &requests[i]));
    MUST(MPI_Cancel(&requests[1]));
    MUST(MPI_Send(&data, 1, MPI_INT, rank, 83, MPI_COMM_WORLD));
    MUST(MPI_Send(&data, 1, MPI_INT, rank, 85, MPI_COMM_WORLD));
    MUST(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        flag = -1;
        MUST(MPI_Test_cancelled(&statuses[i], &flag));
        CHECK_INT(flag, i == 1);
        CHECK_INT(values[i], i == 1 ? -1 : 9);
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }

    /* A message that has already arrived is received in spite of the cancel. */
    MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 90, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(&data, 1, MPI_INT, rank, 90, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
    MUST(MPI_Cancel(&request));
    MUST(MPI_Wait(&request, &status));
    MUST(MPI_Test_cancelled(&status, &flag));
    CHECK_INT(flag, 0);
    CHECK_INT(in, 9);

    /* A persistent receive is cancelled, then used again. */
    MUST(MPI_Recv_init(&in, 1, MPI_INT, rank, 91, MPI_COMM_WORLD, &request));
    before = request;
    for (int round = 0; round < 3; round++) {
        MUST(MPI_Start(&request));
        MUST(MPI_Cancel(&request));
        MUST(MPI_Wait(&request, &status));
        MUST(MPI_Test_cancelled(&status, &flag));
        CHECK_INT(flag, 1);
        CHECK(request == before);
        in = -1;
        MUST(MPI_Start(&request));
        MUST(MPI_Send(&data, 1, MPI_INT, rank, 91, MPI_COMM_WORLD));
        MUST(MPI_Waitany(1, &request, &index, &status));
        CHECK_INT(index, 0);
        MUST(MPI_Test_cancelled(&status, &flag));
        CHECK_INT(flag, 0);
        CHECK_INT(in, 9);
        CHECK(request == before);
    }
    MUST(MPI_Request_free(&request));

    /* An active request may be freed; the operation continues. */
    int sent[2] = {31, 32}, got[2] = {0, 0};
    MUST(MPI_Isend(&sent[0], 1, MPI_INT, rank, 92, MPI_COMM_WORLD, &request));
    MUST(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    MUST(MPI_Recv(&got[0], 1, MPI_INT, rank, 92, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(got[0], 31);
    volatile int *arrived = &got[1];
    MUST(MPI_Irecv(&got[1], 1, MPI_INT, rank, 93, MPI_COMM_WORLD, &request));
    MUST(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    MUST(MPI_Send(&sent[1], 1, MPI_INT, rank, 93, MPI_COMM_WORLD));
    for (int i = 0; i < 100000 && *arrived == 0; i++)
        MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_INT(*arrived, 32);
    return check_done("p2p_cancel");
}
