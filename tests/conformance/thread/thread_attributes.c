/* Threads that create and free keyvals, and set, read, copy and delete attributes of objects that they share and of
   their own, while each exchanges data in communicators of changing sizes (MPI-3.1, 6.7, 12.4). */
#include <pthread.h>
#include "check.h"

enum { THREADS = 2, ROUNDS = 64, RANKS = 16 };

static MPI_Comm shared, parents[THREADS];
static MPI_Datatype shared_type;
static int deleted[THREADS], numbers[THREADS][ROUNDS];

static int copy(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    (void)comm, (void)keyval, (void)state;
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval;
    int *const number = value, *const count = state;
    CHECK(number >= numbers[count - deleted] && number < numbers[count - deleted] + ROUNDS);
    __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

static void expect(MPI_Comm comm, int keyval, const int *want)
{
    int *value = NULL, flag = 0;
    MUST(MPI_Comm_get_attr(comm, keyval, &value, &flag));
    CHECK(flag == (want != NULL) && (!flag || value == want));
}

/* Sets an attribute of the shared communicator and of one of the thread's own, with a keyval of its own. The
   keyval is freed while it is in use in every other round. */
static void attributes(int thread, int round)
{
    int keyval, kept, *const number = &numbers[thread][round];
    MPI_Comm own, twin;
    MUST(MPI_Comm_create_keyval(copy, delete, &keyval, &deleted[thread]));
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &own));
    MUST(MPI_Comm_set_attr(shared, keyval, number));
    MUST(MPI_Comm_set_attr(own, keyval, number));
    expect(shared, keyval, number);
    expect(own, keyval, number);
    MUST(MPI_Comm_dup(own, &twin));
    expect(twin, keyval, number);
    MUST(MPI_Comm_delete_attr(twin, keyval));
    expect(twin, keyval, NULL);
    MUST(MPI_Comm_free(&twin));
    MUST(MPI_Comm_delete_attr(shared, keyval));
    expect(shared, keyval, NULL);
    kept = keyval;
    if (round % 2)
        MUST(MPI_Comm_free_keyval(&keyval));
    MUST(MPI_Comm_free(&own));
    if (!(round % 2))
        MUST(MPI_Comm_free_keyval(&keyval));
    CHECK(keyval == MPI_KEYVAL_INVALID && kept != keyval);
}

/* The same with a datatype that all threads share, and a predefined attribute. */
static void type_attributes(int thread, int round)
{
    int keyval, *value = NULL, flag = 0, *const number = &numbers[thread][round];
    MUST(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL));
    MUST(MPI_Type_set_attr(shared_type, keyval, number));
    MUST(MPI_Type_get_attr(shared_type, keyval, &value, &flag));
    CHECK(flag && value == number);
    MUST(MPI_Type_delete_attr(shared_type, keyval));
    MUST(MPI_Type_free_keyval(&keyval));
    MUST(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *value >= 32767);
}

/* Exchanges one int with each process of a part of all, whose size changes with the round. */
static void exchange(int thread, int round)
{
    MPI_Comm part;
    int me, n, counts[RANKS], at[RANKS], sent[RANKS], got[RANKS];
    MPI_Datatype types[RANKS];
    MUST(MPI_Comm_split(parents[thread], rank <= (round + thread) % size, 0, &part));
    MUST(MPI_Comm_rank(part, &me));
    MUST(MPI_Comm_size(part, &n));
    for (int j = 0; j < n; j++) {
        counts[j] = 1;
        at[j] = (int)sizeof(int) * j;
        sent[j] = 1000 * thread + 10 * me + j;
        types[j] = j % 2 ? MPI_INT : shared_type;
    }
    for (int i = 0; i < RANKS; i++)
        got[i] = -1;
    MUST(MPI_Alltoallw(sent, counts, at, types, got, counts, at, types, part));
    for (int j = 0; j < RANKS; j++)
        CHECK_INT(got[j], j < n ? 1000 * thread + 10 * j + me : -1);
    MUST(MPI_Comm_free(&part));
}

static void *work(void *argument)
{
    const int thread = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        attributes(thread, round);
        type_attributes(thread, round);
        if (round % 16 == 0)
            exchange(thread, round);
    }
    CHECK_INT(deleted[thread], 3 * ROUNDS);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, all;
    pthread_t threads[THREADS];
    int names[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_ranks();
    all = provided >= MPI_THREAD_MULTIPLE ? THREADS : 1;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &shared));
    MUST(MPI_Type_contiguous(1, MPI_INT, &shared_type));
    MUST(MPI_Type_commit(&shared_type));
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]));
    }
    for (int i = 0; i < all; i++)
        CHECK(pthread_create(&threads[i], NULL, work, &names[i]) == 0);
    for (int i = 0; i < all; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MUST(MPI_Comm_free(&parents[i]));
    MUST(MPI_Type_free(&shared_type));
    MUST(MPI_Comm_free(&shared));
    return check_done("thread_attributes");
}
