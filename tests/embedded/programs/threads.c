/*
 * Threads of every rank use the library at the same time (MPI-5.0, 11.6): messages and probes on one
 * communicator, collective operations on a communicator of each thread, and all kinds of objects,
 * which they create and free. Threads of the same number take the same steps in all ranks.
 *
 * Argument: the number of steps of each thread.
 */
#include "collective.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 3, LONGEST = 40000, FIRST_TAG = 100 };

/* The work of a thread. */
struct work {
    int number, rank, size;
    long rounds;
    unsigned random; /* the state of the thread's random numbers */
    MPI_Comm own;    /* the communicator of the threads of this number */
    MPI_Comm common; /* a communicator that all threads change */
    MPI_Info shared; /* an info object that all threads read */
    int *out, *in;   /* LONGEST integers each */
    int copied, deleted; /* calls of the functions of attributes for this thread */
};

static unsigned next(struct work *w) { return (w->random = w->random * 1664525u + 1013904223u) >> 8; }
static int right_of(const struct work *w) { return (w->rank + 1) % w->size; }
static int left_of(const struct work *w) { return (w->rank + w->size - 1) % w->size; }
static int tag_of(const struct work *w) { return FIRST_TAG + w->number; }

/* Fills the message to the next rank. Returns its length. */
static int message(struct work *w)
{
    static const int lengths[] = {0, 1, 10, 100, 1200, LONGEST};
    int length = lengths[next(w) % 6];
    for (int i = 0; i < length; i++) {
        w->out[i] = value(w->rank * 10 + w->number, i);
        w->in[i] = HOLE;
    }
    return length;
}

static void check_message(const struct work *w, const MPI_Status *status, int length)
{
    int count = -1;
    CHECK(MPI_Get_count(status, MPI_INT, &count) == MPI_SUCCESS && count == length);
    CHECK(status->MPI_SOURCE == left_of(w) && status->MPI_TAG == tag_of(w));
    for (int i = 0; i < length; i++)
        CHECK(w->in[i] == value(left_of(w) * 10 + w->number, i));
}

static void ring(struct work *w)
{
    int length = message(w);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(w->in, LONGEST, MPI_INT, length % 3 ? left_of(w) : MPI_ANY_SOURCE, tag_of(w), MPI_COMM_WORLD, &requests[0]);
    (next(w) % 2 ? MPI_Isend : MPI_Issend)(w->out, length, MPI_INT, right_of(w), tag_of(w), MPI_COMM_WORLD, &requests[1]);
    if (next(w) % 2) {
        MPI_Waitall(2, requests, statuses);
    } else {
        for (int flag = 0; !flag; sched_yield())
            MPI_Testall(2, requests, &flag, statuses);
    }
    check_message(w, &statuses[0], length);
}

static void probes(struct work *w)
{
    int length = message(w), flag = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Isend(w->out, length, MPI_INT, right_of(w), tag_of(w), MPI_COMM_WORLD, &request);
    switch (next(w) % 4) {
    case 0:
        MPI_Probe(left_of(w), tag_of(w), MPI_COMM_WORLD, &status);
        MPI_Recv(w->in, length, MPI_INT, left_of(w), tag_of(w), MPI_COMM_WORLD, &status);
        break;
    case 1:
        for (; !flag; sched_yield())
            MPI_Iprobe(MPI_ANY_SOURCE, tag_of(w), MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(w->in, length, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        break;
    case 2:
        MPI_Mprobe(MPI_ANY_SOURCE, tag_of(w), MPI_COMM_WORLD, &found, &status);
        MPI_Mrecv(w->in, length, MPI_INT, &found, &status);
        break;
    default:
        for (; !flag; sched_yield())
            MPI_Improbe(left_of(w), tag_of(w), MPI_COMM_WORLD, &flag, &found, &status);
        MPI_Request receive;
        MPI_Imrecv(w->in, length, MPI_INT, &found, &receive);
        MPI_Wait(&receive, &status);
    }
    check_message(w, &status, length);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collectives(struct work *w)
{
    int nonblocking = (int)(next(w) % 2), mine = w->rank + w->number, sum = -1, n = w->size, root = (int)(next(w) % (unsigned)n);
    BOTH(nonblocking, Allreduce, Iallreduce, &mine, &sum, 1, MPI_INT, MPI_SUM, w->own);
    CHECK(sum == n * (n - 1) / 2 + n * w->number);
    int length = message(w);
    if (w->rank != root)
        memset(w->out, 0, (size_t)length * sizeof(int));
    BOTH(nonblocking, Bcast, Ibcast, w->out, length, MPI_INT, root, w->own);
    for (int i = 0; i < length; i++)
        CHECK(w->out[i] == value(root * 10 + w->number, i));
    BOTH(nonblocking, Barrier, Ibarrier, w->own);
}

static void communicators(struct work *w)
{
    MPI_Comm dup, part;
    MPI_Request request;
    int n = 0, mine = 1, sum = 0;
    if (next(w) % 2) {
        MPI_Comm_dup(w->own, &dup);
    } else {
        MPI_Comm_idup(w->own, &dup, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_split(dup, w->rank % 2, -w->rank, &part);
    MPI_Comm_size(part, &n);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, part);
    CHECK(sum == n);
    MPI_Comm_free(&part);
    MPI_Comm_free(&dup);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval;
    ((struct work *)extra)->copied++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    (void)comm, (void)keyval, (void)attribute;
    ((struct work *)extra)->deleted++;
    return MPI_SUCCESS;
}

/* Attributes of MPI_COMM_WORLD, which all threads change, and of copies of the own communicator. */
static void attributes(struct work *w)
{
    int keyval, flag = 0, copied = w->copied, deleted = w->deleted;
    void *found = NULL;
    MPI_Comm dup;
    MPI_Comm_create_keyval(copy, delete, &keyval, w);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, w);
    MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &found, &flag);
    CHECK(flag && found == w);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_set_attr(w->own, keyval, &flag);
    MPI_Comm_dup(w->own, &dup);
    MPI_Comm_free(&dup);
    MPI_Comm_delete_attr(w->own, keyval);
    MPI_Comm_free_keyval(&keyval);
    CHECK(w->copied == copied + 1 && w->deleted == deleted + 3);
}

static void types(struct work *w)
{
    MPI_Datatype vector, dup;
    int size = 0, out[4] = {w->rank, -1, w->number, -1}, in[4] = {0, 7, 0, 7};
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_dup(vector, &dup);
    MPI_Type_set_name(dup, "a copy");
    MPI_Type_free(&vector);
    MPI_Type_size(dup, &size);
    CHECK(size == 2 * (int)sizeof(int));
    MPI_Sendrecv(out, 1, dup, right_of(w), tag_of(w), in, 1, dup, left_of(w), tag_of(w), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in[0] == left_of(w) && in[1] == 7 && in[2] == w->number && in[3] == 7);
    MPI_Type_free(&dup);
    MPI_Type_create_f90_real(6 + w->number, MPI_UNDEFINED, &dup);
    MPI_Type_size(dup, &size);
    CHECK(size == 4 || size == 8);
}

static void infos(struct work *w)
{
    char text[MPI_MAX_INFO_VAL + 1];
    int flag = 0, n = 0;
    MPI_Info mine;
    MPI_Info_get(w->shared, "key", MPI_MAX_INFO_VAL, text, &flag);
    CHECK(flag && !strcmp(text, "value"));
    MPI_Info_dup(w->shared, &mine);
    MPI_Info_set(mine, "more", "values");
    MPI_Info_get_nkeys(mine, &n);
    CHECK(n == 2);
    MPI_Comm_set_info(w->own, mine);
    MPI_Info_free(&mine);
    MPI_Comm_get_info(w->own, &mine);
    MPI_Info_free(&mine);
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    int class, flag;
    void *found;
    MPI_Error_class(*code, &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Comm_get_attr(*comm, MPI_UNIVERSE_SIZE, &found, &flag);
}

static void errors(struct work *w)
{
    MPI_Errhandler made, found;
    int class, code, got = -1, nothing = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm_create_errhandler(handler, &made);
    MPI_Comm_set_errhandler(w->own, made);
    CHECK(MPI_Send(&nothing, 1, MPI_INT, 99, 0, w->own) != MPI_SUCCESS);
    MPI_Comm_get_errhandler(w->own, &found);
    CHECK(found == made);
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&made);
    MPI_Comm_set_errhandler(w->own, MPI_ERRORS_ARE_FATAL);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "a new error");
    MPI_Error_class(code, &got);
    CHECK(got == class);
    MPI_Error_string(code, text, &nothing);
    CHECK(!strcmp(text, "a new error"));
}

/* Properties of one communicator, which other threads read and change. */
static void common(struct work *w)
{
    MPI_Errhandler made, found;
    MPI_Info info;
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1, nothing = 0;
    MPI_Comm_create_errhandler(handler, &made);
    MPI_Comm_set_errhandler(w->common, made);
    MPI_Errhandler_free(&made);
    CHECK(MPI_Send(&nothing, 1, MPI_INT, 99, 0, w->common) != MPI_SUCCESS);
    MPI_Comm_get_errhandler(w->common, &found);
    MPI_Errhandler_free(&found);
    MPI_Comm_set_name(w->common, w->number % 2 ? "odd" : "even number");
    MPI_Comm_get_name(w->common, name, &length);
    CHECK(!strcmp(name, "odd") || !strcmp(name, "even number"));
    MPI_Comm_get_info(w->common, &info);
    MPI_Info_free(&info);
    MPI_Type_set_name(MPI_INT, w->number % 2 ? "odd" : "even number");
    MPI_Type_get_name(MPI_INT, name, &length);
    CHECK(!strcmp(name, "odd") || !strcmp(name, "even number"));
}

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void groups_and_operations(struct work *w)
{
    MPI_Group all, one;
    MPI_Op op;
    int n = 0, a = 1, b = 2;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &w->rank, &one);
    MPI_Group_size(one, &n);
    CHECK(n == 1);
    MPI_Group_free(&all);
    MPI_Group_free(&one);
    MPI_Op_create(sum, 1, &op);
    MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
    CHECK(b == 3);
    MPI_Op_free(&op);
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 5);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = 1;
    return MPI_SUCCESS;
}
static int released(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancelled(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void requests(struct work *w)
{
    int out = w->rank, in = -1, flag = 0;
    MPI_Request pair[2], general;
    MPI_Status status;
    MPI_Recv_init(&in, 1, MPI_INT, left_of(w), tag_of(w), MPI_COMM_WORLD, &pair[0]);
    MPI_Send_init(&out, 1, MPI_INT, right_of(w), tag_of(w), MPI_COMM_WORLD, &pair[1]);
    for (int i = 0; i < 3; i++) {
        in = -1;
        MPI_Startall(2, pair);
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        CHECK(in == left_of(w));
    }
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
    MPI_Grequest_start(query, released, cancelled, NULL, &general);
    MPI_Grequest_complete(general);
    MPI_Wait(&general, &status);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, FIRST_TAG + THREADS + w->number, MPI_COMM_WORLD, &general);
    MPI_Cancel(&general);
    MPI_Wait(&general, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

static void *thread_main(void *argument)
{
    static void (*const steps[])(struct work *) = {ring, probes, collectives, communicators, attributes, types, infos, errors, common, groups_and_operations, requests};
    struct work *w = argument;
#ifdef ADI_RANK_THREADS
    world_rank = w->rank; /* a thread-local variable */
#endif
    for (long i = 0; i < w->rounds; i++)
        steps[next(w) % (sizeof steps / sizeof *steps)](w);
    return NULL;
}

int main(int argc, char **argv)
{
    struct work work[THREADS];
    pthread_t thread[THREADS];
    MPI_Info shared;
    MPI_Comm common_comm;
    char *words[] = {argv[0], "threads", NULL}, **all = words;
    int two = 2;
    long rounds = argc > 1 ? atol(argv[1]) : 100;
    begin(&two, &all);
    MPI_Info_create(&shared);
    MPI_Info_set(shared, "key", "value");
    MPI_Comm_dup(MPI_COMM_WORLD, &common_comm);
    for (int i = 0; i < THREADS; i++) {
        work[i] = (struct work){.number = i, .rank = world_rank, .size = world_size, .rounds = rounds, .random = (unsigned)(i + 1), .common = common_comm, .shared = shared};
        CHECK((work[i].out = malloc(LONGEST * sizeof(int))) && (work[i].in = malloc(LONGEST * sizeof(int))));
        MPI_Comm_dup(MPI_COMM_WORLD, &work[i].own);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&thread[i], NULL, thread_main, &work[i]));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        MPI_Comm_free(&work[i].own);
        free(work[i].out);
        free(work[i].in);
    }
    MPI_Comm_free(&common_comm);
    MPI_Info_free(&shared);
    return end();
}
