/* Communicators of some of another's processes: split, split_type, create, create_group. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int value, result, sum;
    MPI_Comm part;

    /* Even and odd ranks, in reverse order. */
    MUST(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part));
    int members = rank % 2 ? size / 2 : (size + 1) / 2;
    MUST(MPI_Comm_size(part, &value));
    CHECK_INT(value, members);
    MUST(MPI_Comm_rank(part, &value));
    CHECK_INT(value, members - 1 - rank / 2);
    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part));
    int want = 0;
    for (int i = rank % 2; i < size; i += 2)
        want += i;
    CHECK_INT(sum, want);
    MUST(MPI_Comm_compare(part, MPI_COMM_WORLD, &result));
    CHECK_INT(result, size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    MUST(MPI_Comm_free(&part));

    /* The same members in another order. */
    MUST(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &part));
    MUST(MPI_Comm_compare(part, MPI_COMM_WORLD, &result));
    CHECK_INT(result, size == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    MUST(MPI_Comm_free(&part));

    /* The last rank is in no part. */
    MUST(MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1 ? MPI_UNDEFINED : 7, 0, &part));
    if (rank == size - 1)
        CHECK(part == MPI_COMM_NULL);
    else {
        MUST(MPI_Comm_size(part, &value));
        CHECK_INT(value, size - 1);
        MUST(MPI_Comm_free(&part));
    }

    /* All ranks run on one machine here, so they share memory. */
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &part));
    MUST(MPI_Comm_size(part, &value));
    CHECK_INT(value, size);
    MUST(MPI_Comm_rank(part, &value));
    CHECK_INT(value, rank);
    MUST(MPI_Comm_free(&part));
    MUST(MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                             &part));
    if (rank == 0)
        CHECK(part == MPI_COMM_NULL);
    else {
        MUST(MPI_Comm_size(part, &value));
        CHECK_INT(value, size - 1);
        MUST(MPI_Comm_free(&part));
    }

    /* From a group: collective over the old communicator, or only over the group. */
    MPI_Group world, reversed, others;
    int order[16];
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int i = 0; i < size; i++)
        order[i] = size - 1 - i;
    MUST(MPI_Group_incl(world, size, order, &reversed));
    MUST(MPI_Comm_create(MPI_COMM_WORLD, reversed, &part));
    MUST(MPI_Comm_rank(part, &value));
    CHECK_INT(value, size - 1 - rank);
    value = rank;
    MUST(MPI_Bcast(&value, 1, MPI_INT, 0, part));
    CHECK_INT(value, size - 1);
    MUST(MPI_Comm_free(&part));

    int zero = 0;
    MUST(MPI_Group_excl(world, 1, &zero, &others));
    part = MPI_COMM_NULL;
    MUST(MPI_Comm_create(MPI_COMM_WORLD, others, &part));
    CHECK((part == MPI_COMM_NULL) == (rank == 0));
    if (part != MPI_COMM_NULL)
        MUST(MPI_Comm_free(&part));
    if (rank != 0) {
        MUST(MPI_Comm_create_group(MPI_COMM_WORLD, others, 17, &part));
        MUST(MPI_Comm_rank(part, &value));
        CHECK_INT(value, rank - 1);
        MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MIN, part));
        CHECK_INT(sum, 1);
        MUST(MPI_Comm_free(&part));
    }
    MUST(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &part));
    CHECK(part == MPI_COMM_NULL);

    MUST(MPI_Group_free(&others));
    MUST(MPI_Group_free(&reversed));
    MUST(MPI_Group_free(&world));
    return check_done("comm_split");
}
