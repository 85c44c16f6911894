/* Objects that one thread creates and another uses, completes or frees: requests of all kinds, persistent ones,
   communicators, datatypes, operations, handles of windows and files, attributes and infos, with MPI_THREAD_MULTIPLE
   (MPI-3.1, 12.4). */
#include <pthread.h>
#include "check.h"

enum { ROUNDS = 300, WINDOW = 8 };

typedef struct {
    MPI_Request requests[2 * WINDOW], persistent;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Info info;
    MPI_Group group;
    MPI_Errhandler handler;
    int keyval, in[WINDOW], out[WINDOW], persistent_in, round;
} parcel;

static parcel parcels[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int made, used, deletes;

static void sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static int delete(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)state;
    CHECK(value == &deletes);
    __atomic_add_fetch(&deletes, 1, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

static void make(parcel *p, int round)
{
    p->round = round;
    MUST(MPI_Comm_dup(MPI_COMM_SELF, &p->comm));
    for (int i = 0; i < WINDOW; i++) {
        p->in[i] = -1;
        p->out[i] = 10 * round + i;
        MUST(MPI_Irecv(&p->in[i], 1, MPI_INT, 0, i, p->comm, &p->requests[i]));
    }
    for (int i = 0; i < WINDOW; i++)
        MUST(MPI_Isend(&p->out[i], 1, MPI_INT, 0, i, p->comm, &p->requests[WINDOW + i]));
    MUST(MPI_Recv_init(&p->persistent_in, 1, MPI_INT, 0, 100, p->comm, &p->persistent));
    MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &p->type));
    MUST(MPI_Type_commit(&p->type));
    MUST(MPI_Op_create(sum, 1, &p->op));
    MUST(MPI_Info_create(&p->info));
    MUST(MPI_Info_set(p->info, "key", "value"));
    MUST(MPI_Comm_group(p->comm, &p->group));
    MUST(MPI_Comm_create_errhandler(on_error, &p->handler));
    MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &p->keyval, NULL));
    MUST(MPI_Comm_set_attr(p->comm, p->keyval, &deletes));
}

static void use(parcel *p)
{
    MPI_Status statuses[2 * WINDOW];
    int value = 0, a = 3, b = 4, flag = 0, index = -1;
    char text[16];
    if (p->round % 3 == 0) {
        MUST(MPI_Waitall(2 * WINDOW, p->requests, statuses));
    } else if (p->round % 3 == 1) {
        for (int i = 0; i < 2 * WINDOW; i++)
            MUST(MPI_Waitany(2 * WINDOW, p->requests, &index, MPI_STATUS_IGNORE));
    } else {
        for (int i = 2 * WINDOW - 1; i >= 0; i--)
            MUST(MPI_Wait(&p->requests[i], &statuses[i]));
    }
    for (int i = 0; i < WINDOW; i++) {
        CHECK_INT(p->in[i], 10 * p->round + i);
        CHECK(p->requests[i] == MPI_REQUEST_NULL);
    }
    MUST(MPI_Start(&p->persistent));
    MUST(MPI_Send(&a, 1, MPI_INT, 0, 100, p->comm));
    MUST(MPI_Wait(&p->persistent, &statuses[0]));
    CHECK(p->persistent_in == 3 && statuses[0].MPI_TAG == 100);
    MUST(MPI_Request_free(&p->persistent));
    MUST(MPI_Type_size(p->type, &value));
    CHECK_INT(value, 2 * (int)sizeof(int));
    MUST(MPI_Type_free(&p->type));
    MUST(MPI_Reduce_local(&a, &b, 1, MPI_INT, p->op));
    CHECK_INT(b, 7);
    MUST(MPI_Op_free(&p->op));
    MUST(MPI_Info_get(p->info, "key", 15, text, &flag));
    CHECK(flag && !strcmp(text, "value"));
    MUST(MPI_Info_free(&p->info));
    MUST(MPI_Group_size(p->group, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Group_free(&p->group));
    MUST(MPI_Comm_set_errhandler(p->comm, p->handler));
    MUST(MPI_Errhandler_free(&p->handler));
    MUST(MPI_Comm_free_keyval(&p->keyval));
    MUST(MPI_Comm_free(&p->comm));
    CHECK(p->comm == MPI_COMM_NULL);
}

static void *user(void *argument)
{
    (void)argument;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&mutex);
        while (made <= round)
            pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        use(&parcels[round % 2]);
        pthread_mutex_lock(&mutex);
        used = round + 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1;
    pthread_t thread;
    MUST(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_ranks();
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    if (provided == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, user, NULL);
        for (int round = 0; round < ROUNDS; round++) {
            pthread_mutex_lock(&mutex);
            while (used < round - 1) /* wait until the parcel of two rounds ago is free again */
                pthread_cond_wait(&changed, &mutex);
            pthread_mutex_unlock(&mutex);
            make(&parcels[round % 2], round);
            pthread_mutex_lock(&mutex);
            made = round + 1;
            pthread_cond_broadcast(&changed);
            pthread_mutex_unlock(&mutex);
        }
        pthread_join(thread, NULL);
        CHECK_INT(deletes, ROUNDS);
    }
    return check_done("thread_objects");
}
