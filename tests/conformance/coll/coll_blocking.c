/* Every blocking collective, with every root (MPI-3.1, 5). */
#include "check.h"

enum { MAX = 64 };

static void rooted(int root)
{
    int value[3] = {-1, -1, -1}, all[MAX * 2], mine[2] = {rank, rank * rank}, counts[MAX], displs[MAX];
    if (rank == root)
        for (int i = 0; i < 3; i++)
            value[i] = root * 100 + i;
    MUST(MPI_Bcast(value, 3, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INT(value[0], root * 100);
    CHECK_INT(value[2], root * 100 + 2);

    memset(all, 0x55, sizeof all);
    MUST(MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; rank == root && i < size; i++) {
        CHECK_INT(all[2 * i], i);
        CHECK_INT(all[2 * i + 1], i * i);
    }
    if (rank != root)
        CHECK_INT(all[0], 0x55555555);
    MUST(MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INT(mine[0], rank);
    CHECK_INT(mine[1], rank * rank);

    /* Rank i contributes i + 1 elements. The parts are stored in reverse order with a gap of one. */
    int out[MAX], many[MAX * MAX], at = 0;
    for (int i = size - 1; i >= 0; i--) {
        counts[i] = i + 1;
        displs[i] = at;
        at += i + 2;
    }
    for (int i = 0; i <= rank; i++)
        out[i] = 10 * rank + i;
    memset(many, 0x55, sizeof many);
    MUST(MPI_Gatherv(out, rank + 1, MPI_INT, many, counts, displs, MPI_INT, root, MPI_COMM_WORLD));
    for (int i = 0; rank == root && i < size; i++) {
        CHECK_INT(many[displs[i]], 10 * i);
        CHECK_INT(many[displs[i] + i], 11 * i);
        CHECK_INT(many[displs[i] + i + 1], 0x55555555);
    }
    memset(out, 0, sizeof out);
    MUST(MPI_Scatterv(many, counts, displs, MPI_INT, out, rank + 1, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INT(out[0], 10 * rank);
    CHECK_INT(out[rank], 11 * rank);

    int sum[2] = {-1, -1}, term[2] = {rank + 1, 2};
    MUST(MPI_Reduce(term, sum, 2, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
    CHECK_INT(sum[0], rank == root ? size * (size + 1) / 2 : -1);
    CHECK_INT(sum[1], rank == root ? 2 * size : -1);
}

static void all_to_all(void)
{
    int out[MAX * 2], in[MAX * 4], counts[MAX], displs[MAX], in_counts[MAX], in_displs[MAX];
    int mine[2] = {rank, -rank};
    MUST(MPI_Allgather(mine, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK(in[2 * i] == i && in[2 * i + 1] == -i);

    for (int i = 0; i < size; i++) {
        counts[i] = i % 2 + 1;
        displs[i] = 3 * i;
    }
    memset(in, 0, sizeof in);
    MUST(MPI_Allgatherv(mine, rank % 2 + 1, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++) {
        CHECK_INT(in[3 * i], i);
        CHECK_INT(in[3 * i + 1], i % 2 ? -i : 0);
    }

    for (int i = 0; i < size; i++)
        out[i] = 100 * rank + i;
    MUST(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        CHECK_INT(in[i], 100 * i + rank);

    /* Rank i gets (i % 2) + 1 elements from each rank, so each rank receives the same number from all. */
    for (int i = 0; i < size; i++) {
        counts[i] = i % 2 + 1;
        displs[i] = 2 * i;
        in_counts[i] = rank % 2 + 1;
        in_displs[i] = 2 * (size - 1 - i);
        out[2 * i] = 100 * rank + i;
        out[2 * i + 1] = -(100 * rank + i);
    }
    memset(in, 0, sizeof in);
    MUST(MPI_Alltoallv(out, counts, displs, MPI_INT, in, in_counts, in_displs, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++) {
        CHECK_INT(in[in_displs[i]], 100 * i + rank);
        CHECK_INT(in[in_displs[i] + 1], rank % 2 ? -(100 * i + rank) : 0);
    }

    /* Alltoallw: displacements in bytes, and one datatype for each peer, some of them derived. */
    MPI_Datatype types[MAX], in_types[MAX], pair;
    MUST(MPI_Type_contiguous(2, MPI_INT, &pair));
    MUST(MPI_Type_commit(&pair));
    for (int i = 0; i < size; i++) {
        types[i] = (i + rank) % 2 ? pair : MPI_INT;
        counts[i] = (i + rank) % 2 ? 1 : 2;
        displs[i] = 2 * i * (int)sizeof(int);
        in_types[i] = (i + rank) % 2 ? MPI_INT : pair;
        in_counts[i] = (i + rank) % 2 ? 2 : 1;
        in_displs[i] = displs[i];
    }
    memset(in, 0, sizeof in);
    MUST(MPI_Alltoallw(out, counts, displs, types, in, in_counts, in_displs, in_types, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++) {
        CHECK_INT(in[2 * i], 100 * i + rank);
        CHECK_INT(in[2 * i + 1], -(100 * i + rank));
    }
    MUST(MPI_Type_free(&pair));
}

static void reductions(void)
{
    int term = rank + 1, result = -1, terms[MAX], part[2] = {-1, -1}, counts[MAX];
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    MUST(MPI_Allreduce(&term, &result, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD));
    int product = 1, until = 0;
    for (int i = 1; i <= size; i++)
        product *= i;
    CHECK_INT(result, product);
    MUST(MPI_Scan(&term, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i <= rank; i++)
        until += i + 1;
    CHECK_INT(result, until);
    result = -1;
    MUST(MPI_Exscan(&term, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (rank > 0)
        CHECK_INT(result, until - rank - 1);

    for (int i = 0; i < size; i++) {
        terms[i] = 10 * i + rank;
        counts[i] = 1;
    }
    MUST(MPI_Reduce_scatter_block(terms, part, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(part[0], 10 * rank * size + size * (size - 1) / 2);
    CHECK_INT(part[1], -1);
    counts[0] = 0; /* rank 0 gets nothing, the last rank two elements */
    counts[size - 1] = 2;
    terms[size] = 5;
    part[0] = -1;
    MUST(MPI_Reduce_scatter(size == 1 ? terms : terms + 1, part, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    if (size == 1)
        CHECK_INT(part[1], 5);
    else if (rank == 0)
        CHECK_INT(part[0], -1);
    else
        CHECK_INT(part[0], 10 * rank + size - 1);
    if (size > 1 && rank == size - 1)
        CHECK_INT(part[1], 5);
    for (int i = 0; i < 2; i++) {
        int in[2] = {3, 4}, inout[2] = {10, 20};
        MUST(MPI_Reduce_local(in, inout, 2, MPI_INT, i == 0 ? MPI_SUM : MPI_PROD));
        CHECK_INT(inout[0], i == 0 ? 13 : 30);
        CHECK_INT(inout[1], i == 0 ? 24 : 80);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    for (int root = 0; root < size; root++)
        rooted(root);
    all_to_all();
    reductions();
    return check_done("coll_blocking");
}
