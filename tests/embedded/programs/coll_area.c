/*
 * Collective operations in the memory that the processes of a communicator share: random sequences of
 * them on communicators that come and go, with ranks that are late, so that parts and bytes are used
 * again as early as they may be. Usage: coll_area ROUNDS work|rounds [threads].
 */
#include "collective.h"

#include <unistd.h>

enum { MOST = 5000, MOST_OF_PAIR = 60000, AT_A_TIME = 40 /* more communicators than areas */ };

/* The same numbers in all ranks of a communicator. */
static unsigned next_number(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 8) % below;
}

/* The element that a rank contributes: sums of these are exact. */
static double element(unsigned seed, int rank, int i) { return (double)((seed + 7u * (unsigned)rank + 13u * (unsigned)i) % 1000u); }

static double sum(unsigned seed, int ranks, int i)
{
    double all = 0;
    for (int rank = 0; rank < ranks; rank++)
        all += element(seed, rank, i);
    return all;
}

struct operation {
    MPI_Comm comm;
    int n, me, root, count;
    unsigned seed;
    double *in, *out;
};

static void bcast(const struct operation *o)
{
    CHECK(MPI_Bcast(o->me == o->root ? o->in : o->out, o->count, MPI_DOUBLE, o->root, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < o->count && o->me != o->root; i++)
        CHECK(o->out[i] == element(o->seed, o->root, i));
}

static void reduce(const struct operation *o)
{
    CHECK(MPI_Reduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, o->root, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < o->count && o->me == o->root; i++)
        CHECK(o->out[i] == sum(o->seed, o->n, i));
}

static void allreduce(const struct operation *o)
{
    CHECK(MPI_Allreduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < o->count; i++)
        CHECK(o->out[i] == sum(o->seed, o->n, i));
}

static void scan(const struct operation *o)
{
    CHECK(MPI_Scan(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < o->count; i++)
        CHECK(o->out[i] == sum(o->seed, o->me + 1, i));
}

static void allgather(const struct operation *o)
{
    int count = o->count / o->n;
    CHECK(MPI_Allgather(o->in, count, MPI_DOUBLE, o->out, count, MPI_DOUBLE, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < count * o->n; i++)
        CHECK(o->out[i] == element(o->seed, i / count, i % count));
}

static void alltoall(const struct operation *o)
{
    int count = o->count / o->n;
    CHECK(MPI_Alltoall(o->in, count, MPI_DOUBLE, o->out, count, MPI_DOUBLE, o->comm) == MPI_SUCCESS);
    for (int i = 0; i < count * o->n; i++)
        CHECK(o->out[i] == element(o->seed, i / count, o->me * count + i % count));
}

static void barrier(const struct operation *o) { CHECK(MPI_Barrier(o->comm) == MPI_SUCCESS); }

/* A nonblocking one and a message in between. */
static void others(const struct operation *o)
{
    MPI_Request request;
    double sent = o->in[0], got;
    int next = (o->me + 1) % o->n, before = (o->me + o->n - 1) % o->n;
    CHECK(MPI_Iallreduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, o->comm, &request) == MPI_SUCCESS);
    CHECK(MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, 1, &got, 1, MPI_DOUBLE, before, 1, o->comm, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(got == element(o->seed, before, 0));
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

static void run(MPI_Comm comm, int operations, unsigned seed)
{
    static void (*const kinds[])(const struct operation *) = {bcast, bcast, bcast, reduce, reduce, allreduce, allreduce, scan, allgather, alltoall, barrier, others};
    struct operation o = {.comm = comm};
    MPI_Comm_size(comm, &o.n);
    MPI_Comm_rank(comm, &o.me);
    unsigned most = o.n == 2 ? MOST_OF_PAIR : MOST;
    o.in = malloc((most + 1) * sizeof *o.in);
    o.out = malloc((most + 1) * sizeof *o.out);
    for (int k = 0; k < operations; k++) {
        int kind = (int)next_number(&seed, sizeof kinds / sizeof *kinds);
        o.root = (int)next_number(&seed, (unsigned)o.n);
        o.count = 1 + (int)next_number(&seed, next_number(&seed, 3) ? 30 : next_number(&seed, 3) ? MOST : most);
        o.seed = seed;
        for (int i = 0; i < o.count; i++)
            o.in[i] = element(seed, o.me, i);
        if (next_number(&seed, 50) == 0 && (int)next_number(&seed, (unsigned)o.n) == o.me)
            usleep(2000);
        kinds[kind](&o);
    }
    free(o.in);
    free(o.out);
}

/* Many at a time: some have an area. Half of each communicator's ranks form the next one. */
static void many(unsigned seed)
{
    MPI_Comm comms[AT_A_TIME];
    for (int i = 0; i < AT_A_TIME; i++) {
        int colour = i % 2 ? world_rank % 2 : 0;
        CHECK(MPI_Comm_split(MPI_COMM_WORLD, colour, -world_rank, &comms[i]) == MPI_SUCCESS);
    }
    for (int i = 0; i < AT_A_TIME; i++)
        run(comms[i], 10, seed + (unsigned)i);
    for (int i = 0; i < AT_A_TIME; i++)
        MPI_Comm_free(&comms[(i * 7) % AT_A_TIME]);
}

/* A rank that receives less or more than the root sends has an error, also if its own amount is one for messages and the
 * root's is not, or the reverse. Another rank may have passed on what it received. The next operations work. */
static void mismatched(int sent, int received)
{
    int *data = calloc(20000, sizeof *data), class, code, wanted = sent > received ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Bcast(data, world_rank ? received : sent, MPI_INT, 0, comm);
    MPI_Error_class(code, &class);
    CHECK(class == (world_rank ? wanted : MPI_SUCCESS) || (world_rank > 1 && class == MPI_SUCCESS));
    run(comm, 50, 1);
    MPI_Comm_free(&comm);
    free(data);
}

/* Reductions in which rank 0 gives another amount than the others. */
static void disagreeing(int first, int others)
{
    int in[16] = {0}, out[16], count = world_rank ? others : first;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int codes[] = {MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm), MPI_Scan(in, out, count, MPI_INT, MPI_SUM, comm),
                   MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, 0, comm)};
    for (int i = 0, class; i < 3; i++) {
        MPI_Error_class(codes[i], &class);
        CHECK(class == MPI_ERR_TRUNCATE || class == MPI_ERR_COUNT || (i == 2 && world_rank && !class));
    }
    run(comm, 50, 1);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int rounds = atoi(argv[1]);
    for (int i = 0; i < rounds; i++) {
        MPI_Comm comm;
        CHECK((i % 3 ? MPI_Comm_dup(MPI_COMM_WORLD, &comm) : MPI_Comm_split(MPI_COMM_WORLD, world_rank % 3 == 0, world_rank, &comm)) == MPI_SUCCESS);
        run(comm, 100, (unsigned)i);
        MPI_Comm_free(&comm); /* others may still be in the last operation */
    }
    run(MPI_COMM_WORLD, 1000, 99);
    many(5);
    static const int amounts[][2] = {{8, 4}, {4, 8}, {100, 4}, {4, 100}, {20000, 100}, {100, 20000}};
    for (unsigned i = 0; world_size == 2 && i < sizeof amounts / sizeof *amounts; i++)
        mismatched(amounts[i][0], amounts[i][1]);
    for (int count = 1; world_size == 2 && count < 12; count++)
        disagreeing(count, 12 - count + (count == 6));
    return end();
}
