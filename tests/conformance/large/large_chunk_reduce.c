/* Large-count reductions (MPI-4.0, 6.9 to 6.11) with counts beyond the chunk limit that the suite sets. */
#include "check.h"

#if HAVE_LARGE_COUNTS
enum { N = 10007 };

static MPI_Datatype pair; /* two ints */
static int *out, *in;

static void add_pairs(void *from, void *to, MPI_Count *n, MPI_Datatype *type)
{
    CHECK(*type == pair);
    for (MPI_Count i = 0; i < 2 * *n; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

/* Keeps the first int of the left operand and the last of the right one, so any order except the ranks' is detected. */
static void first_last(void *from, void *to, int *n, MPI_Datatype *type)
{
    CHECK(*type == pair);
    for (int i = 0; i < *n; i++)
        ((int *)to)[2 * i] = ((int *)from)[2 * i];
}

static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = i + rank;
        in[i] = -1;
    }
}

/* Checks that in[i] for i < n is the sum of i + rank over this many ranks, from first on. */
static void sum_of(int n, int first, int ranks)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += in[i] != ranks * (i + first) + ranks * (ranks - 1) / 2;
    CHECK_INT(wrong, 0);
}

static void predefined(void)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    const int root = size - 1;
    fill(N);
    MUST(MPI_Allreduce_c(out, in, N, MPI_INT, MPI_SUM, w));
    sum_of(N, 0, size);
    memcpy(in, out, N * sizeof *in);
    MUST(MPI_Allreduce_c(MPI_IN_PLACE, in, N, MPI_INT, MPI_SUM, w));
    sum_of(N, 0, size);
    fill(N);
    MUST(MPI_Reduce_c(out, rank == root ? in : NULL, N, MPI_INT, MPI_SUM, root, w));
    if (rank == root)
        sum_of(N, 0, size);
    memcpy(in, out, N * sizeof *in);
    /* MPICH 4.0.2 crashes in this call on all ranks except 0. */
    MUST(MPI_Reduce_c(rank == 0 ? MPI_IN_PLACE : out, in, N, MPI_INT, MPI_SUM, 0, w));
    if (rank == 0)
        sum_of(N, 0, size);
    fill(N);
    MUST(MPI_Scan_c(out, in, N, MPI_INT, MPI_SUM, w));
    sum_of(N, 0, rank + 1);
    fill(N);
    MUST(MPI_Exscan_c(out, in, N, MPI_INT, MPI_SUM, w));
    if (rank > 0)
        sum_of(N, 0, rank);
    int wrong = 0;
    fill(N);
    memcpy(in, out, N * sizeof *in);
    MUST(MPI_Reduce_local_c(out, in, N, MPI_INT, MPI_SUM));
    for (int i = 0; i < N; i++)
        wrong += in[i] != 2 * (i + rank);
    CHECK_INT(wrong, 0);
}

static void user(void)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    MPI_Op op, ordered;
    MUST(MPI_Op_create_c(add_pairs, 1, &op));
    MUST(MPI_Op_create(first_last, 0, &ordered));
    fill(2 * N);
    MUST(MPI_Allreduce_c(out, in, N, pair, op, w));
    sum_of(2 * N, 0, size);
    fill(2 * N);
    MUST(MPI_Scan_c(out, in, N, pair, op, w));
    sum_of(2 * N, 0, rank + 1);
    fill(2 * N);
    MUST(MPI_Allreduce_c(out, in, N, pair, ordered, w));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += in[2 * i] != 2 * i || in[2 * i + 1] != 2 * i + 1 + size - 1;
    CHECK_INT(wrong, 0);
    MUST(MPI_Op_free(&op));
    MUST(MPI_Op_free(&ordered));
}

/* The parts of all ranks are stored one after the other; some are large, some small, one is empty. */
static void scattered(MPI_Op op, MPI_Datatype type, int ints)
{
    const MPI_Comm w = MPI_COMM_WORLD;
    MPI_Count *counts = malloc(size * sizeof *counts);
    int total = 0, first = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3 == 0 ? N : i % 3 == 1 ? 7 + N / 2 : 0;
        if (i < rank)
            first += (int)counts[i] * ints;
        total += (int)counts[i] * ints;
    }
    out = realloc(out, (2 * total + 1) * sizeof *out);
    in = realloc(in, (2 * total + 1) * sizeof *in);
    fill(total);
    MUST(MPI_Reduce_scatter_c(out, in, counts, type, op, w));
    sum_of((int)counts[rank] * ints, first, size);
    CHECK(in[counts[rank] * ints] == -1 || counts[rank] * ints == total);
    memcpy(in, out, total * sizeof *in);
    MUST(MPI_Reduce_scatter_c(MPI_IN_PLACE, in, counts, type, op, w));
    sum_of((int)counts[rank] * ints, first, size);

    const int block = N / 4;
    out = realloc(out, size * N * sizeof *out);
    in = realloc(in, size * N * sizeof *in);
    fill(size * block * ints);
    MUST(MPI_Reduce_scatter_block_c(out, in, block, type, op, w));
    sum_of(block * ints, rank * block * ints, size);
    memcpy(in, out, size * block * ints * sizeof *in);
    MUST(MPI_Reduce_scatter_block_c(MPI_IN_PLACE, in, block, type, op, w));
    sum_of(block * ints, rank * block * ints, size);
    free(counts);
}

/* Each half of the world gets the result of the other half. */
static void between_groups(void)
{
    MPI_Comm half, inter;
    if (size < 2)
        return;
    const int left = rank < size / 2, mine = left ? size / 2 : size - size / 2, others = size - mine;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, left, rank, &half));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, left ? size / 2 : 0, 3, &inter));
    fill(N);
    MUST(MPI_Allreduce_c(out, in, N, MPI_INT, MPI_SUM, inter));
    int wrong = 0;
    const int first = left ? size / 2 : 0;
    for (int i = 0; i < N; i++)
        wrong += in[i] != others * (i + first) + others * (others - 1) / 2;
    CHECK_INT(wrong, 0);
    /* Both groups have the same number of elements in total. */
    MPI_Count counts[64];
    const int all = N * (size - size / 2) * (size / 2), own = all / mine, at = (rank - (left ? 0 : size / 2)) * own;
    for (int i = 0; i < mine; i++)
        counts[i] = own;
    out = realloc(out, all * sizeof *out);
    in = realloc(in, all * sizeof *in);
    fill(all);
    MUST(MPI_Reduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, inter));
    for (int i = 0; i < own; i++)
        wrong += in[i] != others * (at + i + first) + others * (others - 1) / 2;
    CHECK_INT(wrong, 0);
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
}
#endif

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
#if HAVE_LARGE_COUNTS
    MPI_Op op;
    out = malloc(2 * N * sizeof *out);
    in = malloc(2 * N * sizeof *in);
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    MUST(MPI_Op_create_c(add_pairs, 1, &op));
    predefined();
    user();
    scattered(MPI_SUM, MPI_INT, 1);
    scattered(op, pair, 2);
    between_groups();
    MUST(MPI_Op_free(&op));
    MUST(MPI_Type_free(&pair));
    free(out);
    free(in);
#endif
    return check_done("large_chunk_reduce");
}
