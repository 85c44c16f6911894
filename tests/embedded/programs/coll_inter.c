/*
 * Collective operations between two groups of ranks, in both forms. The first group has the ranks
 * below a third of the job's size and one more, the second one the others.
 */
#include "collective.h"

static MPI_Comm inter;
static int n, me, others; /* of the local group; size of the other group */
static int side;          /* 0: first group */
static int nonblocking, count;

static int seed_of(int group, int rank) { return 100 * group + rank + 1; }
static const struct layout *plain = &layouts[0], *holes = &layouts[1];

static int root_argument(int group, int root) { return side != group ? root : me == root ? MPI_ROOT : MPI_PROC_NULL; }

/* The rank `root` of group `group` is the root. */
static void test_rooted(int group, int root)
{
    int argument = root_argument(group, root), here = side == group && me == root;
    int *one = new_buffer(plain, count), *all = new_buffer(holes, (int64_t)others * (count / 2));
    fill(one, plain, count, seed_of(side, me), 0);
    BOTH(nonblocking, Bcast, Ibcast, one, count, MPI_INT, argument, inter);
    CHECK(has_data(one, plain, count, side != group ? seed_of(group, root) : seed_of(side, me), 0));
    fill(one, plain, count, seed_of(side, me), 0);
    BOTH(nonblocking, Gather, Igather, one, count, MPI_INT, here ? all : NULL, count / 2, holes->type, argument, inter);
    for (int i = 0; here && i < others; i++)
        CHECK(has_data(all + (int64_t)i * (count / 2) * holes->extent, holes, count / 2, seed_of(1 - side, i), 0));
    for (int i = 0; here && i < others; i++)
        fill(all + (int64_t)i * (count / 2) * holes->extent, holes, count / 2, 900 + i, 0);
    BOTH(nonblocking, Scatter, Iscatter, here ? all : NULL, count / 2, holes->type, one, count, MPI_INT, argument, inter);
    if (side != group)
        CHECK(has_data(one, plain, count, 900 + me, 0));
    free(one);
    free(all);
}

static void test_gatherv(int group, int root)
{
    int argument = root_argument(group, root), here = side == group && me == root, total = 0;
    int *counts = malloc((size_t)others * 2 * sizeof *counts), *displs = counts + others;
    for (int i = 0; i < others; i++) {
        counts[i] = count / 2 + i;
        displs[i] = total;
        total += counts[i] + 1;
    }
    int *all = new_buffer(plain, total), *one = new_buffer(plain, count / 2 + me);
    fill(one, plain, count / 2 + me, seed_of(side, me), 0);
    BOTH(nonblocking, Gatherv, Igatherv, one, count / 2 + me, MPI_INT, all, counts, displs, MPI_INT, argument, inter);
    for (int i = 0; here && i < others; i++)
        CHECK(has_data(all + displs[i], plain, counts[i], seed_of(1 - side, i), 0));
    BOTH(nonblocking, Scatterv, Iscatterv, all, counts, displs, MPI_INT, one, count / 2 + me, MPI_INT, argument, inter);
    CHECK(has_data(one, plain, count / 2 + me, seed_of(side, me), 0)); /* its own data comes back */
    BOTH(nonblocking, Allgatherv, Iallgatherv, one, count / 2 + me, MPI_INT, all, counts, displs, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(has_data(all + displs[i], plain, counts[i], seed_of(1 - side, i), 0));
    free(counts);
    free(all);
    free(one);
}

static void test_all_to_all(void)
{
    int *send = new_buffer(plain, (int64_t)others * count), *all = new_buffer(plain, (int64_t)others * count);
    for (int i = 0; i < others; i++)
        fill(send + (int64_t)i * count, plain, count, seed_of(side, me) * 50 + i, 0);
    BOTH(nonblocking, Alltoall, Ialltoall, send, count, MPI_INT, all, count, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(has_data(all + (int64_t)i * count, plain, count, seed_of(1 - side, i) * 50 + me, 0));
    BOTH(nonblocking, Allgather, Iallgather, send, count, MPI_INT, all, count, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(has_data(all + (int64_t)i * count, plain, count, seed_of(1 - side, i) * 50, 0));
    free(send);
    free(all);
}

static int operand_group;
static double number(int rank, int64_t i) { return 1.0 / (double)(seed_of(operand_group, rank) * 7 + i); }
static double add(double a, double b) { return a + b; }
REFERENCE(sum, double, number, add)

static void check_sum(const double *buf, int64_t first, int64_t m, int group)
{
    operand_group = group;
    for (int64_t i = 0; i < m; i++)
        CHECK(buf[i] == sum(0, group == side ? n : others, first + i));
}

static void test_reductions(int group, int root)
{
    int total = n * others * 2 + count; /* of Reduce_scatter: the same in both groups */
    double *send = malloc((size_t)total * sizeof *send), *receive = malloc((size_t)total * sizeof *receive);
    int *counts = malloc((size_t)n * sizeof *counts), first = 0;
    operand_group = side;
    for (int i = 0; i < total; i++)
        send[i] = number(me, i);
    BOTH(nonblocking, Reduce, Ireduce, send, receive, count, MPI_DOUBLE, MPI_SUM, root_argument(group, root), inter);
    if (side == group && me == root)
        check_sum(receive, 0, count, 1 - side);
    BOTH(nonblocking, Allreduce, Iallreduce, send, receive, count, MPI_DOUBLE, MPI_SUM, inter);
    check_sum(receive, 0, count, 1 - side);
    for (int i = 0; i < n; i++) {
        counts[i] = i < n - 1 ? others * 2 : total - first;
        first += counts[i];
    }
    BOTH(nonblocking, Reduce_scatter, Ireduce_scatter, send, receive, counts, MPI_DOUBLE, MPI_SUM, inter);
    check_sum(receive, me * others * 2, counts[me], 1 - side);
    BOTH(nonblocking, Reduce_scatter_block, Ireduce_scatter_block, send, receive, others * 2, MPI_DOUBLE, MPI_SUM, inter);
    check_sum(receive, me * others * 2, others * 2, 1 - side);
    free(send);
    free(receive);
    free(counts);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 2, 100, 3000, 60000};
    begin(&argc, &argv);
    MPI_Comm local;
    int first = world_size / 3 + 1;
    if (world_size < 2)
        return end();
    first = first < world_size ? first : world_size - 1;
    side = world_rank >= first;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : first, 7, &inter);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_size(inter, &n);
    MPI_Comm_remote_size(inter, &others);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (nonblocking = 0; nonblocking < 2; nonblocking++)
            for (int group = 0; group < 2; group++)
                for (int root = 0; root < (group == side ? n : others); root++) {
                    count = sizes[s];
                    test_rooted(group, root);
                    test_gatherv(group, root);
                    test_all_to_all();
                    test_reductions(group, root);
                    BOTH(nonblocking, Barrier, Ibarrier, inter);
                }
    CHECK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN) == MPI_SUCCESS);
    int scan[2] = {0, 0}, class;
    MPI_Error_class(MPI_Scan(&scan[0], &scan[1], 1, MPI_INT, MPI_SUM, inter), &class);
    CHECK(class == MPI_ERR_COMM);
    MPI_Error_class(MPI_Allreduce(MPI_IN_PLACE, &scan[1], 1, MPI_INT, MPI_SUM, inter), &class);
    CHECK(class == MPI_ERR_BUFFER);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    return end();
}
