/* Several messages that are too long, waited for one by one. MPI_Waitany and MPI_Testany report a failed one (MPI-5.0,
   3.7.5), and a library may discard all that have failed by then. The remaining requests can be freed. */
#include "check.h"

static void many(int waits, int persistent)
{
    enum { N = 4 };
    int long_one[2] = {1, 2}, in[N], index = -1, flag = 0, named = 0;
    MPI_Request requests[N];
    for (int i = 0; i < N; i++)
        MUST(MPI_Recv_init(&in[i], 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &requests[i]));
    for (int i = 0; i < N; i++)
        if (i != persistent) {
            MUST(MPI_Request_free(&requests[i]));
            MUST(MPI_Irecv(&in[i], 1, MPI_INT, size - 1 - rank, i, MPI_COMM_WORLD, &requests[i]));
        }
    /* MPICH 3.4's MPI_Irecv itself fails if the message has already arrived. */
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    /* Messages from another process: Open MPI detects no truncation in messages from the rank to itself. */
    for (int i = 0; i < N; i++)
        if (i != persistent)
            MUST(MPI_Send(long_one, i == 1 ? 1 : 2, MPI_INT, size - 1 - rank, i, MPI_COMM_WORLD));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 0; round < 100; round++) {
        int code = waits ? MPI_Waitany(N, requests, &index, MPI_STATUS_IGNORE) : MPI_Testany(N, requests, &index, &flag, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) {
            CHECK_CLASS(code, MPI_ERR_TRUNCATE);
            CHECK(index >= 0 && index < N && index != 1 && index != persistent);
            named++;
        }
    }
    CHECK(named >= 1 && named <= N - 2);
    for (int i = 0; i < N; i++)
        if (i == persistent)
            CHECK(requests[i] != MPI_REQUEST_NULL);
        else
            CHECK(requests[i] == MPI_REQUEST_NULL);
    MUST(MPI_Request_free(&requests[persistent]));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MUST(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int persistent = 0; persistent < 4 && size % 2 == 0; persistent += 3)
        for (int waits = 0; waits < 2; waits++)
            many(waits, persistent);
    return check_done("p2p_any_failed");
}
