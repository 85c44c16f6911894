/* Groups: set operations, ranges, translation, comparison, the empty group. */
#include "check.h"

enum { N = 4 }; /* a group cannot be larger than the world, so the sets shrink with it */

static void expect(MPI_Group group, MPI_Group world, int count, const int *members)
{
    int value;
    MUST(MPI_Group_size(group, &value));
    CHECK_INT(value, count);
    for (int i = 0; i < count; i++) {
        int got = -7;
        MUST(MPI_Group_translate_ranks(group, 1, &i, world, &got));
        CHECK_INT(got, members[i]);
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    MPI_Group world, self, a, b, c;
    int value, result;

    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    MUST(MPI_Comm_group(MPI_COMM_SELF, &self));
    MUST(MPI_Group_size(world, &value));
    CHECK_INT(value, size);
    MUST(MPI_Group_rank(world, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Group_size(MPI_GROUP_EMPTY, &value));
    CHECK_INT(value, 0);
    MUST(MPI_Group_rank(MPI_GROUP_EMPTY, &value));
    CHECK_INT(value, MPI_UNDEFINED);
    MUST(MPI_Group_compare(world, self, &result));
    CHECK_INT(result, size == 1 ? MPI_IDENT : MPI_UNEQUAL);
    MUST(MPI_Group_compare(world, world, &result));
    CHECK_INT(result, MPI_IDENT);

    int ranks[N], out[N];
    for (int i = 0; i < size; i++)
        ranks[i] = size - 1 - i;
    MUST(MPI_Group_incl(world, size, ranks, &a));
    expect(a, world, size, ranks);
    MUST(MPI_Group_compare(a, world, &result));
    CHECK_INT(result, size == 1 ? MPI_IDENT : MPI_SIMILAR);
    MUST(MPI_Group_rank(a, &value));
    CHECK_INT(value, size - 1 - rank);
    MUST(MPI_Group_free(&a));
    CHECK(a == MPI_GROUP_NULL);

    /* Including no rank gives the empty group. */
    MUST(MPI_Group_incl(world, 0, ranks, &a));
    MUST(MPI_Group_size(a, &value));
    CHECK_INT(value, 0);
    MUST(MPI_Group_compare(a, MPI_GROUP_EMPTY, &result));
    CHECK_INT(result, MPI_IDENT);
    if (a != MPI_GROUP_EMPTY)
        MUST(MPI_Group_free(&a));

    /* MPI_PROC_NULL translates to itself, a missing process to MPI_UNDEFINED. */
    int asked[2] = {MPI_PROC_NULL, 0};
    MUST(MPI_Group_translate_ranks(world, 2, asked, self, out));
    CHECK_INT(out[0], MPI_PROC_NULL);
    CHECK_INT(out[1], rank == 0 ? 0 : MPI_UNDEFINED);

    if (size == 4) {
        int low[3] = {0, 1, 2}, high[2] = {3, 1};
        MUST(MPI_Group_incl(world, 3, low, &a));
        MUST(MPI_Group_incl(world, 2, high, &b));
        MUST(MPI_Group_union(a, b, &c));
        expect(c, world, 4, (int[]){0, 1, 2, 3});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_union(b, a, &c));
        expect(c, world, 4, (int[]){3, 1, 0, 2});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_intersection(a, b, &c));
        expect(c, world, 1, (int[]){1});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_difference(a, b, &c));
        expect(c, world, 2, (int[]){0, 2});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_difference(a, a, &c));
        MUST(MPI_Group_size(c, &value));
        CHECK_INT(value, 0);
        if (c != MPI_GROUP_EMPTY)
            MUST(MPI_Group_free(&c));
        MUST(MPI_Group_excl(world, 2, high, &c));
        expect(c, world, 2, (int[]){0, 2});
        MUST(MPI_Group_free(&c));
        int ranges[2][3] = {{3, 1, -2}, {0, 0, 1}};
        MUST(MPI_Group_range_incl(world, 2, ranges, &c));
        expect(c, world, 3, (int[]){3, 1, 0});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_range_excl(world, 2, ranges, &c));
        expect(c, world, 1, (int[]){2});
        MUST(MPI_Group_free(&c));
        MUST(MPI_Group_free(&a));
        MUST(MPI_Group_free(&b));
    }
    int range[1][3] = {{0, size - 1, 1}};
    MUST(MPI_Group_range_incl(world, 1, range, &c));
    MUST(MPI_Group_compare(c, world, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Group_union(c, MPI_GROUP_EMPTY, &a));
    MUST(MPI_Group_compare(a, world, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Group_free(&a));
    MUST(MPI_Group_free(&c));

    CHECK(MPI_Group_f2c(MPI_Group_c2f(world)) == world);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
    MUST(MPI_Group_free(&self));
    MUST(MPI_Group_free(&world));
    return check_done("group_ops");
}
