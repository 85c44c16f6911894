/*
 * Messages that are longer than the receive, and MPI_ERR_IN_STATUS (MPI-3.1,
 * 3.2.4, 3.7.5).
 */
#ifndef TRUNCATE_H
#define TRUNCATE_H

#include "check.h"

static void truncation(int to, int from)
{
    int data[4] = {1, 2, 3, 4}, in[4] = {0};
    MPI_Request request;
    MPI_Status status;
    MUST(MPI_Isend(data, 4, MPI_INT, to, 61, MPI_COMM_WORLD, &request));
    CHECK_CLASS(MPI_Recv(in, 2, MPI_INT, from, 61, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    CHECK_INT(in[2], 0);
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));

    MUST(MPI_Irecv(in, 1, MPI_INT, from, 62, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(data, 3, MPI_INT, to, 62, MPI_COMM_WORLD));
    CHECK_CLASS(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(in[1] == 2 || in[1] == 0, 1);

    MUST(MPI_Irecv(in, 1, MPI_INT, from, 63, MPI_COMM_WORLD, &request));
    MUST(MPI_Send(data, 3, MPI_INT, to, 63, MPI_COMM_WORLD));
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS)
        code = MPI_Test(&request, &flag, &status);
    CHECK_CLASS(code, MPI_ERR_TRUNCATE);
    CHECK(request == MPI_REQUEST_NULL);

    /* The communicator still works. */
    MUST(MPI_Sendrecv(data, 4, MPI_INT, to, 64, in, 4, MPI_INT, from, 64, MPI_COMM_WORLD, &status));
    CHECK_INT(in[3], 4);
}

/* The second of three receives is too short. Each status describes its own receive. */
static void in_status(int some, int to, int from)
{
    int data[4] = {1, 2, 3, 4}, in[3][4] = {{0}}, indices[3], outcount = -1;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    for (int i = 0; i < 3; i++)
        MUST(MPI_Irecv(in[i], i == 1 ? 2 : 4, MPI_INT, from, 70 + i, MPI_COMM_WORLD, &requests[i]));
    for (int i = 0; i < 3; i++)
        MUST(MPI_Send(data, 4, MPI_INT, to, 70 + i, MPI_COMM_WORLD));
    memset(statuses, 0x55, sizeof statuses);
    if (!some) {
        const int code = MPI_Waitall(3, requests, statuses);
        CHECK_CLASS(code, MPI_ERR_IN_STATUS);
        for (int i = 0; i < 3 && code != MPI_SUCCESS; i++)
            if (i == 1) {
                CHECK_CLASS(statuses[i].MPI_ERROR, MPI_ERR_TRUNCATE);
                CHECK(requests[i] == MPI_REQUEST_NULL);
            } else if (check_class(statuses[i].MPI_ERROR) == MPI_ERR_PENDING) {
                CHECK(requests[i] != MPI_REQUEST_NULL); /* neither failed nor completed */
                MUST(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
            } else {
                CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
                CHECK(requests[i] == MPI_REQUEST_NULL);
            }
    } else {
        int errors = 0, done = 0;
        while (done < 3) {
            int code = MPI_Waitsome(3, requests, &outcount, indices, statuses);
            if (outcount == MPI_UNDEFINED || outcount <= 0)
                break;
            for (int i = 0; i < outcount; i++) {
                CHECK(requests[indices[i]] == MPI_REQUEST_NULL);
                if (code != MPI_SUCCESS) {
                    CHECK_CLASS(code, MPI_ERR_IN_STATUS);
                    CHECK_CLASS(statuses[i].MPI_ERROR, indices[i] == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
                    errors += check_class(statuses[i].MPI_ERROR) == MPI_ERR_TRUNCATE;
                }
            }
            done += outcount;
        }
        CHECK_INT(errors, 1);
        CHECK_INT(done, 3);
    }
    CHECK_INT(in[0][3], 4);
    CHECK_INT(in[2][3], 4);
    CHECK_INT(in[1][3], 0);
}

/* Sends to the rank `to`, receives from the rank `from`. */
static void truncate_all(int to, int from)
{
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    truncation(to, from);
    in_status(0, to, from);
    in_status(1, to, from);
}

#endif
