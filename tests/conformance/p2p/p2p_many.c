/* Thousands of requests at once. A library may return the same handle for many of them. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    enum { N = 2000 };
    const int next = (rank + 1) % size, prev = (rank + size - 1) % size;
    static int in[N], out[N];
    static MPI_Request sends[N], receives[N];
    static MPI_Status statuses[N];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            out[i] = round * N + i;
            in[i] = -1;
        }
        for (int i = 0; i < N; i++)
            MUST(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &sends[i]));
        for (int i = N - 1; i >= 0; i--)
            MUST(MPI_Irecv(&in[i], 1, MPI_INT, prev, i, MPI_COMM_WORLD, &receives[i]));
        if (round == 0)
            MUST(MPI_Waitall(N, sends, MPI_STATUSES_IGNORE));
        else if (round == 1)
            for (int i = 0; i < N; i++) {
                MUST(MPI_Wait(&sends[i], MPI_STATUS_IGNORE));
                CHECK(sends[i] == MPI_REQUEST_NULL);
                CHECK(i == N - 1 || sends[i + 1] != MPI_REQUEST_NULL);
            }
        else
            for (int i = 0; i < N; i++)
                MUST(MPI_Request_free(&sends[i]));
        MUST(MPI_Waitall(N, receives, statuses));
        for (int i = 0; i < N; i++) {
            CHECK(sends[i] == MPI_REQUEST_NULL && receives[i] == MPI_REQUEST_NULL);
            CHECK_INT(in[i], round * N + i);
            CHECK_INT(statuses[i].MPI_TAG, i);
            CHECK_INT(statuses[i].MPI_SOURCE, prev);
        }
        MUST(MPI_Barrier(MPI_COMM_WORLD));
    }
    return check_done("p2p_many");
}
