/* Completion of several requests at once, including null and inactive ones (MPI-3.1, 3.7.3 to 3.7.6, 3.9). */
#include "check.h"

enum { N = 6, TAG = 100 };

static int in[N], out[N];

/* Starts N receives from this rank. Request 2 is null, request 4 an inactive persistent one. */
static void prepare(MPI_Request *requests)
{
    for (int i = 0; i < N; i++) {
        in[i] = -1;
        out[i] = 50 + i + 100 * rank;
        if (i == 2)
            requests[i] = MPI_REQUEST_NULL;
        else if (i == 4)
            MUST(MPI_Recv_init(&in[i], 1, MPI_INT, rank, TAG + i, MPI_COMM_WORLD, &requests[i]));
        else
            MUST(MPI_Irecv(&in[i], 1, MPI_INT, rank, TAG + i, MPI_COMM_WORLD, &requests[i]));
    }
}

static void send(int i)
{
    MUST(MPI_Send(&out[i], 1, MPI_INT, rank, TAG + i, MPI_COMM_WORLD));
}

static void received(int i, const MPI_Status *status)
{
    int count = -1;
    CHECK_INT(in[i], 50 + i + 100 * rank);
    CHECK_INT(status->MPI_SOURCE, rank);
    CHECK_INT(status->MPI_TAG, TAG + i);
    MUST(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, 1);
}

static void is_empty(const MPI_Status *status)
{
    int count = -1;
    CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    MUST(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, 0);
}

static void finish(MPI_Request *requests)
{
    for (int i = 0; i < N; i++)
        if (i == 4) {
            CHECK(requests[i] != MPI_REQUEST_NULL);
            MUST(MPI_Request_free(&requests[i]));
        }
    for (int i = 0; i < N; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
}

static void waitall(void)
{
    MPI_Request requests[N];
    MPI_Status statuses[N];
    prepare(requests);
    for (int i = N - 1; i >= 0; i--)
        if (i != 2 && i != 4)
            send(i);
    memset(statuses, 0x55, sizeof statuses);
    MUST(MPI_Waitall(N, requests, statuses));
    for (int i = 0; i < N; i++)
        if (i == 2 || i == 4)
            is_empty(&statuses[i]);
        else
            received(i, &statuses[i]);
    finish(requests);

    prepare(requests);
    for (int i = 0; i < N; i++)
        if (i != 2 && i != 4)
            send(i);
    MUST(MPI_Waitall(N, requests, MPI_STATUSES_IGNORE));
    CHECK_INT(in[0], out[0]);
    CHECK_INT(in[5], out[5]);
    CHECK_INT(in[4], -1);
    finish(requests);
    MUST(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
}

static void testall(void)
{
    MPI_Request requests[N], before[N];
    MPI_Status statuses[N];
    int flag = -1;
    prepare(requests);
    memcpy(before, requests, sizeof requests);
    send(0);
    send(1);
    MUST(MPI_Testall(N, requests, &flag, statuses));
    CHECK_INT(flag, 0);
    for (int i = 0; i < N; i++)
        CHECK(requests[i] == before[i]); /* no flag: the requests are unchanged */
    send(3);
    send(5);
    for (flag = 0; !flag;)
        MUST(MPI_Testall(N, requests, &flag, statuses));
    for (int i = 0; i < N; i++)
        if (i == 2 || i == 4)
            is_empty(&statuses[i]);
        else
            received(i, &statuses[i]);
    finish(requests);
    flag = 0;
    MUST(MPI_Testall(N, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK_INT(flag, 1);
}

static void waitany(void)
{
    MPI_Request requests[N];
    MPI_Status status;
    int index = -1;
    const int order[] = {3, 0, 5, 1};
    prepare(requests);
    for (int i = 0; i < 4; i++) {
        send(order[i]);
        MUST(MPI_Waitany(N, requests, &index, &status));
        CHECK_INT(index, order[i]);
        CHECK(requests[order[i]] == MPI_REQUEST_NULL);
        received(order[i], &status);
    }
    index = -1;
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Waitany(N, requests, &index, &status));
    CHECK_INT(index, MPI_UNDEFINED);
    is_empty(&status);
    finish(requests);
    index = -1;
    MUST(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    CHECK_INT(index, MPI_UNDEFINED);
}

static void testany(void)
{
    MPI_Request requests[N];
    MPI_Status status;
    int index = -1, flag = -1;
    const int order[] = {5, 3, 1, 0};
    prepare(requests);
    MUST(MPI_Testany(N, requests, &index, &flag, &status));
    CHECK_INT(flag, 0);
    CHECK_INT(index, MPI_UNDEFINED);
    for (int i = 0; i < 4; i++) {
        send(order[i]);
        for (flag = 0; !flag;)
            MUST(MPI_Testany(N, requests, &index, &flag, &status));
        CHECK_INT(index, order[i]);
        CHECK(requests[order[i]] == MPI_REQUEST_NULL);
        received(order[i], &status);
    }
    index = flag = -1;
    MUST(MPI_Testany(N, requests, &index, &flag, &status));
    CHECK_INT(flag, 1);
    CHECK_INT(index, MPI_UNDEFINED);
    finish(requests);
}

/* Waitsome or Testsome: each index is returned once, in any order. */
static void some(int wait)
{
    MPI_Request requests[N];
    MPI_Status statuses[N];
    int indices[N], outcount = -1, seen[N] = {0}, total = 0;
    prepare(requests);
    if (!wait) {
        MUST(MPI_Testsome(N, requests, &outcount, indices, statuses));
        CHECK_INT(outcount, 0);
    }
    send(5);
    send(1);
    while (total < 2) {
        outcount = -1;
        if (wait)
            MUST(MPI_Waitsome(N, requests, &outcount, indices, statuses));
        else
            MUST(MPI_Testsome(N, requests, &outcount, indices, statuses));
        CHECK(outcount >= !!wait && outcount <= 2);
        for (int i = 0; i < outcount; i++) {
            CHECK(indices[i] == 5 || indices[i] == 1);
            seen[indices[i]]++;
            CHECK(requests[indices[i]] == MPI_REQUEST_NULL);
            received(indices[i], &statuses[i]);
        }
        total += outcount;
    }
    CHECK_INT(seen[5], 1);
    CHECK_INT(seen[1], 1);
    CHECK(requests[0] != MPI_REQUEST_NULL && requests[3] != MPI_REQUEST_NULL);
    send(0);
    send(3);
    while (total < 4) {
        if (wait)
            MUST(MPI_Waitsome(N, requests, &outcount, indices, MPI_STATUSES_IGNORE));
        else
            MUST(MPI_Testsome(N, requests, &outcount, indices, MPI_STATUSES_IGNORE));
        total += outcount;
    }
    CHECK_INT(total, 4);
    CHECK_INT(in[0], out[0]);
    CHECK_INT(in[3], out[3]);
    outcount = -1;
    if (wait)
        MUST(MPI_Waitsome(N, requests, &outcount, indices, statuses));
    else
        MUST(MPI_Testsome(N, requests, &outcount, indices, statuses));
    CHECK_INT(outcount, MPI_UNDEFINED);
    finish(requests);
}

static void get_status(void)
{
    MPI_Request request, before;
    MPI_Status status;
    int flag = -1, value = -1, data = 7 + rank;
    MUST(MPI_Irecv(&value, 1, MPI_INT, rank, 200, MPI_COMM_WORLD, &request));
    before = request;
    MUST(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(flag, 0);
    MUST(MPI_Send(&data, 1, MPI_INT, rank, 200, MPI_COMM_WORLD));
    for (flag = 0; !flag;)
        MUST(MPI_Request_get_status(request, &flag, &status));
    CHECK_INT(status.MPI_SOURCE, rank);
    CHECK_INT(status.MPI_TAG, 200);
    CHECK(request == before);
    CHECK_INT(value, 7 + rank);
    flag = 0;
    MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE)); /* the call can be repeated */
    CHECK_INT(flag, 1);
    memset(&status, 0x55, sizeof status);
    MUST(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(status.MPI_TAG, 200);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    waitall();
    testall();
    waitany();
    testany();
    some(1);
    some(0);
    get_status();
    return check_done("p2p_completion");
}
