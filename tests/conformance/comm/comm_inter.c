/* Intercommunicators: create, merge, remote size and group, collectives with MPI_ROOT and MPI_PROC_NULL, split. */
#include "check.h"

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    int value, result;
    MPI_Comm parent;
    MUST(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL);
    if (size == 1)
        return check_done("comm_inter");

    int color = rank % 2, evens = (size + 1) / 2, odds = size / 2;
    int mine = color ? odds : evens, theirs = color ? evens : odds;
    MPI_Comm local, inter;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, color, rank, &local));
    MUST(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, color ? 0 : 1, 99, &inter));
    MUST(MPI_Comm_test_inter(inter, &value));
    CHECK_INT(value, 1);
    MUST(MPI_Comm_size(inter, &value));
    CHECK_INT(value, mine);
    MUST(MPI_Comm_remote_size(inter, &value));
    CHECK_INT(value, theirs);
    MUST(MPI_Comm_rank(inter, &value));
    CHECK_INT(value, rank / 2);

    MPI_Group remote, world, near;
    MUST(MPI_Comm_remote_group(inter, &remote));
    MUST(MPI_Group_size(remote, &value));
    CHECK_INT(value, theirs);
    MUST(MPI_Comm_group(MPI_COMM_WORLD, &world));
    int zero = 0, translated = -5;
    MUST(MPI_Group_translate_ranks(remote, 1, &zero, world, &translated));
    CHECK_INT(translated, color ? 0 : 1);
    MUST(MPI_Group_rank(remote, &value));
    CHECK_INT(value, MPI_UNDEFINED);
    MUST(MPI_Comm_group(inter, &near));
    MUST(MPI_Group_rank(near, &value));
    CHECK_INT(value, rank / 2);
    MUST(MPI_Group_free(&remote));
    MUST(MPI_Group_free(&near));
    MUST(MPI_Group_free(&world));

    /* In a broadcast the root passes MPI_ROOT, the rest of its group MPI_PROC_NULL, and the other group the root's
       rank. */
    int data = color == 0 && rank == 0 ? 4711 : -1;
    int root = color ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MUST(MPI_Bcast(&data, 1, MPI_INT, root, inter));
    CHECK_INT(data, color || rank == 0 ? 4711 : -1);

    int sum = -1;
    MUST(MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, color ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
    int want = 0;
    for (int i = 1; i < size; i += 2)
        want += i;
    CHECK_INT(sum, rank == 0 ? want : -1);

    int gathered[16] = {-1, -1, -1, -1};
    root = color ? rank == 1 ? MPI_ROOT : MPI_PROC_NULL : 0;
    MUST(MPI_Gather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, root, inter));
    for (int i = 0; i < evens; i++)
        CHECK_INT(gathered[i], rank == 1 ? 2 * i : -1);
    MPI_Request request;
    data = rank == 1 ? 12 : -1;
    MUST(MPI_Ibcast(&data, 1, MPI_INT, root, inter, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(data, rank == 1 || !color ? 12 : -1);

    MUST(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, inter));
    CHECK_INT(sum, color ? 2 * (evens - 1) : 2 * odds - 1);
    MUST(MPI_Barrier(inter));

    /* Ranks in messages count the remote group. */
    if (rank / 2 < theirs) {
        MPI_Status status;
        int got = -1;
        MUST(MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 3, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter,
                          &status));
        CHECK_INT(got, color ? rank - 1 : rank + 1);
        CHECK_INT(status.MPI_SOURCE, rank / 2);
        CHECK_INT(status.MPI_TAG, 3);
    }

    MPI_Comm dup, merged;
    MUST(MPI_Comm_dup(inter, &dup));
    MUST(MPI_Comm_compare(inter, dup, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    MUST(MPI_Comm_compare(inter, inter, &result));
    CHECK_INT(result, MPI_IDENT);
    MUST(MPI_Comm_free(&dup));

    MUST(MPI_Intercomm_merge(inter, color == 0, &merged));
    MUST(MPI_Comm_test_inter(merged, &value));
    CHECK_INT(value, 0);
    MUST(MPI_Comm_size(merged, &value));
    CHECK_INT(value, size);
    MUST(MPI_Comm_rank(merged, &value));
    CHECK_INT(value, color ? rank / 2 : odds + rank / 2);
    MUST(MPI_Comm_compare(merged, MPI_COMM_WORLD, &result));
    CHECK_INT(result, MPI_SIMILAR);
    MUST(MPI_Comm_free(&merged));

    if (size >= 4) {
        MPI_Comm pairs;
        MUST(MPI_Comm_split(inter, rank / 2, 0, &pairs));
        MUST(MPI_Comm_remote_size(pairs, &value));
        CHECK_INT(value, 1);
        MUST(MPI_Comm_free(&pairs));
    }
    MUST(MPI_Comm_free(&inter));
    CHECK(inter == MPI_COMM_NULL);
    MUST(MPI_Comm_free(&local));
    return check_done("comm_inter");
}
