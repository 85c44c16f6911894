/* A plugin that uses MPI: the first one in a process initializes it, the last one finalizes it and prints the result. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int plugin_run(int is_first, int is_last);

static int failures;
#define CHECK(condition) ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static void larger(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int rank = -1, bytes = -1;
    CHECK(!MPI_Comm_rank(MPI_COMM_WORLD, &rank) && rank >= 0); /* a callback may call MPI */
    CHECK(!MPI_Type_size(*type, &bytes) && bytes == (int)sizeof(int));
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static int deleted;
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int size = -1;
    (void)keyval, (void)extra;
    CHECK(!MPI_Comm_size(comm, &size) && size > 0);
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

int plugin_run(int is_first, int is_last)
{
    int rank = -1, size = -1, in[3] = {0, 0, 0}, out[3], count = -1, keyval, one = 1, flag = -1;
    MPI_Comm twin;
    MPI_Datatype three;
    MPI_Op op;
    MPI_Status status;
    MPI_Request requests[2];
    CHECK(!MPI_Initialized(&flag) && flag == !is_first);
    if (is_first)
        CHECK(!MPI_Init(NULL, NULL));
    CHECK(!MPI_Comm_rank(MPI_COMM_WORLD, &rank) && !MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(rank >= 0 && rank < size);
    CHECK(!MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    CHECK(!MPI_Type_contiguous(3, MPI_INT, &three) && !MPI_Type_commit(&three));
    for (int i = 0; i < 3; i++)
        out[i] = 10 * rank + i;
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    CHECK(!MPI_Sendrecv(out, 1, three, next, 5, in, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, twin, &status));
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 5 && !MPI_Get_count(&status, three, &count) && count == 1);
    CHECK(in[0] == 10 * before && in[2] == 10 * before + 2);
    CHECK(!MPI_Irecv(in, 1, three, before, 6, twin, &requests[0]) && !MPI_Isend(out, 1, three, next, 6, twin, &requests[1]));
    CHECK(!MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) && requests[0] == MPI_REQUEST_NULL);
    CHECK(!MPI_Op_create(larger, 1, &op) && !MPI_Allreduce(out, in, 3, MPI_INT, op, twin));
    CHECK(in[1] == 10 * (size - 1) + 1);
    CHECK(!MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL) && !MPI_Comm_set_attr(twin, keyval, &one));
    CHECK(!MPI_Op_free(&op) && !MPI_Type_free(&three) && !MPI_Comm_free(&twin) && deleted == 1);
    CHECK(!MPI_Comm_free_keyval(&keyval));
    if (is_last) {
        CHECK(!MPI_Finalize());
        printf("rank %d of %d: %s\n", rank, size, failures ? "failed" : "ok");
    }
    return failures;
}
