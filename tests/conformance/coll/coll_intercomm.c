/* Collectives between two groups, with MPI_ROOT and MPI_PROC_NULL (MPI-3.1, 5.2.2, 5.2.3). */
#include "check.h"

enum { MAX = 64 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    if (size == 1)
        return check_done("coll_intercomm"); /* two groups need two processes */

    MPI_Comm half, inter, merged;
    const int low = rank < size / 2, split = size / 2;
    int local = -1, local_size = -1, remote = -1, flag = -1;
    MUST(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half));
    MUST(MPI_Comm_rank(half, &local));
    MUST(MPI_Comm_size(half, &local_size));
    MUST(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? split : 0, 12, &inter));
    MUST(MPI_Comm_test_inter(inter, &flag));
    CHECK_INT(flag, 1);
    MUST(MPI_Comm_remote_size(inter, &remote));
    CHECK_INT(remote, low ? size - split : split);
    MUST(MPI_Barrier(inter));

    /* The root is in one group and passes MPI_ROOT, its peers pass MPI_PROC_NULL, and the other group passes the root's
       rank. */
    for (int from_low = 0; from_low < 2; from_low++) {
        const int mine = low == from_low, group = from_low ? split : size - split, last = group - 1;
        const int root = mine ? (local == last ? MPI_ROOT : MPI_PROC_NULL) : last;
        const int is_root = root == MPI_ROOT;
        int data[MAX], value = is_root ? 500 + from_low : -1;
        MUST(MPI_Bcast(&value, 1, MPI_INT, root, inter));
        CHECK_INT(value, is_root || !mine ? 500 + from_low : -1);

        int term = rank + 1, total = -1, others = 0;
        for (int i = 0; i < size; i++)
            if ((i < split) != from_low)
                others += i + 1;
        MUST(MPI_Reduce(&term, &total, 1, MPI_INT, MPI_SUM, root, inter));
        CHECK_INT(total, is_root ? others : -1);

        memset(data, 0x55, sizeof data);
        MUST(MPI_Gather(&term, 1, MPI_INT, data, 1, MPI_INT, root, inter));
        for (int i = 0; is_root && i < remote; i++)
            CHECK_INT(data[i], (from_low ? split : 0) + i + 1);
        if (!is_root)
            CHECK_INT(data[0], 0x55555555);
        for (int i = 0; i < remote; i++)
            data[i] = 70 + i;
        value = -1;
        MUST(MPI_Scatter(data, 1, MPI_INT, &value, 1, MPI_INT, root, inter));
        CHECK_INT(value, mine ? -1 : 70 + local);

        int counts[MAX], displs[MAX];
        for (int i = 0; i < remote; i++) {
            counts[i] = 1;
            displs[i] = remote - 1 - i;
        }
        MUST(MPI_Gatherv(&term, 1, MPI_INT, data, counts, displs, MPI_INT, root, inter));
        for (int i = 0; is_root && i < remote; i++)
            CHECK_INT(data[displs[i]], (from_low ? split : 0) + i + 1);
        value = -1;
        MUST(MPI_Scatterv(data, counts, displs, MPI_INT, &value, 1, MPI_INT, root, inter));
        CHECK_INT(value, mine ? -1 : rank + 1);
    }

    /* Each process gets the data of the other group. */
    int term = rank + 1, total = -1, others = 0, in[MAX], out[MAX];
    for (int i = 0; i < size; i++)
        if ((i < split) != low)
            others += i + 1;
    MUST(MPI_Allreduce(&term, &total, 1, MPI_INT, MPI_SUM, inter));
    CHECK_INT(total, others);
    MUST(MPI_Allgather(&term, 1, MPI_INT, in, 1, MPI_INT, inter));
    for (int i = 0; i < remote; i++)
        CHECK_INT(in[i], (low ? split : 0) + i + 1);
    for (int i = 0; i < remote; i++)
        out[i] = 100 * rank + i;
    MUST(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter));
    for (int i = 0; i < remote; i++)
        CHECK_INT(in[i], 100 * ((low ? split : 0) + i) + local);

    /* Ranks in point-to-point calls count the other group. */
    MPI_Status status;
    if (low == 1 && local == 0)
        MUST(MPI_Send(&term, 1, MPI_INT, remote - 1, 9, inter));
    if (low == 0 && local == local_size - 1) {
        MUST(MPI_Recv(&total, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status));
        CHECK_INT(status.MPI_SOURCE, 0);
        CHECK_INT(total, 1);
    }

    int merged_rank = -1;
    MUST(MPI_Intercomm_merge(inter, low, &merged)); /* the group that passes high comes last */
    MUST(MPI_Comm_rank(merged, &merged_rank));
    CHECK_INT(merged_rank, low ? size - split + local : local);
    MUST(MPI_Comm_free(&merged));
    MUST(MPI_Comm_free(&inter));
    MUST(MPI_Comm_free(&half));
    return check_done("coll_intercomm");
}
