/*
 * Context ids: communicators by the ten thousand, with different members in different processes, created by several threads, and
 * until no id is free. The messages of two communicators with a common process never meet.
 *
 * Arguments: the part (many, mixed, order, exhausted), the number of communicators, and "threads".
 */
#include "collective.h"

#include <pthread.h>

/* Requires that a message and a collective operation reach the other members, if the communicator is not MPI_COMM_NULL. */
static void use(MPI_Comm comm, int value)
{
    if (comm == MPI_COMM_NULL)
        return;
    int rank, size, inter, remote, in = -1, sum = -1, mine = value;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_test_inter(comm, &inter);
    if (inter) {
        MPI_Comm_remote_size(comm, &remote);
        CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == remote * value);
        return;
    }
    CHECK(MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 7, &in, 1, MPI_INT, (rank + size - 1) % size, 7, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(in == value);
    CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == size * value);
}

/* Many duplicates at a time. */
static void many(int n)
{
    enum { BATCH = 200 };
    MPI_Comm *own = malloc((size_t)n * sizeof *own), *all = malloc((size_t)n * sizeof *all);
    MPI_Request requests[BATCH];
    CHECK(own && all);
    for (int i = 0; i < n; i++)
        CHECK(MPI_Comm_dup(MPI_COMM_SELF, &own[i]) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &all[i]) == MPI_SUCCESS);
    for (int i = 0; i < n; i += 97) {
        use(own[i], i);
        use(all[i], i);
    }
    for (int i = 0; i < n; i++) {
        MPI_Comm_free(&own[i]);
        MPI_Comm_free(&all[i]);
    }
    for (int first = 0; first + BATCH <= n; first += BATCH) {
        for (int i = 0; i < BATCH; i++)
            CHECK(MPI_Comm_idup(MPI_COMM_WORLD, &all[first + i], &requests[i]) == MPI_SUCCESS);
        CHECK(MPI_Waitall(BATCH, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        use(all[first], first);
    }
    for (int i = 0; i < n / BATCH * BATCH; i++)
        MPI_Comm_free(&all[i]);
    for (int i = 0; i < 140000 && world_size <= 2; i++) { /* more than all ids */
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &all[0]) == MPI_SUCCESS);
        MPI_Comm_free(&all[0]);
    }
    free(own);
    free(all);
}

static OF_RANK unsigned state = 1;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 8; } /* the same in all processes */

/* A group of some ranks of the job. Returns whether this process is in it. */
static bool choose(unsigned bits, MPI_Group *some)
{
    MPI_Group all;
    int n = 0, *ranks = malloc((size_t)world_size * sizeof *ranks);
    CHECK(ranks);
    for (int i = 0; i < world_size; i++)
        if (bits >> i % 20 & 1)
            ranks[n++] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, ranks, some);
    MPI_Group_free(&all);
    free(ranks);
    return bits >> world_rank % 20 & 1;
}

static void free_group(MPI_Group *group)
{
    if (*group != MPI_GROUP_EMPTY)
        MPI_Group_free(group);
}

/* Makes a communicator between the processes with even and with odd ranks. */
static void make_inter(int tag, MPI_Comm *comm)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
    CHECK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, tag, comm) == MPI_SUCCESS);
    MPI_Comm_free(&half);
}

enum { KINDS_OF_CREATION = 12 };

/* Makes a communicator. Each process is in some of them, so that processes use different ids. */
static void make(int kind, MPI_Comm *comm)
{
    MPI_Group some;
    MPI_Request request;
    MPI_Comm inter;
    unsigned bits = next();
    int tag = (int)(next() % 5);
    *comm = MPI_COMM_NULL;
    if (kind >= 5 && kind < 10 && world_size < 2)
        kind = 0;
    switch (kind) {
    case 0:
        CHECK(MPI_Comm_split(MPI_COMM_WORLD, (int)((unsigned)world_rank * bits % 7 % 3), (int)bits, comm) == MPI_SUCCESS);
        break;
    case 1:
        choose(bits, &some);
        CHECK(MPI_Comm_create(MPI_COMM_WORLD, some, comm) == MPI_SUCCESS);
        free_group(&some);
        break;
    case 2:
    case 3:
        if (choose(bits, &some))
            CHECK(MPI_Comm_create_group(MPI_COMM_WORLD, some, tag, comm) == MPI_SUCCESS);
        free_group(&some);
        break;
    case 4:
        CHECK(MPI_Comm_idup(MPI_COMM_WORLD, comm, &request) == MPI_SUCCESS);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 10:
    case 11:
        CHECK(MPI_Comm_dup(MPI_COMM_WORLD, comm) == MPI_SUCCESS); /* has a reserve of ids */
        break;
    case 5:
        make_inter(tag, comm);
        break;
    default:
        make_inter(tag, &inter);
        for (int duplicates = kind == 6 ? 4 : 0; duplicates; duplicates--) { /* the last two agree on no id */
            if (*comm != MPI_COMM_NULL)
                MPI_Comm_free(comm);
            CHECK(MPI_Comm_dup(inter, comm) == MPI_SUCCESS);
        }
        if (kind == 7)
            CHECK(MPI_Intercomm_merge(inter, world_rank % 2, comm) == MPI_SUCCESS);
        if (kind == 8)
            CHECK(MPI_Comm_split(inter, world_rank / 2 % 2, 0, comm) == MPI_SUCCESS);
        if (kind == 9) {
            CHECK(MPI_Comm_idup(inter, comm, &request) == MPI_SUCCESS);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Comm_free(&inter);
    }
}

/* Communicators of all kinds, freed in a random order, so that the free ids of two processes differ. */
static void mixed(int n)
{
    enum { LIVE = 300 };
    static OF_RANK MPI_Comm comm[LIVE];
    for (int i = 0; i < LIVE; i++)
        comm[i] = MPI_COMM_NULL;
    for (int i = 0; i < n; i++) {
        int at = (int)(next() % LIVE);
        if (comm[at] != MPI_COMM_NULL)
            MPI_Comm_free(&comm[at]);
        make((int)(next() % KINDS_OF_CREATION), &comm[at]);
        use(comm[at], i + 1);
        unsigned other = next() % LIVE;
        use(comm[other], i + 2);
    }
    for (int i = 0; i < LIVE; i++)
        if (comm[i] != MPI_COMM_NULL)
            MPI_Comm_free(&comm[i]);
}

/* ---- several threads ---- */

enum { PARENTS = 4 };
struct creator {
    MPI_Comm parent[PARENTS];
    int n, number, rank;
};

/* Duplicates one of the communicators. */
static void *duplicate_one(void *argument)
{
    const struct creator *c = argument;
    MPI_Comm *made = malloc((size_t)c->n * sizeof *made);
    MPI_Request request;
#ifdef ADI_RANK_THREADS
    world_rank = c->rank; /* a thread-local variable */
#endif
    CHECK(made);
    for (int i = 0; i < c->n; i++) {
        if (i % 3 == 0) {
            CHECK(MPI_Comm_idup(c->parent[c->number], &made[i], &request) == MPI_SUCCESS);
            CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        } else if (i % 3 == 1) {
            CHECK(MPI_Comm_split(c->parent[c->number], 0, 0, &made[i]) == MPI_SUCCESS);
        } else {
            CHECK(MPI_Comm_dup(c->parent[c->number], &made[i]) == MPI_SUCCESS);
        }
        use(made[i], c->number * 1000 + i);
    }
    for (int i = 0; i < c->n; i++)
        MPI_Comm_free(&made[i]);
    free(made);
    return NULL;
}

/* Rank 0 has a thread for each communicator. The others use the communicators one after the other, each rank in another
 * order on which the threads must not depend: rank 0 begins all creations, and only one of them can proceed. */
static void order(int n)
{
    struct creator creator[PARENTS];
    MPI_Comm parent[PARENTS];
    pthread_t thread[PARENTS];
    for (int i = 0; i < PARENTS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parent[i]);
    for (int round = 0; round < 2; round++) { /* in the second round, all ranks have threads */
        for (int i = 0; i < PARENTS; i++) {
            creator[i] = (struct creator){.n = n, .number = i, .rank = world_rank};
            memcpy(creator[i].parent, parent, sizeof parent);
        }
        for (int i = 0; i < PARENTS; i++)
            if (round || !world_rank)
                CHECK(!pthread_create(&thread[i], NULL, duplicate_one, &creator[i]));
        for (int i = PARENTS - 1; i >= 0; i--) {
            if (round || !world_rank)
                pthread_join(thread[i], NULL);
            else
                duplicate_one(&creator[i]);
        }
    }
    for (int i = 0; i < PARENTS; i++)
        MPI_Comm_free(&parent[i]);
}

/* ---- the end of the ids ---- */

/* Duplicates until no id is free. Returns the number of duplicates. */
static int exhaust(MPI_Comm comm, MPI_Comm *made, int most, bool nonblocking)
{
    char text[MPI_MAX_ERROR_STRING];
    int n = 0, length, err = MPI_SUCCESS, class;
    MPI_Request request;
    while (n < most && !err) {
        if (nonblocking) {
            err = MPI_Comm_idup(comm, &made[n], &request);
            if (!err)
                err = MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            err = MPI_Comm_dup(comm, &made[n]);
        }
        n += !err;
    }
    CHECK(err);
    MPI_Error_class(err, &class);
    MPI_Error_string(err, text, &length);
    CHECK(class == MPI_ERR_NO_MEM);
    return n;
}

static void exhausted(int most)
{
    MPI_Comm *made = malloc((size_t)most * sizeof *made), parents[2] = {MPI_COMM_SELF, MPI_COMM_WORLD}, half;
    CHECK(made);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_set_errhandler(parents[i], MPI_ERRORS_RETURN);
        int n = exhaust(parents[i], made, most, false);
        CHECK(n >= 100000);
        for (int k = 0; k < 3; k++) { /* a free id is found, wherever it is */
            int at = (int)(next() % (unsigned)n);
            MPI_Comm_free(&made[at]);
            CHECK(MPI_Comm_dup(parents[i], &made[at]) == MPI_SUCCESS);
            use(made[at], k);
            CHECK(exhaust(parents[i], made + n, most - n, k % 2) == 0);
            if (i && world_size > 1)
                CHECK(MPI_Comm_split(parents[i], world_rank % 2 ? MPI_UNDEFINED : 0, 0, &half) != MPI_SUCCESS || world_size < 4);
        }
        for (int k = 0; k < n; k++)
            MPI_Comm_free(&made[k]);
    }
    CHECK(MPI_Comm_dup(MPI_COMM_WORLD, made) == MPI_SUCCESS);
    use(*made, 1);
    MPI_Comm_free(made);
    free(made);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(argc > 2);
    const char *part = argv[1];
    int n = atoi(argv[2]);
    if (!strcmp(part, "many"))
        many(n);
    else if (!strcmp(part, "mixed"))
        mixed(n);
    else if (!strcmp(part, "order"))
        order(n);
    else
        exhausted(n);
    return end();
}
