/*
 * polls: two ranks on one core send each other messages, and poll for them with each call that does not wait. A rank that
 * keeps the core until the end of its slice calls tens of thousands of times for each message, one that leaves it a few times.
 * Prints "polls: right", or the calls.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 100, MOST = 1000 /* calls for a message */ };

static int test(MPI_Request *r) { int flag; return MPI_Test(r, &flag, MPI_STATUS_IGNORE), flag; }
static int testall(MPI_Request *r) { int flag; return MPI_Testall(1, r, &flag, MPI_STATUSES_IGNORE), flag; }
static int testany(MPI_Request *r) { int flag, which; return MPI_Testany(1, r, &which, &flag, MPI_STATUS_IGNORE), flag; }
static int testsome(MPI_Request *r) { int n, which; return MPI_Testsome(1, r, &n, &which, MPI_STATUSES_IGNORE), n > 0; }
static int get_status(MPI_Request *r) { int flag; return MPI_Request_get_status(*r, &flag, MPI_STATUS_IGNORE), flag; }

static int iprobe(MPI_Request *r)
{
    int flag;
    (void)r;
    return MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), flag;
}

static int improbe(MPI_Request *r)
{
    int flag, in;
    MPI_Message message;
    (void)r;
    MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    if (flag)
        MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    return flag;
}

static const struct {
    const char *name;
    int (*call)(MPI_Request *r); /* returns whether the message is there */
    enum { REQUEST, PROBE, MATCHED } kind;
} polls[] = {
    {"MPI_Test", test, REQUEST}, {"MPI_Testall", testall, REQUEST}, {"MPI_Testany", testany, REQUEST}, {"MPI_Testsome", testsome, REQUEST},
    {"MPI_Request_get_status", get_status, REQUEST}, {"MPI_Iprobe", iprobe, PROBE}, {"MPI_Improbe", improbe, MATCHED},
};

int main(int argc, char **argv)
{
    int me, is_right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Barrier(MPI_COMM_WORLD); /* a rank that has not begun is on no core yet */
    for (unsigned i = 0; i < sizeof polls / sizeof *polls; i++) {
        long calls = 0;
        for (int round = 0; round < ROUNDS; round++) {
            MPI_Request r = MPI_REQUEST_NULL;
            int in;
            if (polls[i].kind == REQUEST)
                MPI_Irecv(&in, 1, MPI_INT, 1 - me, 0, MPI_COMM_WORLD, &r);
            MPI_Send(&round, 1, MPI_INT, 1 - me, 0, MPI_COMM_WORLD);
            do
                calls++;
            while (!polls[i].call(&r));
            if (polls[i].kind == PROBE)
                MPI_Recv(&in, 1, MPI_INT, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
        if (calls > (long)ROUNDS * MOST) {
            printf("rank %d called %s %ld times for %d messages\n", me, polls[i].name, calls, ROUNDS);
            is_right = 0;
        }
    }
    printf("polls: %s\n", is_right ? "right" : "wrong");
    MPI_Finalize();
    return !is_right;
}
