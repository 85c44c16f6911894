/*
 * Many nonblocking collective operations at a time, on several communicators, which each rank
 * completes in an order of its own, by each completion function, mixed with messages. With an
 * argument "threads" each thread has a communicator.
 */
#include "collective.h"

#include <pthread.h>

enum { COMMS = 3, EACH = 60, BYTES = 40000, THREADS = 3 };

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

struct operation {
    int kind, root, count, *send, *receive;
};

static int size_of(unsigned random) { return random % 5 == 0 ? BYTES / 4 : random % 5 == 1 ? 0 : (int)(random % 300); }

/* The arguments are the same in all ranks: they depend on the number of the operation. */
static void start(struct operation *o, int number, MPI_Comm comm, MPI_Request *request)
{
    int n, me;
    unsigned state = (unsigned)number * 77 + 5;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    o->kind = number % 9;
    o->root = (int)(next_random(&state) % (unsigned)n);
    o->count = size_of(next_random(&state));
    o->send = malloc(((size_t)o->count * (size_t)n + 1) * sizeof(int));
    o->receive = calloc((size_t)o->count * (size_t)n + 1, sizeof(int));
    for (int i = 0; i < o->count * n; i++)
        o->send[i] = number * 1000 + me * 17 + i;
    switch (o->kind) {
    case 0: MPI_Ibarrier(comm, request); break;
    case 1:
        memcpy(o->receive, o->send, (size_t)o->count * sizeof(int));
        MPI_Ibcast(o->receive, o->count, MPI_INT, o->root, comm, request);
        break;
    case 2: MPI_Iallreduce(o->send, o->receive, o->count, MPI_INT, MPI_SUM, comm, request); break;
    case 3: MPI_Iallgather(o->send, o->count, MPI_INT, o->receive, o->count, MPI_INT, comm, request); break;
    case 4: MPI_Ialltoall(o->send, o->count, MPI_INT, o->receive, o->count, MPI_INT, comm, request); break;
    case 5: MPI_Ireduce(o->send, o->receive, o->count, MPI_INT, MPI_SUM, o->root, comm, request); break;
    case 6: MPI_Iscan(o->send, o->receive, o->count, MPI_INT, MPI_SUM, comm, request); break;
    case 7: MPI_Igather(o->send, o->count, MPI_INT, o->receive, o->count, MPI_INT, o->root, comm, request); break;
    default: MPI_Ireduce_scatter_block(o->send, o->receive, o->count, MPI_INT, MPI_SUM, comm, request);
    }
}

static int sum_of_ranks(int number, int ranks, int i)
{
    return ranks * (number * 1000 + i) + 17 * (ranks * (ranks - 1) / 2);
}

static void check(struct operation *o, int number, MPI_Comm comm)
{
    int n, me;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    for (int i = 0; i < o->count; i++)
        switch (o->kind) {
        case 1: CHECK(o->receive[i] == number * 1000 + o->root * 17 + i); break;
        case 2: CHECK(o->receive[i] == sum_of_ranks(number, n, i)); break;
        case 5: CHECK(me != o->root || o->receive[i] == sum_of_ranks(number, n, i)); break;
        case 6: CHECK(o->receive[i] == sum_of_ranks(number, me + 1, i)); break;
        case 8: CHECK(o->receive[i] == sum_of_ranks(number, n, me * o->count + i)); break;
        case 3: case 4: case 7:
            for (int r = 0; r < n && (o->kind != 7 || me == o->root); r++)
                CHECK(o->receive[r * o->count + i] == number * 1000 + r * 17 + (o->kind == 4 ? me * o->count : 0) + i);
        }
    free(o->send);
    free(o->receive);
}

/* Completes all requests, in an order that depends on the rank. */
static void complete(MPI_Request *requests, int n, unsigned *state)
{
    int index, flag, some[COMMS * EACH];
    for (int left = n; left;) {
        switch (next_random(state) % 5) {
        case 0:
            index = (int)(next_random(state) % (unsigned)n);
            left -= requests[index] != MPI_REQUEST_NULL;
            MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
            break;
        case 1:
            MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
            left -= index != MPI_UNDEFINED;
            break;
        case 2:
            MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE);
            left -= flag && index != MPI_UNDEFINED;
            break;
        case 3:
            MPI_Testsome(n, requests, &index, some, MPI_STATUSES_IGNORE);
            left -= index == MPI_UNDEFINED ? 0 : index;
            break;
        default:
            if (next_random(state) % 50 == 0) {
                MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
                left = 0;
            }
        }
    }
}

static MPI_Comm comms[COMMS];

static void run_round(int first, int used, int round, unsigned *state)
{
    struct operation operations[COMMS * EACH];
    MPI_Request requests[COMMS * EACH];
    int total = used * EACH, me, n, token = round, other = -1;
    MPI_Comm_rank(comms[first], &me);
    MPI_Comm_size(comms[first], &n);
    for (int i = 0; i < total; i++)
        start(&operations[i], round * 1000 + i, comms[first + i % used], &requests[i]);
    /* Messages of the program, and a blocking operation, in between. */
    MPI_Sendrecv(&token, 1, MPI_INT, (me + 1) % n, 3, &other, 1, MPI_INT, (me - 1 + n) % n, 3, comms[first], MPI_STATUS_IGNORE);
    CHECK(other == round);
    MPI_Allreduce(&token, &other, 1, MPI_INT, MPI_SUM, comms[first]);
    CHECK(other == round * n);
    complete(requests, total, state);
    for (int i = 0; i < total; i++)
        check(&operations[i], round * 1000 + i, comms[first + i % used]);
}

static void *thread_main(void *argument)
{
    int number = (int)(intptr_t)argument;
    unsigned state = (unsigned)(world_rank * 10 + number);
    for (int round = 0; round < 10; round++)
        run_round(number, 1, round, &state);
    return NULL;
}

int main(int argc, char **argv)
{
    bool threads = has_argument(argc, argv, "threads");
    begin(&argc, &argv);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -world_rank : world_rank, &comms[i]);
    unsigned state = (unsigned)world_rank;
    pthread_t thread[THREADS];
    if (threads) {
        for (int i = 0; i < THREADS; i++)
            CHECK(!pthread_create(&thread[i], NULL, thread_main, (void *)(intptr_t)i));
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
    } else {
        for (int round = 0; round < 20; round++)
            run_round(0, COMMS, round, &state);
    }
    /* A communicator, a datatype and an operation may be freed before an operation ends (MPI-5.0, 7.4.3). */
    MPI_Request request;
    MPI_Datatype pair;
    int data[4] = {1, 2, 3, 4};
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Ibcast(data, 1, pair, world_size - 1, comms[0], &request);
    MPI_Type_free(&pair);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return end();
}
