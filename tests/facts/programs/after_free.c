/* Callbacks are called after their handle has been freed, as long as the library still uses the object. */
#include "fact.h"

static int additions, errors, copies, deletions;
static MPI_Datatype expected_type;
static MPI_Comm expected_comm;

static void add(void *in, void *out, int *n, MPI_Datatype *type)
{
    int bytes = -1;
    additions++;
    CHECK(MPI_Type_size(*type, &bytes) == MPI_SUCCESS && bytes == 2 * (int)sizeof(int));
    if (expected_type != MPI_DATATYPE_NULL)
        CHECK(*type == expected_type);
    for (int i = 0; i < 2 * *n; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static void other(void *in, void *out, int *n, MPI_Datatype *type)
{
    (void)in, (void)out, (void)n, (void)type;
    CHECK(!"the operation that was made after the free was called in its place");
}

static void failed(MPI_Comm *comm, int *code, ...)
{
    int class = -1;
    errors++;
    CHECK(*comm == expected_comm);
    MUST(MPI_Error_class(*code, &class));
    CHECK(class == MPI_ERR_RANK);
}

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key;
    CHECK(extra == (void *)77 && in == (void *)88);
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key;
    CHECK(extra == (void *)77 && value == (void *)88);
    deletions++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm, twin;
    MPI_Errhandler handler;
    MPI_Request request;
    MUST(MPI_Init(&argc, &argv));
    MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MUST(MPI_Comm_size(MPI_COMM_WORLD, &size));
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));

    /* Operation and datatype are freed while the reduction is in progress. */
    for (int round = 0; round < 200; round++) {
        int in[4] = {1, 2, 3, 4}, out[4] = {0, 0, 0, 0};
        MPI_Op op, op2;
        MPI_Datatype type;
        MUST(MPI_Type_contiguous(2, MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        MUST(MPI_Op_create(add, 1, &op));
        expected_type = MPI_DATATYPE_NULL;
        MUST(MPI_Iallreduce(in, out, 2, type, op, comm, &request));
        MUST(MPI_Op_free(&op));
        MUST(MPI_Type_free(&type));
        CHECK(op == MPI_OP_NULL && type == MPI_DATATYPE_NULL);
        MUST(MPI_Op_create(other, 1, &op2));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MUST(MPI_Op_free(&op2));
        CHECK(out[0] == size && out[3] == 4 * size);
    }
    int all = -1; /* some ranks need not call the operation */
    MUST(MPI_Allreduce(&additions, &all, 1, MPI_INT, MPI_SUM, comm));
    CHECK(size == 1 || all > 0);

    /* If the datatype is alive, the callback gets the program's own handle. */
    int in[2] = {1, 2}, out[2] = {0, 0};
    MPI_Op op;
    MUST(MPI_Type_contiguous(2, MPI_INT, &expected_type));
    MUST(MPI_Type_commit(&expected_type));
    MUST(MPI_Op_create(add, 1, &op));
    additions = 0;
    MUST(MPI_Reduce_local(in, out, 1, expected_type, op));
    CHECK(additions == 1 && out[1] == 2);
    MUST(MPI_Op_free(&op));
    MUST(MPI_Type_free(&expected_type));

    /* An error handler lives as long as the communicators that have or inherit it. */
    MUST(MPI_Comm_create_errhandler(failed, &handler));
    MUST(MPI_Comm_set_errhandler(comm, handler));
    MUST(MPI_Errhandler_free(&handler));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    expected_comm = comm;
    MPI_Send(in, 1, MPI_INT, size, 0, comm); /* newer MPICH returns success after the handler */
    CHECK(errors == 1);
    MUST(MPI_Comm_dup(comm, &twin));
    expected_comm = twin;
    MPI_Send(in, 1, MPI_INT, size, 0, twin);
    CHECK(errors == 2);
    MUST(MPI_Comm_free(&twin));

    /* A keyval lives as long as one of its attributes. */
    for (int round = 1; round <= 100; round++) {
        int key, key2, flag = -1;
        void *value = NULL;
        MUST(MPI_Comm_create_keyval(copy, drop, &key, (void *)77));
        MUST(MPI_Comm_set_attr(comm, key, (void *)88));
        MUST(MPI_Comm_free_keyval(&key));
        CHECK(key == MPI_KEYVAL_INVALID);
        MUST(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key2, NULL));
        MUST(MPI_Comm_get_attr(comm, key2, &value, &flag));
        CHECK(flag == 0);
        MUST(MPI_Comm_dup(comm, &twin));
        CHECK(copies == 1 && deletions == 0);
        MUST(MPI_Comm_free(&twin));
        CHECK(deletions == 1);
        MUST(MPI_Comm_free_keyval(&key2));
        MUST(MPI_Comm_free(&comm));
        CHECK(deletions == 2);
        copies = deletions = 0;
        MUST(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    }

    /* A pending receive uses a freed datatype. */
    if (size > 1) {
        MPI_Datatype type;
        int got[4] = {0, 0, 0, 0}, peer = rank ^ 1;
        MUST(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
        MUST(MPI_Type_commit(&type));
        MUST(MPI_Irecv(got, 1, type, peer, 3, MPI_COMM_WORLD, &request));
        MUST(MPI_Type_free(&type));
        if (peer < size)
            MUST(MPI_Send(in, 2, MPI_INT, peer, 3, MPI_COMM_WORLD));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(got[0] == 1 && got[1] == 0 && got[2] == 2);
    }
    MUST(MPI_Comm_free(&comm));
    MUST(MPI_Finalize());
    return fact_failures || rank ? fact_failures != 0 : fact_done();
}
