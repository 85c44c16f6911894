/* Requests of MPI-4.0's operations (send-receive, persistent collectives) among others, in every function that
   completes, starts, frees or queries requests. */
#include "check.h"

#if HAVE_ISENDRECV
enum { N = 5 };
static int out[N], in[N], sum[2], next, prev;

/* 0: a plain receive, 1: a plain send, 2: send-receive, 3: a persistent allreduce, 4: send-receive in place. */
static void begin(MPI_Request *r, MPI_Request persistent, int round)
{
    for (int i = 0; i < N; i++) {
        out[i] = 100 * round + 10 * rank + i;
        in[i] = -1;
    }
    in[4] = out[4];
    sum[0] = rank + round;
    sum[1] = -1;
    MUST(MPI_Irecv(&in[0], 1, MPI_INT, prev, 1, MPI_COMM_WORLD, &r[0]));
    MUST(MPI_Isendrecv(&out[2], 1, MPI_INT, next, 2, &in[2], 1, MPI_INT, prev, 2, MPI_COMM_WORLD, &r[2]));
    r[3] = persistent;
    MUST(MPI_Start(&r[3]));
    MUST(MPI_Isendrecv_replace(&in[4], 1, MPI_INT, next, 4, prev, 4, MPI_COMM_WORLD, &r[4]));
    MUST(MPI_Isend(&out[0], 1, MPI_INT, next, 1, MPI_COMM_WORLD, &r[1]));
}

static void end(const MPI_Request *r, MPI_Request persistent, int round)
{
    const int from = 100 * round + 10 * prev;
    CHECK_INT(in[0], from);
    CHECK_INT(in[2], from + 2);
    CHECK_INT(in[4], from + 4);
    CHECK_INT(sum[1], size * (size - 1) / 2 + size * round);
    for (int i = 0; i < N; i++)
        CHECK(r[i] == (i == 3 ? persistent : MPI_REQUEST_NULL));
}

static void status(const MPI_Status *s, int tag)
{
    int count = -1;
    CHECK_INT(s->MPI_SOURCE, prev);
    CHECK_INT(s->MPI_TAG, tag);
    MUST(MPI_Get_count(s, MPI_INT, &count));
    CHECK_INT(count, 1);
}

static void all(MPI_Request persistent)
{
    MPI_Request r[N];
    MPI_Status s[N];
    int index[N], flag, n, i, left;

    begin(r, persistent, 1);
    MUST(MPI_Waitall(N, r, s));
    end(r, persistent, 1);
    status(&s[0], 1);
    status(&s[2], 2);
    status(&s[4], 4);

    begin(r, persistent, 2);
    for (flag = 0; !flag;)
        MUST(MPI_Testall(N, r, &flag, s));
    end(r, persistent, 2);
    status(&s[2], 2);

    begin(r, persistent, 3);
    for (left = N; left > 0; left--) {
        MUST(MPI_Waitany(N, r, &i, &s[0]));
        CHECK(i >= 0 && i < N);
        if (i == 0 || i == 2 || i == 4)
            status(&s[0], i ? i : 1);
    }
    MUST(MPI_Waitany(N, r, &i, &s[0]));
    CHECK_INT(i, MPI_UNDEFINED);
    end(r, persistent, 3);

    begin(r, persistent, 4);
    for (left = N; left > 0;) {
        MUST(MPI_Testany(N, r, &i, &flag, &s[0]));
        left -= flag;
    }
    MUST(MPI_Testany(N, r, &i, &flag, &s[0]));
    CHECK(flag && i == MPI_UNDEFINED);
    end(r, persistent, 4);

    begin(r, persistent, 5);
    for (left = N; left > 0; left -= n) {
        MUST(MPI_Waitsome(N, r, &n, index, s));
        CHECK(n > 0 && n <= left);
        for (int k = 0; k < n; k++)
            if (index[k] == 2)
                status(&s[k], 2);
    }
    MUST(MPI_Waitsome(N, r, &n, index, s));
    CHECK_INT(n, MPI_UNDEFINED);
    end(r, persistent, 5);

    begin(r, persistent, 6);
    for (left = N; left > 0; left -= n)
        MUST(MPI_Testsome(N, r, &n, index, MPI_STATUSES_IGNORE));
    MUST(MPI_Testsome(N, r, &n, index, s));
    CHECK_INT(n, MPI_UNDEFINED);
    end(r, persistent, 6);

    begin(r, persistent, 7);
    for (flag = 0; !flag;)
        MUST(MPI_Request_get_status(r[2], &flag, &s[2]));
    CHECK(r[2] != MPI_REQUEST_NULL);
    status(&s[2], 2);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(r[2])) == r[2]);
    for (i = 0; i < N; i++)
        MUST(MPI_Wait(&r[i], &s[i]));
    end(r, persistent, 7);
    status(&s[2], 2);
    status(&s[4], 4);

    begin(r, persistent, 8);
    for (i = N - 1; i >= 0; i--)
        for (flag = 0; !flag;)
            MUST(MPI_Test(&r[i], &flag, &s[i]));
    end(r, persistent, 8);
    status(&s[2], 2);

    MUST(MPI_Waitall(N, r, MPI_STATUSES_IGNORE)); /* null and inactive requests are complete */
    MUST(MPI_Test(&r[3], &flag, MPI_STATUS_IGNORE));
    CHECK_INT(flag, 1);

    begin(r, persistent, 9); /* freed while it is active: the operation still completes */
    MUST(MPI_Request_free(&r[2]));
    CHECK(r[2] == MPI_REQUEST_NULL);
    MUST(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
    while (*(volatile int *)&in[2] == -1)
        MUST(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    end(r, persistent, 9);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

/* Handles of wi4go's requests are reused. */
static void places(void)
{
    MPI_Request many[40];
    int got = -1;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 40; i++)
            MUST(MPI_Isendrecv(&rank, 1, MPI_INT, next, i, &got, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &many[i]));
        for (int i = 0; i < 40; i++)
            MUST(MPI_Recv(&got, 1, MPI_INT, prev, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        MUST(MPI_Waitall(40, many, MPI_STATUSES_IGNORE));
    }
    CHECK_INT(got, prev);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_ISENDRECV
    MPI_Request persistent;
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    MUST(MPI_Allreduce_init(&sum[0], &sum[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent));
    all(persistent);
    MUST(MPI_Request_free(&persistent));
    CHECK(persistent == MPI_REQUEST_NULL);
    places();
#endif
    return check_done("emul_requests");
}
