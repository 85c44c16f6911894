/* Every nonblocking collective, several at once, completed by every completion function (MPI-3.1, 5.12). */
#include "check.h"

enum { MAX = 64 };

int main(int argc, char **argv)
{
    check_init(&argc, &argv);
    enum { BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW,
           REDUCE, ALLREDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN, EXSCAN, OPERATIONS };
    const int root = size - 1;
    int counts[MAX], displs[MAX], byte_displs[MAX];
    MPI_Datatype types[MAX];
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = i;
        byte_displs[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    for (int how = 0; how < 4; how++) {
        MPI_Request r[OPERATIONS];
        int bcast = rank == root ? 71 : -1, mine = rank + 1, gather[MAX], gatherv[MAX], all[MAX], allgather[MAX],
            allgatherv[MAX], out[MAX], alltoall[MAX], alltoallv[MAX], alltoallw[MAX], scatter = -1, scatterv = -1,
            reduce = -1, allreduce = -1, reduce_scatter = -1, reduce_scatter_block = -1, scan = -1, exscan = -1;
        for (int i = 0; i < size; i++) {
            all[i] = 40 + i;
            out[i] = 100 * rank + i;
        }
        MUST(MPI_Ibarrier(MPI_COMM_WORLD, &r[BARRIER]));
        MUST(MPI_Ibcast(&bcast, 1, MPI_INT, root, MPI_COMM_WORLD, &r[BCAST]));
        MUST(MPI_Igather(&mine, 1, MPI_INT, gather, 1, MPI_INT, root, MPI_COMM_WORLD, &r[GATHER]));
        MUST(MPI_Igatherv(&mine, 1, MPI_INT, gatherv, counts, displs, MPI_INT, root, MPI_COMM_WORLD, &r[GATHERV]));
        MUST(MPI_Iscatter(all, 1, MPI_INT, &scatter, 1, MPI_INT, root, MPI_COMM_WORLD, &r[SCATTER]));
        MUST(MPI_Iscatterv(all, counts, displs, MPI_INT, &scatterv, 1, MPI_INT, root, MPI_COMM_WORLD, &r[SCATTERV]));
        MUST(MPI_Iallgather(&mine, 1, MPI_INT, allgather, 1, MPI_INT, MPI_COMM_WORLD, &r[ALLGATHER]));
        MUST(MPI_Iallgatherv(&mine, 1, MPI_INT, allgatherv, counts, displs, MPI_INT, MPI_COMM_WORLD, &r[ALLGATHERV]));
        MUST(MPI_Ialltoall(out, 1, MPI_INT, alltoall, 1, MPI_INT, MPI_COMM_WORLD, &r[ALLTOALL]));
        MUST(MPI_Ialltoallv(out, counts, displs, MPI_INT, alltoallv, counts, displs, MPI_INT, MPI_COMM_WORLD,
                            &r[ALLTOALLV]));
        MUST(MPI_Ialltoallw(out, counts, byte_displs, types, alltoallw, counts, byte_displs, types, MPI_COMM_WORLD,
                            &r[ALLTOALLW]));
        MUST(MPI_Ireduce(&mine, &reduce, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &r[REDUCE]));
        MUST(MPI_Iallreduce(&mine, &allreduce, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &r[ALLREDUCE]));
        MUST(MPI_Ireduce_scatter(out, &reduce_scatter, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[REDUCE_SCATTER]));
        MUST(MPI_Ireduce_scatter_block(out, &reduce_scatter_block, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                       &r[REDUCE_SCATTER_BLOCK]));
        MUST(MPI_Iscan(&mine, &scan, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[SCAN]));
        MUST(MPI_Iexscan(&mine, &exscan, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[EXSCAN]));
        if (how == 0) {
            MUST(MPI_Waitall(OPERATIONS, r, MPI_STATUSES_IGNORE));
        } else if (how == 1) {
            for (int i = OPERATIONS - 1; i >= 0; i--)
                MUST(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        } else if (how == 2) {
            for (int i = 0, index; i < OPERATIONS; i++) {
                MUST(MPI_Waitany(OPERATIONS, r, &index, MPI_STATUS_IGNORE));
                CHECK(index >= 0 && index < OPERATIONS && r[index] == MPI_REQUEST_NULL);
            }
        } else {
            for (int flag = 0; !flag;)
                MUST(MPI_Testall(OPERATIONS, r, &flag, MPI_STATUSES_IGNORE));
        }
        const int sum = size * (size + 1) / 2;
        for (int i = 0; i < OPERATIONS; i++)
            CHECK(r[i] == MPI_REQUEST_NULL);
        CHECK_INT(bcast, 71);
        CHECK_INT(scatter, 40 + rank);
        CHECK_INT(scatterv, 40 + rank);
        for (int i = 0; i < size; i++) {
            if (rank == root) {
                CHECK_INT(gather[i], i + 1);
                CHECK_INT(gatherv[i], i + 1);
            }
            CHECK_INT(allgather[i], i + 1);
            CHECK_INT(allgatherv[i], i + 1);
            CHECK_INT(alltoall[i], 100 * i + rank);
            CHECK_INT(alltoallv[i], 100 * i + rank);
            CHECK_INT(alltoallw[i], 100 * i + rank);
        }
        CHECK_INT(reduce, rank == root ? sum : -1);
        CHECK_INT(allreduce, size);
        CHECK_INT(reduce_scatter, 100 * size * (size - 1) / 2 + rank * size);
        CHECK_INT(reduce_scatter_block, reduce_scatter);
        CHECK_INT(scan, (rank + 1) * (rank + 2) / 2);
        CHECK_INT(exscan, rank == 0 ? -1 : rank * (rank + 1) / 2);
    }
    return check_done("coll_nonblocking");
}
