/*
 * Wrong arguments of collective operations: each call returns the error class, in all ranks, and
 * the communicator works afterwards. Correct calls with arguments that are ignored.
 */
#include "collective.h"

static MPI_Comm comm;
static int n, me;

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}
#define FAILS(class, call) CHECK(class_of(call) == (class))

static void works(void)
{
    int one = 1, sum = 0;
    CHECK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(sum == n);
}

static void test_wrong(void)
{
    int data[64] = {0}, other[64], *counts = calloc((size_t)n, sizeof *counts), *displs = calloc((size_t)n, sizeof *displs);
    MPI_Datatype *types = malloc((size_t)n * sizeof *types), open;
    MPI_Request request;
    MPI_Type_contiguous(2, MPI_INT, &open);
    for (int i = 0; i < n; i++)
        types[i] = MPI_INT;
    FAILS(MPI_ERR_COUNT, MPI_Bcast(data, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(data, 1, open, 0, comm));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(data, 1, MPI_INT, n, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(NULL, 1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(NULL, data, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(data, other, 1, MPI_FLOAT, MPI_BAND, comm));
    FAILS(MPI_ERR_OP, MPI_Iallreduce(data, other, 1, MPI_INT, MPI_MAXLOC, comm, &request));
    FAILS(MPI_ERR_OP, MPI_Reduce(data, other, 1, MPI_INT, MPI_OP_NULL, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Exscan(NULL, other, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(data, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(NULL, 1, MPI_INT, other, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(data, 1, MPI_INT, NULL, 1, MPI_INT, comm));
    FAILS(MPI_ERR_ARG, MPI_Allgatherv(data, 0, MPI_INT, other, NULL, displs, MPI_INT, comm));
    FAILS(MPI_ERR_ARG, MPI_Alltoallv(data, counts, displs, MPI_INT, other, counts, NULL, MPI_INT, comm));
    counts[n - 1] = -1;
    FAILS(MPI_ERR_COUNT, MPI_Allgatherv(data, 0, MPI_INT, other, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter(data, other, counts, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_COUNT, MPI_Alltoallv(data, counts, displs, MPI_INT, other, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Ialltoallw(data, counts, displs, types, other, counts, displs, types, comm, &request));
    counts[n - 1] = 0;
    types[n - 1] = MPI_DATATYPE_NULL;
    FAILS(MPI_ERR_TYPE, MPI_Alltoallw(data, counts, displs, types, other, counts, displs, types, comm));
    types[n - 1] = open;
    FAILS(MPI_ERR_TYPE, MPI_Alltoallw(data, counts, displs, types, other, counts, displs, types, comm));
    FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    /* More is sent than received. */
    FAILS(MPI_ERR_TRUNCATE, MPI_Allgather(data, 2, MPI_INT, other, 1, MPI_INT, comm));
    MPI_Iallgather(data, 2, MPI_INT, other, 1, MPI_INT, comm, &request);
    FAILS(MPI_ERR_TRUNCATE, MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == MPI_REQUEST_NULL);
    int code = MPI_Bcast(data, me ? 1 : 4, MPI_INT, 0, comm);
    CHECK(me ? class_of(code) == MPI_ERR_TRUNCATE || n > 2 : code == MPI_SUCCESS);
    MPI_Type_free(&open);
    free(counts);
    free(displs);
    free(types);
    works();
}

/* The same data as operand and result, or as the own block that is sent and received. */
static void test_overlap(void)
{
    int *data = calloc((size_t)n, sizeof *data), *own = data + me, *counts = malloc((size_t)n * sizeof *counts), *displs = malloc((size_t)n * sizeof *displs);
    int *bytes = malloc((size_t)n * sizeof *bytes);
    MPI_Datatype *types = malloc((size_t)n * sizeof *types);
    for (int i = 0; i < n; i++) {
        counts[i] = 1;
        displs[i] = i;
        bytes[i] = 4 * i;
        types[i] = MPI_INT;
    }
    FAILS(MPI_ERR_BUFFER, MPI_Gather(own, 1, MPI_INT, data, 1, MPI_INT, me, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Gatherv(own, 1, MPI_INT, data, counts, displs, MPI_INT, me, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Scatter(data, 1, MPI_INT, own, 1, MPI_INT, me, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Scatterv(data, counts, displs, MPI_INT, own, 1, MPI_INT, me, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(own, 1, MPI_INT, data, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgatherv(own, 1, MPI_INT, data, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(data, 1, MPI_INT, data, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoallv(data, counts, displs, MPI_INT, data, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoallw(data, counts, bytes, types, data, counts, bytes, types, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce(data, data, 1, MPI_INT, MPI_SUM, me, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_scatter(data, data, counts, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_scatter_block(data, data, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Scan(data, data, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Exscan(data, data, 1, MPI_INT, MPI_SUM, comm));
    CHECK(MPI_Allreduce(data, data, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(MPI_Allgather(MPI_BOTTOM, 0, MPI_INT, MPI_BOTTOM, 0, MPI_INT, comm) == MPI_SUCCESS);
    free(data);
    free(counts);
    free(displs);
    free(bytes);
    free(types);
    works();
}

/* A rank whose call is refused repeats it, and the other ranks call once. */
static void test_repeated(void)
{
    int one = 1, sum = 0;
    if (me == 0)
        FAILS(MPI_ERR_BUFFER, MPI_Reduce(&one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, comm));
    CHECK(MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm) == MPI_SUCCESS);
    CHECK(me || sum == n);
    works();
}

/* Less is sent than received. */
static void test_short(void)
{
    int data[10] = {0}, *all = calloc((size_t)n * 10, sizeof *all);
    int code = MPI_Bcast(data, me ? 10 : 1, MPI_INT, 0, comm);
    CHECK(me ? class_of(code) == MPI_ERR_COUNT || n > 2 : code == MPI_SUCCESS);
    code = MPI_Scatter(all, 1, MPI_INT, data, me ? 10 : 1, MPI_INT, 0, comm);
    CHECK(me ? class_of(code) == MPI_ERR_COUNT || n > 2 : code == MPI_SUCCESS);
    free(all);
    works();
}

/* Without free ids every rank gets the error, members of the new communicator or not. */
static void test_exhausted(void)
{
    enum { MANY = 300000 };
    MPI_Comm *made = malloc(MANY * sizeof *made);
    int failed = 0, k = 0;
    for (; k < MANY && !failed; k++)
        failed = MPI_Comm_split(comm, (me + k) % 2 ? 0 : MPI_UNDEFINED, 0, &made[k]) != MPI_SUCCESS;
    CHECK(failed);
    works();
    for (int i = 0; i < k - 1; i++)
        if (made[i] != MPI_COMM_NULL)
            CHECK(MPI_Comm_free(&made[i]) == MPI_SUCCESS);
    works();
    free(made);
    MPI_Comm again;
    CHECK(MPI_Comm_split(comm, me % 2, 0, &again) == MPI_SUCCESS);
    CHECK(MPI_Comm_free(&again) == MPI_SUCCESS);
}

/* Arguments that a call ignores may have any value. */
static void test_ignored(void)
{
    int data[2] = {me, 1}, *all = malloc((size_t)n * 2 * sizeof *all), sum;
    bool root = me == n - 1;
    CHECK(MPI_Gather(data, 1, MPI_INT, root ? all : NULL, root ? 1 : -5, root ? MPI_INT : MPI_DATATYPE_NULL, n - 1, comm) == MPI_SUCCESS);
    CHECK(MPI_Gather(root ? MPI_IN_PLACE : data, root ? -1 : 1, root ? MPI_DATATYPE_NULL : MPI_INT, all, 1, MPI_INT, n - 1, comm) == MPI_SUCCESS);
    CHECK(MPI_Scatter(root ? all : NULL, root ? 1 : -5, root ? MPI_INT : MPI_DATATYPE_NULL, root ? MPI_IN_PLACE : data, root ? -1 : 1, root ? MPI_DATATYPE_NULL : MPI_INT, n - 1, comm) == MPI_SUCCESS);
    CHECK(MPI_Reduce(data, root ? &sum : NULL, 1, MPI_INT, MPI_SUM, n - 1, comm) == MPI_SUCCESS);
    CHECK(MPI_Exscan(data, me ? &sum : NULL, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(MPI_Bcast(NULL, 0, MPI_INT, 0, comm) == MPI_SUCCESS);
    CHECK(MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm) == MPI_SUCCESS);
    free(all);
    works();
}

/* Absolute addresses, and a count beyond 2^31 of an empty datatype. */
static void test_special(void)
{
    int data = me == 0 ? 42 : 0;
    MPI_Aint at;
    MPI_Datatype absolute, empty;
    MPI_Get_address(&data, &at);
    MPI_Type_create_hindexed(1, (int[]){1}, &at, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    CHECK(MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, comm) == MPI_SUCCESS);
    CHECK(data == 42);
    MPI_Type_free(&absolute);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    CHECK(MPI_Bcast_c(&data, (MPI_Count)1 << 40, empty, 0, comm) == MPI_SUCCESS);
    CHECK(MPI_Allgather_c(&data, (MPI_Count)1 << 40, empty, &data, (MPI_Count)1 << 40, empty, comm) == MPI_SUCCESS);
    MPI_Type_free(&empty);
    works();
}

/* Addresses as displacements from MPI_BOTTOM, with a datatype that has none. A null pointer with a small displacement is
 * refused. */
static void test_bottom(void)
{
    int *from = malloc((size_t)n * sizeof *from), *to = calloc((size_t)n, sizeof *to);
    MPI_Count *counts = malloc((size_t)n * sizeof *counts);
    MPI_Aint *sends = malloc((size_t)n * sizeof *sends), *receives = malloc((size_t)n * sizeof *receives);
    MPI_Datatype *types = malloc((size_t)n * sizeof *types);
    for (int i = 0; i < n; i++) {
        from[i] = me * n + i;
        counts[i] = 1;
        types[i] = MPI_INT;
        MPI_Get_address(&from[i], &sends[i]);
        MPI_Get_address(&to[i], &receives[i]);
    }
    CHECK(MPI_Alltoallw_c(MPI_BOTTOM, counts, sends, types, MPI_BOTTOM, counts, receives, types, comm) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK(to[i] == i * n + me);
    receives[0] = sizeof *to;
    FAILS(MPI_ERR_BUFFER, MPI_Alltoallw_c(MPI_BOTTOM, counts, sends, types, MPI_BOTTOM, counts, receives, types, comm));
    free(from);
    free(to);
    free(counts);
    free(sends);
    free(receives);
    free(types);
    works();
}

/* A status of a nonblocking operation is empty except for its error. */
static void test_status(void)
{
    MPI_Request request;
    MPI_Status status;
    int count, flag;
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Test_cancelled(&status, &flag);
    CHECK(count == 0 && !flag);
    MPI_Ibarrier(comm, &request);
    FAILS(MPI_ERR_REQUEST, MPI_Cancel(&request));
    MPI_Wait(&request, &status);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    test_wrong();
    test_overlap();
    test_repeated();
    test_short();
    test_exhausted();
    test_ignored();
    test_special();
    test_bottom();
    test_status();
    MPI_Comm_free(&comm);
    return end();
}
