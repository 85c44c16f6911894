/*
 * Large-count nonblocking reductions (MPI-4.0, 6.12) with counts beyond the chunk limit that the suite sets, among
 * other requests, completed by every completion function. Datatype and operation are freed before completion.
 */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007, MAX = 64 };

static MPI_Datatype kind; /* two ints */
static int *out, *in, *other;

static void add_pairs(void *from, void *to, MPI_Count *n, MPI_Datatype *type)
{
    (void)type;
    for (MPI_Count i = 0; i < 2 * *n; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = i + rank;
        in[i] = other[i] = -1;
    }
}

static void sum_of(const int *got, int n, int first, int ranks)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != ranks * (i + first) + ranks * (ranks - 1) / 2;
    CHECK_INT(wrong, 0);
}

static void finish(MPI_Request *request, int how)
{
    int flag = 0, n = 0, index = -1, indices[1];
    MPI_Status status;
    switch (how) {
    case 0: MUST(MPI_Wait(request, &status)); break;
    case 1:
        while (!flag)
            MUST(MPI_Test(request, &flag, &status));
        break;
    case 2:
        MUST(MPI_Waitany(1, request, &index, &status));
        CHECK_INT(index, 0);
        break;
    case 3:
        while (!n)
            MUST(MPI_Testsome(1, request, &n, indices, &status));
        CHECK_INT(indices[0], 0);
        break;
    default:
        while (!flag)
            MUST(MPI_Request_get_status(*request, &flag, &status));
        MUST(MPI_Waitsome(1, request, &n, indices, &status));
        CHECK_INT(n, 1);
    }
    CHECK(*request == MPI_REQUEST_NULL);
}

static void each(int how)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    const int root = size - 1;
    MPI_Request request;
    MPI_Count counts[MAX];
    MPI_Op op;
    int first = 0, total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 2 ? N / 2 : N / 3;
        first += i < rank ? (int)counts[i] : 0;
        total += (int)counts[i];
    }
    fill(N);
    MUST(MPI_Iallreduce_c(out, in, N, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    sum_of(in, N, 0, size);
    fill(N);
    MUST(MPI_Ireduce_c(out, in, N, MPI_INT, MPI_SUM, root, w, &request));
    finish(&request, how);
    if (rank == root)
        sum_of(in, N, 0, size);
    fill(N);
    MUST(MPI_Iscan_c(out, in, N, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    sum_of(in, N, 0, rank + 1);
    fill(N);
    MUST(MPI_Iexscan_c(out, in, N, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    if (rank > 0)
        sum_of(in, N, 0, rank);
    fill(total);
    MUST(MPI_Ireduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    sum_of(in, (int)counts[rank], first, size);
    fill(total);
    memcpy(in, out, total * sizeof *in);
    MUST(MPI_Ireduce_scatter_c(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    sum_of(in, (int)counts[rank], first, size);
    CHECK(!memcmp(in + counts[rank], out + counts[rank], (total - counts[rank]) * sizeof *in));
    fill(size * (N / 4));
    MUST(MPI_Ireduce_scatter_block_c(out, in, N / 4, MPI_INT, MPI_SUM, w, &request));
    finish(&request, how);
    sum_of(in, N / 4, rank * (N / 4), size);
    fill(2 * N);
    MPI_Datatype same;
    MUST(MPI_Type_dup(kind, &same));
    MUST(MPI_Op_create_c(add_pairs, 1, &op));
    MUST(MPI_Iallreduce_c(out, in, N, same, op, w, &request));
    MUST(MPI_Op_free(&op));
    MUST(MPI_Type_free(&same));
    finish(&request, how);
    sum_of(in, 2 * N, 0, size);
}

/* Two reductions, a message each way and a null request, completed in one call. */
static void together(void)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    int *message = malloc(N * sizeof *message), wrong = 0;
    MPI_Request requests[5];
    MPI_Status statuses[5];
    MPI_Count count = -1;
    for (int i = 0; i < 3; i++) {
        fill(N);
        requests[2] = MPI_REQUEST_NULL;
        MUST(MPI_Irecv_c(message, N, MPI_INT, from, 9, w, &requests[0]));
        MUST(MPI_Iallreduce_c(out, in, N, MPI_INT, MPI_SUM, w, &requests[1]));
        MUST(MPI_Iscan_c(out, other, N, MPI_INT, MPI_SUM, w, &requests[3]));
        MUST(MPI_Isend_c(out, N, MPI_INT, to, 9, w, &requests[4]));
        MUST(MPI_Waitall(5, requests, statuses));
        MUST(MPI_Get_count_c(&statuses[0], MPI_INT, &count));
        CHECK_INT(count, N);
        CHECK_INT(statuses[0].MPI_SOURCE, from);
        for (int j = 0; j < N; j++)
            wrong += message[j] != j + from;
        CHECK_INT(wrong, 0);
        sum_of(in, N, 0, size);
        sum_of(other, N, 0, rank + 1);
    }
    free(message);
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    out = malloc((2 + size) * N * sizeof *out);
    in = malloc((2 + size) * N * sizeof *in);
    other = malloc((2 + size) * N * sizeof *other);
    MUST(MPI_Type_contiguous(2, MPI_INT, &kind));
    MUST(MPI_Type_commit(&kind));
    for (int how = 0; how < 5; how++)
        each(how);
    together();
    MUST(MPI_Type_free(&kind));
    free(out);
    free(in);
    free(other);
#endif
    return check_done("large_chunk_ireduce");
}
