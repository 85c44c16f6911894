/* MPI_Alltoallw and MPI_Ialltoallw while the arrays of datatypes, the datatypes themselves and the size of the
   communicator change from call to call, with many requests at a time (MPI-3.1, 5.8, 5.12). */
#include "check.h"

enum { RANKS = 16, LONGEST = 3, COPIES = 8, PENDING = 80, UNTOUCHED = 0x55555555 };

static MPI_Datatype types[LONGEST + 1][COPIES]; /* by number of ints; the copies differ only in their handle */

/* The number of ints that ranks i and j exchange. */
static int ints(int i, int j, int round) { return (i + j + round) % LONGEST + 1; }

typedef struct {
    int counts[RANKS], at[RANKS], sent[RANKS][LONGEST], got[RANKS][LONGEST];
    MPI_Datatype send[RANKS], recv[RANKS];
} exchange;

/* Prepares an exchange with n peers. me is this process's rank among its peers' peers. */
static void prepare(exchange *x, int me, int n, int round)
{
    for (int j = 0; j < n; j++) {
        const int k = ints(me, j, round);
        x->counts[j] = 1;
        x->at[j] = (int)((char *)x->sent[j] - (char *)x->sent);
        x->send[j] = types[k][(round / LONGEST + j) % COPIES];
        x->recv[j] = types[k][(round / LONGEST + j + 1 + round / 5) % COPIES];
        for (int i = 0; i < LONGEST; i++)
            x->sent[j][i] = 1000 * round + 100 * me + 10 * j + i;
    }
    memset(x->got, UNTOUCHED, sizeof x->got);
}

static void verify(const char *what, const exchange *x, int me, int n, int round)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < LONGEST; i++) {
            const int want = i < ints(me, j, round) ? 1000 * round + 100 * j + 10 * me + i : UNTOUCHED;
            if (x->got[j][i] != want)
                check_fail(__FILE__, __LINE__, "%s, round %d: int %d from %d is %d, not %d", what, round, i, j, x->got[j][i], want);
        }
}

static void start(exchange *x, const MPI_Datatype *send, MPI_Comm comm, MPI_Request *r)
{
    if (r)
        MUST(MPI_Ialltoallw(x->sent, x->counts, x->at, send, x->got, x->counts, x->at, x->recv, comm, r));
    else
        MUST(MPI_Alltoallw(x->sent, x->counts, x->at, send, x->got, x->counts, x->at, x->recv, comm));
}

/* Exchanges once, blocking and nonblocking. */
static void both_ways(const char *what, MPI_Comm comm, int me, int n, int round)
{
    static exchange x;
    MPI_Request r;
    prepare(&x, me, n, round);
    start(&x, x.send, comm, NULL);
    verify(what, &x, me, n, round);
    prepare(&x, me, n, round);
    start(&x, x.send, comm, &r);
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(r == MPI_REQUEST_NULL);
    verify(what, &x, me, n, round);
}

/* One array for both directions, and a call in place, whose datatypes for sending are not significant. */
static void one_array(int round)
{
    static exchange x;
    MPI_Request r;
    prepare(&x, rank, size, round);
    start(&x, x.recv, MPI_COMM_WORLD, &r);
    MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
    verify("one array", &x, rank, size, round);
    prepare(&x, rank, size, round);
    start(&x, x.recv, MPI_COMM_WORLD, NULL);
    verify("one array", &x, rank, size, round);
    prepare(&x, rank, size, round);
    memcpy(x.got, x.sent, sizeof x.got);
    MUST(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, x.got, x.counts, x.at, x.recv, MPI_COMM_WORLD));
    for (int j = 0; j < size; j++)
        CHECK_INT(x.got[j][0], 1000 * round + 100 * j + 10 * rank);
}

/* Many requests, each with arrays of its own, which complete in different orders. */
static void pending(void)
{
    static exchange x[PENDING];
    MPI_Request r[PENDING];
    for (int i = 0; i < PENDING; i++) {
        prepare(&x[i], rank, size, i);
        start(&x[i], x[i].send, MPI_COMM_WORLD, &r[i]);
    }
    int done = 0, index, at[PENDING];
    MUST(MPI_Wait(&r[PENDING - 1], MPI_STATUS_IGNORE));
    MUST(MPI_Waitany(PENDING, r, &index, MPI_STATUS_IGNORE));
    CHECK(index >= 0 && index < PENDING - 1);
    MUST(MPI_Waitsome(PENDING, r, &done, at, MPI_STATUSES_IGNORE));
    CHECK(done > 0);
    for (int i = 0; i < PENDING / 2; i++)
        for (int flag = 0; !flag;)
            MUST(MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE));
    for (int all = 0; !all;)
        MUST(MPI_Testall(PENDING, r, &all, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PENDING; i++) {
        CHECK(r[i] == MPI_REQUEST_NULL);
        verify("pending", &x[i], rank, size, i);
    }
}

/* Datatypes that end between calls. Another one may get the same handle. */
static void new_types(void)
{
    for (int round = 0; round < 100; round++) {
        MPI_Datatype t, sends[RANKS], recvs[RANKS];
        const int k = round % LONGEST + 1;
        int counts[RANKS], at[RANKS], sent[RANKS][LONGEST], got[RANKS][LONGEST];
        MPI_Request r;
        MUST(MPI_Type_contiguous(k, MPI_INT, &t));
        MUST(MPI_Type_commit(&t));
        for (int j = 0; j < size; j++) {
            counts[j] = 1;
            at[j] = (int)sizeof sent[0] * j;
            sends[j] = recvs[j] = t;
            for (int i = 0; i < LONGEST; i++) {
                sent[j][i] = 100 * round + 10 * rank + i;
                got[j][i] = -1;
            }
        }
        MUST(MPI_Ialltoallw(sent, counts, at, sends, got, counts, at, recvs, MPI_COMM_WORLD, &r));
        MUST(MPI_Type_free(&t)); /* it lives until the request completes */
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        for (int j = 0; j < size; j++)
            for (int i = 0; i < LONGEST; i++)
                CHECK_INT(got[j][i], i < k ? 100 * round + 10 * j + i : -1);
    }
}

/* Communicators of all sizes, one after another. Another one may get the same handle. */
static void sizes(void)
{
    for (int round = 0; round < 40; round++) {
        MPI_Comm part;
        int me, n;
        MUST(MPI_Comm_split(MPI_COMM_WORLD, rank <= round % size, 0, &part));
        MUST(MPI_Comm_rank(part, &me));
        MUST(MPI_Comm_size(part, &n));
        both_ways("a part", part, me, n, round);
        MUST(MPI_Comm_free(&part));
    }
}

/* Intercommunicators between groups of different sizes, the remote group's size counts. */
static void between_groups(void)
{
    for (int round = 0; size > 1 && round < 20; round++) {
        const int first = round % (size - 1) + 1; /* the size of the first group */
        MPI_Comm half, bridge;
        exchange x;
        int me, n;
        MUST(MPI_Comm_split(MPI_COMM_WORLD, rank < first, 0, &half));
        MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < first ? first : 0, 7, &bridge));
        MUST(MPI_Comm_rank(bridge, &me));
        MUST(MPI_Comm_remote_size(bridge, &n));
        prepare(&x, me, n, round);
        start(&x, x.send, bridge, NULL);
        verify("between groups", &x, me, n, round);
        MUST(MPI_Comm_free(&bridge));
        both_ways("half", half, me, size - n, round);
        MUST(MPI_Comm_free(&half));
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    CHECK(size <= RANKS);
    for (int k = 1; k <= LONGEST; k++)
        for (int c = 0; c < COPIES; c++) {
            MUST(MPI_Type_contiguous(k, MPI_INT, &types[k][c]));
            MUST(MPI_Type_commit(&types[k][c]));
        }
    for (int round = 0; round < 6; round++) {
        both_ways("all", MPI_COMM_WORLD, rank, size, round);
        one_array(round);
    }
    sizes();
    between_groups();
    new_types();
    pending();
    for (int round = 0; round < 100; round++)
        both_ways("all", MPI_COMM_WORLD, rank, size, round);
    for (int k = 1; k <= LONGEST; k++)
        for (int c = 0; c < COPIES; c++)
            MUST(MPI_Type_free(&types[k][c]));
    return check_done("coll_w_changes");
}
