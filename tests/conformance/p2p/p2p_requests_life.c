/* Requests at the ends of their lives: freed while active, also persistent ones; completed by another call than the
   query; cancelled sends; restarted immediately; and one array for many kinds of requests in turn (MPI-3.1, 3.7.3,
   3.8.4, 3.9). */
#include "check.h"

enum { N = 8 };

/* A persistent request is freed while it is active: the message is still sent. */
static void freed_persistent(void)
{
    int out[2] = {11 + rank, 12 + rank}, flag = 0;
    volatile int in[2] = {-1, -1};
    MPI_Request send, receive, kept;
    for (int round = 0; round < 20; round++) {
        out[0] = round;
        in[0] = -1;
        MUST(MPI_Recv_init((int *)&in[0], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &receive));
        MUST(MPI_Send_init(&out[0], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &send));
        kept = receive;
        MUST(MPI_Start(&receive));
        CHECK(receive == kept);
        MUST(MPI_Request_free(&receive));
        CHECK(receive == MPI_REQUEST_NULL);
        MUST(MPI_Start(&send));
        MUST(MPI_Request_free(&send));
        CHECK(send == MPI_REQUEST_NULL);
        for (int i = 0; i < 100000 && in[0] < 0; i++)
            MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
        CHECK_INT(in[0], round);
    }
    /* Freed without ever being started. */
    MUST(MPI_Ssend_init(&out[1], 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &send));
    MUST(MPI_Request_free(&send));
    CHECK(send == MPI_REQUEST_NULL);
}

/* Get_status reports completion each time it is called. Then any call may complete the request. */
static void asked(void)
{
    for (int how = 0; how < 7; how++) {
        int out = 40 + how, in = -1, flag = 0, index = -1, outcount = -1, indices[1] = {-1}, count = -1;
        MPI_Request request;
        MPI_Status status, seen;
        MUST(MPI_Irecv(&in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request));
        const MPI_Request before = request;
        MUST(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
        CHECK_INT(flag, 0);
        MUST(MPI_Send(&out, 1, MPI_INT, rank, 3, MPI_COMM_WORLD));
        for (flag = 0; !flag;)
            MUST(MPI_Request_get_status(request, &flag, &seen));
        for (int again = 0; again < 3; again++) {
            flag = -1;
            memset(&seen, 0x55, sizeof seen);
            MUST(MPI_Request_get_status(request, &flag, &seen));
            CHECK_INT(flag, 1);
            CHECK_INT(seen.MPI_TAG, 3);
            CHECK(request == before);
        }
        memset(&status, 0x55, sizeof status);
        flag = 1;
        if (how == 0)
            MUST(MPI_Wait(&request, &status));
        else if (how == 1)
            MUST(MPI_Test(&request, &flag, &status));
        else if (how == 2)
            MUST(MPI_Waitany(1, &request, &index, &status));
        else if (how == 3)
            MUST(MPI_Testany(1, &request, &index, &flag, &status));
        else if (how == 4)
            MUST(MPI_Waitsome(1, &request, &outcount, indices, &status));
        else if (how == 5)
            MUST(MPI_Testsome(1, &request, &outcount, indices, &status));
        else
            MUST(MPI_Testall(1, &request, &flag, &status));
        CHECK_INT(flag, 1);
        CHECK_INT(in, 40 + how);
        CHECK(request == MPI_REQUEST_NULL);
        CHECK_INT(status.MPI_TAG, 3);
        CHECK_INT(status.MPI_SOURCE, rank);
        MUST(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_INT(count, 1);
        if (how == 2 || how == 3)
            CHECK_INT(index, 0);
        if (how == 4 || how == 5)
            CHECK(outcount == 1 && indices[0] == 0);
    }
}

/* A cancelled send either happens or does not, and the status reports which. */
static void cancelled_sends(void)
{
    typedef int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    static const isend sends[] = {MPI_Isend, MPI_Issend};
    static int data[50000], in[50000];
    for (unsigned s = 0; s < 2; s++)
        for (int count = 1; count <= 50000; count += 49999) {
            MPI_Request request;
            MPI_Status status;
            int cancelled = -1;
            MUST(sends[s](data, count, MPI_INT, rank, 4, MPI_COMM_WORLD, &request));
            MUST(MPI_Cancel(&request));
            CHECK(request != MPI_REQUEST_NULL);
            /* If the send was not cancelled, it may need its receive. */
            int flag = 0;
            for (int i = 0; i < 1000 && !flag; i++)
                MUST(MPI_Test(&request, &flag, &status));
            MPI_Request receive = MPI_REQUEST_NULL;
            if (!flag) {
                MUST(MPI_Irecv(in, count, MPI_INT, rank, 4, MPI_COMM_WORLD, &receive));
                MUST(MPI_Wait(&request, &status));
            }
            CHECK(request == MPI_REQUEST_NULL);
            MUST(MPI_Test_cancelled(&status, &cancelled));
            CHECK(cancelled == 0 || cancelled == 1);
            if (flag && !cancelled)
                MUST(MPI_Recv(in, count, MPI_INT, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (!flag && !cancelled)
                MUST(MPI_Wait(&receive, MPI_STATUS_IGNORE));
            if (!flag && cancelled) {
                MUST(MPI_Cancel(&receive));
                MUST(MPI_Wait(&receive, MPI_STATUS_IGNORE));
            }
            MUST(MPI_Iprobe(rank, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
            CHECK_INT(flag, 0);
        }
}

/* One array of requests, of a different kind each time. A copy of the array is completed. */
static void copies(void)
{
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    for (int round = 0; round < 40; round++) {
        MPI_Request r[2 * N], copy[2 * N];
        MPI_Status s[2 * N];
        int in[N], out[N], sum = 0;
        for (int i = 0; i < N; i++) {
            in[i] = -1;
            out[i] = 100 * round + i;
            if (i == 2)
                r[i] = MPI_REQUEST_NULL;
            else if (i == 5)
                MUST(MPI_Ibarrier(MPI_COMM_WORLD, &r[i]));
            else if (i == 6)
                MUST(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[i]));
            else if (i == 7)
                MUST(MPI_Irecv(&in[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &r[i]));
            else
                MUST(MPI_Irecv(&in[i], 1, MPI_INT, i == 3 ? MPI_ANY_SOURCE : prev, i, MPI_COMM_WORLD, &r[i]));
        }
        for (int i = 0; i < N; i++)
            if (i == 2 || i > 4)
                MUST(MPI_Isend(&out[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &r[N + i]));
            else if (round % 2)
                MUST(MPI_Issend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[N + i]));
            else
                MUST(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[N + i]));
        memcpy(copy, r, sizeof r);
        if (round % 3 == 0) {
            MUST(MPI_Waitall(2 * N, copy, s));
        } else if (round % 3 == 1) {
            int flag = 0;
            while (!flag)
                MUST(MPI_Testall(2 * N, copy, &flag, s));
        } else {
            for (int i = 2 * N - 1; i >= 0; i--)
                MUST(MPI_Wait(&copy[i], &s[i]));
        }
        for (int i = 0; i < 2 * N; i++)
            CHECK(copy[i] == MPI_REQUEST_NULL);
        for (int i = 0; i < 5; i++)
            if (i != 2) {
                CHECK_INT(in[i], 100 * round + i);
                CHECK_INT(s[i].MPI_SOURCE, prev);
                CHECK_INT(s[i].MPI_TAG, i);
            }
        CHECK_INT(sum, size * (size - 1) / 2);
        CHECK_INT(s[2].MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_INT(s[2].MPI_TAG, MPI_ANY_TAG);
        CHECK_INT(in[7], -1);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    freed_persistent();
    asked();
    cancelled_sends();
    copies();
    return check_done("p2p_requests_life");
}
