/* Requests of one-sided operations, also to MPI_PROC_NULL, among message requests, persistent and null requests, in
   every completion function (MPI-3.1, 11.3.5). */
#include "check.h"

enum { PUT, GET, ACC, GACC, RECV, SEND, NONE, NULL_PUT, NULL_GET, PERSISTENT, N };

static int out[N], in[N], old[N], next, prev, *memory;
static MPI_Win win;

static void begin(MPI_Request *r, MPI_Request persistent, int round)
{
    for (int i = 0; i < N; i++) {
        out[i] = 1000 * round + 10 * rank + i;
        in[i] = old[i] = -1;
    }
    MUST(MPI_Irecv(&in[RECV], 1, MPI_INT, prev, RECV, MPI_COMM_WORLD, &r[RECV]));
    MUST(MPI_Rput(&out[PUT], 1, MPI_INT, next, PUT, 1, MPI_INT, win, &r[PUT]));
    MUST(MPI_Rget(&in[GET], 1, MPI_INT, next, GET, 1, MPI_INT, win, &r[GET]));
    MUST(MPI_Raccumulate(&out[ACC], 1, MPI_INT, next, ACC, 1, MPI_INT, MPI_REPLACE, win, &r[ACC]));
    MUST(MPI_Rget_accumulate(&out[GACC], 1, MPI_INT, &old[GACC], 1, MPI_INT, next, GACC, 1, MPI_INT, MPI_SUM, win, &r[GACC]));
    r[NONE] = MPI_REQUEST_NULL;
    MUST(MPI_Rput(&out[NULL_PUT], 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &r[NULL_PUT]));
    MUST(MPI_Rget(&in[NULL_GET], 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &r[NULL_GET]));
    r[PERSISTENT] = persistent;
    MUST(MPI_Start(&r[PERSISTENT]));
    MUST(MPI_Isend(&out[RECV], 1, MPI_INT, next, RECV, MPI_COMM_WORLD, &r[SEND]));
    MUST(MPI_Send(&out[PERSISTENT], 1, MPI_INT, next, PERSISTENT, MPI_COMM_WORLD));
}

static void end(const MPI_Request *r, MPI_Request persistent, int round, int sum)
{
    CHECK_INT(in[RECV], 1000 * round + 10 * prev + RECV);
    CHECK_INT(in[PERSISTENT], 1000 * round + 10 * prev + PERSISTENT);
    CHECK_INT(in[GET], 77 + next);
    CHECK_INT(in[NULL_GET], -1);
    CHECK_INT(old[GACC], sum);
    for (int i = 0; i < N; i++)
        CHECK(r[i] == (i == PERSISTENT ? persistent : MPI_REQUEST_NULL));
    MUST(MPI_Win_flush(next, win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Win_sync(win));
    CHECK_INT(memory[PUT], 1000 * round + 10 * prev + PUT);
    CHECK_INT(memory[ACC], 1000 * round + 10 * prev + ACC);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Request r[N], persistent;
    MPI_Status s[N];
    int sum = 0, flag, index, outcount, indices[N];
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    MUST(MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    MUST(MPI_Recv_init(&in[PERSISTENT], 1, MPI_INT, prev, PERSISTENT, MPI_COMM_WORLD, &persistent));
    MUST(MPI_Win_lock_all(0, win));
    memset(memory, 0, N * sizeof(int));
    memory[GET] = 77 + rank;
    MUST(MPI_Win_sync(win));
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 1; round <= 12; round++) {
        begin(r, persistent, round);
        switch (round % 6) {
        case 0:
            MUST(MPI_Waitall(N, r, s));
            CHECK_INT(s[RECV].MPI_SOURCE, prev);
            CHECK_INT(s[RECV].MPI_TAG, RECV);
            CHECK_INT(s[PERSISTENT].MPI_TAG, PERSISTENT);
            CHECK_INT(s[NONE].MPI_SOURCE, MPI_ANY_SOURCE);
            break;
        case 1:
            for (flag = 0; !flag;)
                MUST(MPI_Testall(N, r, &flag, round > 6 ? MPI_STATUSES_IGNORE : s));
            break;
        case 2:
            for (int left = N - 1; left > 0; left--) {
                MUST(MPI_Waitany(N, r, &index, s));
                CHECK(index >= 0 && index < N && index != NONE);
                if (index == RECV)
                    CHECK_INT(s[0].MPI_TAG, RECV);
            }
            break;
        case 3:
            for (int left = N - 1; left > 0; left -= outcount) {
                MUST(MPI_Waitsome(N, r, &outcount, indices, s));
                CHECK(outcount > 0);
            }
            break;
        case 4:
            for (int left = N - 1; left > 0; left -= outcount)
                MUST(MPI_Testsome(N, r, &outcount, indices, MPI_STATUSES_IGNORE));
            break;
        case 5:
            for (int i = N - 1; i >= 0; i--) {
                for (flag = 0; !flag;)
                    MUST(MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE));
                MUST(MPI_Wait(&r[i], &s[0]));
            }
        }
        end(r, persistent, round, sum);
        sum += out[GACC];
    }
    MUST(MPI_Request_free(&persistent));
    MUST(MPI_Win_unlock_all(win));
    MUST(MPI_Win_free(&win));
    return check_done("rma_requests");
}
